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

    /// Maps a regular file for reading; nil if it is empty or cannot be mapped.
    init?(mapping file: borrowing RegularFile) {
        let count = file.count
        guard count > 0, let base = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0), base != MAP_FAILED
        else { return nil }
        // The checksum reads all of it.
        madvise(base, count, MADV_WILLNEED)
        bytes = UnsafeRawBufferPointer(start: base, count: count)
        isMapped = true
    }

    /// Maps a model's file.
    /// - Throws: `VisionError` that names it.
    static func model(_ path: String) throws(VisionError) -> CascadeMemory {
        let reason: String
        do throws(FileError) {
            if let memory = CascadeMemory(mapping: try RegularFile(FilePath(path))) { return memory }
            reason = "is empty or cannot be mapped"
        } catch {
            reason = error.reason
        }
        throw VisionError(.modelUnreadable, "\(path): \(reason)")
    }

    deinit {
        guard let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
        if isMapped { munmap(base, bytes.count) } else { free(base) }
    }
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
