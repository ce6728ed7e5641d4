import CPortal
import Files
import Glibc

/// The dialog for files of the desktop's portal, which programs in a sandbox have, too.
/// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
package enum FilePortal {
    struct Failure: Error {
        let reason: String
    }

    /// Whether there is a portal with dialogs. It may take seconds.
    static var isThere: Bool { cportal_shows_files() }

    /// Shows the dialog, and waits until it is closed.
    /// - Parameters:
    ///   - folder: in which it begins; nil: its own choice.
    ///   - hasStopped: is asked several times a second whether the dialog is to be closed.
    /// - Returns: at least one file; nil: nothing was chosen.
    static func choose(
        title: String, several: Bool, in folder: FilePath?, until hasStopped: () -> Bool
    ) throws(Failure) -> [FilePath]? {
        func ask(_ folder: UnsafePointer<CChar>?) -> (uris: [UInt8]?, code: Int32) {
            withoutActuallyEscaping(hasStopped) { hasStopped in
                withUnsafePointer(to: hasStopped) { closure in
                    let uris = cportal_choose_files(
                        title, several, folder,
                        { $0?.assumingMemoryBound(to: (() -> Bool).self).pointee() ?? false }, closure)
                    guard let uris else { return (nil, errno) }
                    defer { free(uris) }
                    return (
                        Array(UnsafeBufferPointer(start: uris, count: strlen(uris))).map { UInt8(bitPattern: $0) }, 0
                    )
                }
            }
        }
        let (uris, code) = folder.map { $0.withCString { ask($0) } } ?? ask(nil)
        guard let uris else {
            if code == ECANCELED { return nil }
            throw Failure(reason: "the desktop's portal gives no answer: \(systemErrorText(code))")
        }
        let paths = uris.split(separator: UInt8(ascii: "\n")).compactMap { path(uri: $0) }
        guard !paths.isEmpty else { throw Failure(reason: "it has ended without a file") }
        return paths
    }

    /// The file that a URI of this machine names; nil: it names none. RFC 8089.
    package static func path(uri: some Collection<UInt8>) -> FilePath? {
        let scheme = Array("file://".utf8)
        guard uri.starts(with: scheme) else { return nil }
        // Between the slashes may be a host: this one.
        let place = uri.dropFirst(scheme.count).drop { $0 != UInt8(ascii: "/") }
        var bytes: [UInt8] = []
        var rest = place[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.isEmpty || bytes.contains(0) ? nil : FilePath(bytes: bytes)
    }
}
