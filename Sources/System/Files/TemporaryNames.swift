import Glibc
import Synchronization

/// The hidden names of temporary files and folders, and what killed processes left under such names.
///
/// A process holds a lock (`flock`) on each of its temporary files. One without lock belongs to a process that was
/// killed. The name is a mark, too: it has a checksum of the file's own number (inode) in it, so that what somebody else
/// has given such a name stays. It does not look like a picture, in case the machine stops before the file is renamed.
enum TemporaryNames {
    private static let prefix = ".bauta-temporary-"
    private static let digits = 16

    /// An unused name, until the file is there and has a number.
    static func new() -> FilePath { name(.random(in: .min ... .max), .random(in: .min ... .max)) }

    /// The name of a file or folder that is there.
    /// - Parameter other: of what will be exchanged for it, and have its name then.
    static func name(of status: stat, exchangedFor other: stat? = nil) -> FilePath {
        name(mark(status), other.map(mark) ?? .random(in: .min ... .max))
    }

    private static func name(_ first: UInt32, _ second: UInt32) -> FilePath {
        let number = String(UInt64(first) << 32 | UInt64(second), radix: 16)
        return FilePath(prefix + String(repeating: "0", count: digits - number.count) + number)
    }

    /// The upper half of Fibonacci hashing of the inode.
    private static func mark(_ status: stat) -> UInt32 {
        UInt32((UInt64(status.st_ino) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    /// Whether a file has its name from here.
    private static func isOwn(_ name: FilePath, _ status: stat) -> Bool {
        guard let number = UInt64(String(decoding: name.bytes.suffix(digits), as: UTF8.self), radix: 16) else {
            return false
        }
        return [UInt32(truncatingIfNeeded: number >> 32), UInt32(truncatingIfNeeded: number)].contains(mark(status))
    }

    /// Whether a name looks like those from here. No other file is ever removed.
    static func isOne(_ name: FilePath) -> Bool {
        name.bytes.starts(with: prefix.utf8) && name.bytes.count == prefix.utf8.count + digits
            && name.bytes.dropFirst(prefix.utf8.count).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Whether a path has a part that begins like such a name, or may have one.
    static func isPart(of path: UnsafePointer<CChar>) -> Bool { strstr(path, prefix) != nil }

    /// Locks a new temporary file or folder for as long as it is open.
    /// - Returns: nil if another process has taken it for one that was left, and removed it.
    static func lock(_ descriptor: Int32) -> stat? {
        // On file systems without locks nothing can be told apart, and nothing is removed.
        while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0 ? status : nil
    }

    /// A folder. Numbers are used again once a folder is deleted, and paths too.
    private struct Place: Hashable {
        let path: FilePath
        let device: UInt64
        let number: UInt64
    }

    private static let cleared = Mutex<Set<Place>>([])

    /// Removes what killed processes of this user left in a folder, once per process.
    static func clear(_ folder: borrowing OpenFolder) {
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else { return }
        let place = Place(path: folder.path, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        guard cleared.withLock({ $0.insert(place).inserted }) else { return }
        for name in folder.entries ?? [] where isOne(name) { remove(name, in: folder) }
    }

    private static func remove(_ name: FilePath, in folder: borrowing OpenFolder) {
        let parent = folder.descriptor
        let descriptor = name.withCString { openat(parent, $0, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), [S_IFREG, S_IFDIR].contains(status.type),
            !InputFiles.contains(status, "", in: descriptor),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        // Its process may have renamed it before it gave the lock back.
        guard let named = folder.status(of: name), named.st_ino == status.st_ino, named.st_dev == status.st_dev else {
            return
        }
        if isOwn(name, status) {
            Folder.delete(name, in: parent)
        } else {
            // Its process may have been killed before it could give it the right name: then it is empty.
            if status.type == S_IFREG, status.st_size > 0 { return }
            let flags = status.type == S_IFDIR ? AT_REMOVEDIR : 0
            _ = name.withCString { unlinkat(parent, $0, Int32(flags)) }
        }
    }
}
