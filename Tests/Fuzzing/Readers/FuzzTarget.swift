import Glibc

/// A reader of what comes from strangers, and what libFuzzer needs to know about it. Each is a file of its own and a
/// line in `FuzzReaders.targets`.
package protocol FuzzTarget: SendableMetatype {
    /// For the command line of `scripts/fuzz`.
    static var name: String { get }
    /// In bytes: longer inputs find little that shorter ones do not, and take longer.
    static var longest: Int { get }
    /// Valid inputs, from which libFuzzer makes others.
    static func seeds() throws -> [[UInt8]]
    /// Reads the bytes, and uses what it has read as the program does. An error is as good as a value; only a crash, a
    /// hang, or a broken promise (`fatalError`) is a finding.
    static func read(_ bytes: [UInt8])
}

/// Files of the repository, by their paths in it.
enum RepositoryFile {
    private static let root = String(#filePath.dropLast("Tests/Fuzzing/Readers/FuzzTarget.swift".count))

    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(root + path, "r") else { fatalError("\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    /// The paths of the files in a folder whose names end so.
    static func paths(in folder: String, ending: String = "") -> [String] {
        guard let handle = opendir(root + folder) else { fatalError("\(folder) cannot be listed") }
        defer { closedir(handle) }
        var paths: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), name.hasSuffix(ending) { paths.append(folder + "/" + name) }
        }
        return paths.sorted()
    }
}
