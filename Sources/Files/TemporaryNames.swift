import Glibc
import Synchronization

/// The hidden names of temporary files and folders, and what killed processes left under such names.
///
/// A process holds a lock (`flock`) on each of its temporary files. One without lock belongs to a process that was
/// killed.
enum TemporaryNames {
    private static let prefix = ".bauta-temporary-"
    private static let digits = 16

    /// An unused name. It does not look like a picture, in case the machine stops before the file is renamed.
    static func new() -> FilePath {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return FilePath(prefix + String(repeating: "0", count: digits - number.count) + number)
    }

    /// Whether a name was made by `new`. No other file is ever removed.
    static func isOne(_ name: FilePath) -> Bool {
        name.bytes.starts(with: prefix.utf8) && name.bytes.count == prefix.utf8.count + digits
            && name.bytes.dropFirst(prefix.utf8.count).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Locks a new temporary file or folder for as long as it is open.
    /// - Returns: false if another process has taken it for one that was left, and removed it.
    static func lock(_ descriptor: Int32) -> Bool {
        // On file systems without locks nothing can be told apart, and nothing is removed.
        while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
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
            !InputFiles.contains(status),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        // Its process may have renamed it before it gave the lock back.
        guard let named = folder.status(of: name), named.st_ino == status.st_ino, named.st_dev == status.st_dev else {
            return
        }
        Folder.delete(name, in: parent)
    }
}
