import Arguments
import Files
import Glibc

/// Paths from standard input, one per line or separated by NUL.
enum InputList {
    static func read() -> [FilePath] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0 && errno == EINTR && !Interrupt.isRequested { continue }
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return paths(in: bytes)
    }

    static func paths(in bytes: [UInt8]) -> [FilePath] {
        // `find -print0` writes a NUL after each path, which may contain line breaks.
        let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
        return bytes.split(separator: separator).map { FilePath(bytes: $0) }
    }
}
