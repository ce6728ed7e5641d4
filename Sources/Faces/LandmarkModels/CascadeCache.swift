import Files
import Glibc

/// The memory of a converted model. It is not mapped from the cache file: a file that another program shortens would end
/// this one (SIGBUS).
final class CascadeMemory: @unchecked Sendable {  // immutable after init
    let bytes: UnsafeRawBufferPointer

    /// Takes ownership of memory from `malloc`.
    init(owned: UnsafeMutableRawBufferPointer) { bytes = UnsafeRawBufferPointer(owned) }

    /// Reads a file.
    ///
    /// The evaluation jumps to thousands of places in it, so it lies in pages of 2 MiB where the system has them: the
    /// addresses of small ones would have to be looked up again at nearly each jump.
    /// - Returns: nil if it is no regular file, is empty, or cannot be read.
    init?(reading path: FilePath) {
        do throws(FileError) {
            let file = try RegularFile(path)
            guard 0 < file.count, file.count <= Self.largestFile,
                let start = aligned_alloc(Self.largePage, (file.count + Self.largePage - 1) & ~(Self.largePage - 1))
            else { return nil }
            // Only a wish.
            _ = madvise(start, file.count, MADV_HUGEPAGE)
            bytes = UnsafeRawBufferPointer(start: start, count: file.count)
            try file.read(into: UnsafeMutableRawBufferPointer(start: start, count: file.count))
        } catch {
            return nil
        }
    }

    deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

    private static let largePage = 2 << 20
    private static let largestFile = 2 << 30
}

/// The cache of converted models: `$XDG_CACHE_HOME/bauta` (XDG Base Directory Specification).
enum CascadeCache {
    static func path(fingerprint: UInt64) -> FilePath? {
        let name = String(fingerprint, radix: 16)
        return UserFolders.cache.map {
            $0 / "bauta" / FilePath("landmarks-" + String(repeating: "0", count: 16 - name.count) + name)
        }
    }

    /// Writes the file atomically. A failure is ignored: the next start converts the model again.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: FilePath) {
        let folder = path.parent
        for made in [folder.parent, folder] { _ = made.withCString { mkdir($0, 0o700) } }
        try? AtomicFile.write(bytes, to: path, replacing: true, mode: 0o600)
    }
}
