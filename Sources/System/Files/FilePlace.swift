import Glibc

/// The target of a path, independent of its spelling: two paths have the same place if they are one file, or would
/// become one.
package struct FilePlace: Hashable, Sendable {
    /// Of the file, or of the nearest folder above it that exists.
    private let device: UInt64
    private let number: UInt64
    /// The names below that folder.
    private let missing: [FilePath]

    /// The file that is open on a descriptor; nil: none.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (device, number, missing) = (UInt64(status.st_dev), UInt64(status.st_ino), [])
    }

    /// Nil if not even a folder above it can be found.
    package init?(_ path: some FilePathConvertible) {
        var here = path.filePath.withoutFinalSlashes
        var names: [FilePath] = []
        while true {
            if let status = (here.isEmpty ? "." : here).status() {
                (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
                break
            }
            guard !here.isEmpty, here != "/" else { return nil }
            names.append(here.name)
            here = here.parent.withoutFinalSlashes
        }
        missing = names.reversed().reduce(into: []) { parts, name in
            if name == ".." { _ = parts.popLast() } else if name != "." && !name.isEmpty { parts.append(name) }
        }
    }
}
