import Files
import Glibc

/// The memory of a converted model. It is not mapped from the cache file: a file that another program shortens would end
/// this one (SIGBUS).
final class CascadeMemory: @unchecked Sendable {  // immutable after init
    let bytes: UnsafeRawBufferPointer

    /// Takes ownership of memory from `malloc`.
    init(owned: UnsafeMutableRawBufferPointer) { bytes = UnsafeRawBufferPointer(owned) }

    deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
}

/// The cache of converted models: `$XDG_CACHE_HOME/bauta` (XDG Base Directory Specification).
enum CascadeCache {
    static func path(fingerprint: UInt64) -> FilePath? {
        let name = String(fingerprint, radix: 16)
        return UserFolders.cache.map {
            $0 / "bauta" / FilePath("landmarks-" + String(repeating: "0", count: 16 - name.count) + name)
        }
    }

    /// The content of a cache file; nil if it is no regular file, is empty, or cannot be read.
    static func read(_ path: FilePath) -> CascadeMemory? {
        do throws(FileError) {
            return CascadeMemory(owned: try FileBytes(path: path).release())
        } catch {
            return nil
        }
    }

    /// Writes the file atomically. A failure is ignored: the next start converts the model again.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: FilePath) {
        let folder = path.parent
        for made in [folder.parent, folder] { _ = made.withCString { mkdir($0, 0o700) } }
        try? AtomicFile.write(bytes, to: path, replacing: true, mode: 0o600)
    }
}
