import Files
import Glibc

/// The memory of a converted model: mapped from the cache file, so that processes share its pages, or allocated by this
/// process where the file cannot be mapped.
final class CascadeMemory: @unchecked Sendable {  // immutable after init
    let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Takes ownership of memory from `malloc`.
    init(owned: UnsafeMutableRawBufferPointer) {
        bytes = UnsafeRawBufferPointer(owned)
        isMapped = false
    }

    /// Maps a regular file for reading; nil when it is empty or cannot be mapped.
    init?(mapping path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        let count = Int(status.st_size)
        guard let base = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else { return nil }
        // The checksum reads all of it.
        madvise(base, count, MADV_WILLNEED)
        bytes = UnsafeRawBufferPointer(start: base, count: count)
        isMapped = true
    }

    deinit {
        guard let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
        if isMapped { munmap(base, bytes.count) } else { free(base) }
    }
}

/// The cache of converted models: `$XDG_CACHE_HOME/bauta` (XDG Base Directory Specification).
enum CascadeCache {
    static func path(fingerprint: UInt64) -> String? {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let base = variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = base ?? variable("HOME").map({ $0 + "/.cache" }), !folder.isEmpty else { return nil }
        let name = String(fingerprint, radix: 16)
        return folder + "/bauta/landmarks-" + String(repeating: "0", count: 16 - name.count) + name
    }

    /// Writes the file atomically. A failure is ignored: the next start converts the model again.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        if let parent = folder.lastIndex(of: "/") { mkdir(String(folder[..<parent]), 0o700) }
        mkdir(folder, 0o700)
        guard let temporary = TemporaryFile.write(bytes, beside: path, mode: 0o600) else { return }
        if rename(temporary, path) != 0 { unlink(temporary) }
    }
}
