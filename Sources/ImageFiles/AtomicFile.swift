import Files
import Glibc

/// Writes whole files or none: the bytes go to a new file beside the target, which takes its name at the end.
package enum AtomicFile {
    /// - Parameter replacing: whether a file of that name may be replaced. If not, and one is there (even if it
    ///   appeared a moment ago), nothing is changed.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, replacing: Bool
    ) throws(PictureError) {
        if !replacing { try checkIsFree(path) }
        guard let temporary = writeTemporaryFile(bytes, beside: path, mode: creationMode()) else {
            throw cannotWrite(path)
        }
        try take(path, from: temporary, replacing: replacing)
    }

    package static func write(_ text: String, to path: String, replacing: Bool) throws(PictureError) {
        var text = text
        do {
            try text.withUTF8 { try write(UnsafeRawBufferPointer($0), to: path, replacing: replacing) }
        } catch let error as PictureError {
            throw error
        } catch {
            throw PictureError(.unwritable, path: path, "\(error)")
        }
    }

    /// Copies a file byte by byte.
    package static func copy(_ source: String, to path: String, replacing: Bool) throws(PictureError) {
        let file = try FileBytes(path: source)
        try file.withUnsafeBytes { (bytes) throws(PictureError) in try write(bytes, to: path, replacing: replacing) }
    }

    /// - Throws: `PictureError` of kind `wouldOverwrite` when there is something under that name.
    package static func checkIsFree(_ path: String) throws(PictureError) {
        if access(path, F_OK) == 0 { throw alreadyThere(path) }
    }

    /// Gives a finished file its name. On failure nothing is left of it.
    package static func take(_ path: String, from temporary: String, replacing: Bool) throws(PictureError) {
        if replacing {
            if rename(temporary, path) == 0 { return }
        } else {
            // A second name is refused where there is a file; renaming would replace it.
            if link(temporary, path) == 0 {
                unlink(temporary)
                return
            }
            // File systems without hard links (FAT): looking first is the best there is on them.
            if errno == EPERM || errno == ENOTSUP || errno == ENOSYS, access(path, F_OK) != 0,
                rename(temporary, path) == 0
            {
                return
            }
        }
        let code = errno
        unlink(temporary)
        throw code == EEXIST ? alreadyThere(path) : cannotWrite(path, code)
    }

    /// What `open` would have given a new file: mkstemp makes files that only their owner can read.
    private static func creationMode() -> mode_t { 0o666 & ~processUmask }

    // The system call that reads the umask also sets it, under the hands of other threads; the kernel's list does not.
    private static let processUmask: mode_t = {
        // Files of /proc have no size that could be read whole.
        let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(descriptor, &status, status.count))
        let line = status[..<count].split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "Umask:".utf8) }
        let digits = line.map { String(decoding: $0.dropFirst(6), as: UTF8.self).filter(\.isNumber) }
        return digits.flatMap { mode_t($0, radix: 8) } ?? 0o022
    }()

    private static func alreadyThere(_ path: String) -> PictureError {
        PictureError(.wouldOverwrite, path: path, "is there already; --force replaces it")
    }

    private static func cannotWrite(_ path: String, _ code: Int32 = errno) -> PictureError {
        PictureError(.unwritable, path: path, "cannot be written: \(errorText(code))")
    }
}
