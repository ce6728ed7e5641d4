import Files
import Glibc

/// System calls for sockets in the file system.
enum ControlSocket {
    /// Makes a socket that other processes of the same user can connect to, and nobody else. The socket of a session that
    /// was killed is replaced.
    /// - Throws: `FileError` if something else has that name, another session listens there, or the path is too long.
    static func listen(_ path: FilePath) throws(FileError) -> Int32 {
        try removeStale(path)
        let descriptor = try make(path)
        // On Linux, the socket file takes the permissions of the descriptor, so it never has others.
        fchmod(descriptor, 0o600)
        let result = try withAddress(path) { bind(descriptor, $0, $1) }
        guard result == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            let code = errno
            close(descriptor)
            throw FileError(.unwritable, path: path, "the control socket cannot be created: \(systemErrorText(code))")
        }
        return descriptor
    }

    /// - Returns: nil with a reason in `errno`; `EAGAIN` if as many as there may be wait for the session already.
    static func connect(_ path: FilePath) throws(FileError) -> Int32? {
        let descriptor = try make(path)
        guard try withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            return nil
        }
        return descriptor
    }

    /// Removes a socket to which nobody listens.
    private static func removeStale(_ path: FilePath) throws(FileError) {
        guard let status = path.status(followsLinks: false) else { return }
        guard status.type == S_IFSOCK else {
            throw FileError(.alreadyExists, path: path, "exists and is not a socket; it is not replaced")
        }
        if let other = try connect(path) {
            close(other)
            throw FileError(.alreadyExists, path: path, "another 'bauta live' uses this socket")
        }
        // A full queue of connections, or the socket of another user.
        guard errno == ECONNREFUSED else {
            throw FileError(.alreadyExists, path: path, "exists and cannot be connected to: \(systemErrorText())")
        }
        guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
            throw FileError(.unwritable, path: path, "cannot be replaced: \(systemErrorText())")
        }
    }

    private static func make(_ path: FilePath) throws(FileError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else {
            throw FileError(.unwritable, path: path, "a socket cannot be created: \(systemErrorText())")
        }
        return descriptor
    }

    private static func withAddress(
        _ path: FilePath, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(FileError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !path.isEmpty, path.bytes.count <= room, !path.bytes.contains(0) else {
            throw FileError(
                .unwritable, path: path, "cannot be a socket: its path must have 1 to \(room) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
