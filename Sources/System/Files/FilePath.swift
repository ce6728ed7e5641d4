import Glibc

/// A path of the file system, or a part of one: bytes, as the system has them. Only the byte "/" separates its parts,
/// and two paths are equal if their bytes are.
///
/// A `String` is no path: its `Character`s are grapheme clusters, so "/" followed by a combining mark is not found in
/// it; strings of different bytes are equal if they are canonically equivalent ("é" has two spellings, which are two
/// files); and it cannot hold a name that is not UTF-8.
package struct FilePath: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    package init(cString: UnsafePointer<CChar>) { bytes = Array(String.bytes(cString)) }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    package var isEmpty: Bool { bytes.isEmpty }
    package var isAbsolute: Bool { bytes.first == Self.slash }
    package var endsWithSlash: Bool { bytes.last == Self.slash }
    /// Whether the name begins with a dot.
    package var isHidden: Bool { bytes.first == Self.dot }

    // MARK: Parts

    /// The parts between the slashes; empty parts included, so that "/a//b/" has five.
    package var parts: [FilePath] {
        bytes.split(separator: Self.slash, omittingEmptySubsequences: false).map { FilePath(bytes: $0) }
    }

    /// Without slashes at its end; "/" stays as it is.
    package var withoutFinalSlashes: FilePath {
        var kept = bytes[...]
        while kept.count > 1, kept.last == Self.slash { kept.removeLast() }
        return FilePath(bytes: kept)
    }

    /// The last part, slashes at the end left out; the whole path if it has no other part.
    package var name: FilePath {
        let whole = withoutFinalSlashes.bytes
        guard let slash = whole.lastIndex(of: Self.slash), slash + 1 < whole.count else {
            return FilePath(bytes: whole)
        }
        return FilePath(bytes: whole[(slash + 1)...])
    }

    /// The path up to the last slash, without it: the folder that the file lies in. Empty for a path without slash, "/"
    /// for one in the root.
    package var parent: FilePath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return FilePath("") }
        return FilePath(bytes: slash == 0 ? bytes[...0] : bytes[..<slash])
    }

    /// The extension of the name in lower case, without the dot; empty if it has none.
    package var fileExtension: String {
        extensionDot.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self).lowercased() } ?? ""
    }

    /// Without the extension and its dot.
    package var withoutExtension: FilePath { FilePath(bytes: bytes[..<(extensionDot ?? bytes.endIndex)]) }

    /// The dot before the extension. A dot that a name begins with hides the file.
    private var extensionDot: Int? {
        let start = bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        guard let dot = bytes[start...].lastIndex(of: Self.dot), dot > start else { return nil }
        return dot
    }

    /// Whether the path, taken from a folder, cannot lead out of it but through a link: it is relative, has no empty
    /// part, no "." and no "..", and no NUL.
    package var staysBeneath: Bool { bytes.withUnsafeBytes { Self.staysBeneath($0) } }

    /// The same of bytes, without memory of their own: lists may have millions.
    package static func staysBeneath(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        for end in 0...bytes.count {
            if end < bytes.count && bytes[end] == 0 { return false }
            guard end == bytes.count || bytes[end] == slash else { continue }
            let count = end - start
            if count == 0 || (count <= 2 && bytes[start..<end].allSatisfy { $0 == dot }) { return false }
            start = end + 1
        }
        return true
    }

    /// The rest of a path that lies in a folder; nil if it does not begin with it.
    package func relative(to folder: FilePath) -> FilePath? {
        let prefix = folder.endsWithSlash ? folder.bytes : folder.bytes + [Self.slash]
        return bytes.starts(with: prefix) ? FilePath(bytes: bytes.dropFirst(prefix.count)) : nil
    }

    // MARK: Making paths

    /// A path in a folder. An empty folder is the current one.
    package static func / (folder: FilePath, name: FilePath) -> FilePath {
        if folder.isEmpty { return name }
        return FilePath(bytes: folder.endsWithSlash ? folder.bytes + name.bytes : folder.bytes + [slash] + name.bytes)
    }

    /// Something more at the end of the last name.
    package static func + (path: FilePath, ending: String) -> FilePath { FilePath(bytes: path.bytes + ending.utf8) }

    // MARK: The system

    /// The path as system calls take it. One with a NUL names no file: calls get the empty path, and fail with `ENOENT`.
    /// Afterwards `errno` is what `body` has left in it.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        var code: Int32 = 0
        defer { errno = code }
        return try withCharacters { characters in
            defer { code = errno }
            return try body(characters)
        }
    }

    /// Frees its copy of the path before it returns, which may change `errno`.
    @inline(never)
    private func withCharacters<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        let characters = (bytes.contains(0) ? [] : bytes.map { CChar(truncatingIfNeeded: $0) }) + [0]
        return try body(characters)
    }

    // MARK: Text

    /// Nil if it is not UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }
}

extension FilePath: Comparable {
    /// By bytes.
    package static func < (a: FilePath, b: FilePath) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

extension FilePath: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: CustomStringConvertible {
    /// For messages: UTF-8 as it is; other bytes, and characters that a terminal would obey, as `\xE9`.
    package var description: String {
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            var decoder = UTF8()
            guard case .scalarValue(let scalar) = decoder.decode(&iterator),
                scalar.isPrintable
            else {
                text += rest.removeFirst().escaped
                continue
            }
            text.unicodeScalars.append(scalar)
            rest = rest.dropFirst(UTF8.width(scalar))
        }
        return text
    }
}

/// A path, or text that is taken for one.
package protocol FilePathConvertible {
    var filePath: FilePath { get }
}

extension FilePath: FilePathConvertible {
    package var filePath: FilePath { self }
}

extension String: FilePathConvertible {
    package var filePath: FilePath { FilePath(self) }

    fileprivate static func bytes(_ cString: UnsafePointer<CChar>) -> some Sequence<UInt8> {
        sequence(state: cString) { pointer in
            guard pointer.pointee != 0 else { return nil }
            defer { pointer += 1 }
            return UInt8(truncatingIfNeeded: pointer.pointee)
        }
    }
}
