import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileLinesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func linesAreRead() throws {
        // Shorter and longer than what is read at once.
        let long = String(repeating: "x", count: 3 << 20)
        let path = try folder.write(
            "a\n\nb\n" + long + "\n" + String(repeating: "y\n", count: 1 << 20) + "last", "file")
        var lines = try FileLines(path)
        var counts: [String: Int] = [:]
        var numbers: [Int] = []
        while let line = try lines.next() {
            counts[String(decoding: line, as: UTF8.self), default: 0] += 1
            if numbers.count < 4 { numbers.append(lines.number) }
        }
        #expect(counts == ["a": 1, "b": 1, long: 1, "y": 1 << 20, "last": 1])
        #expect(numbers == [1, 3, 4, 5] && lines.number == 5 + 1 << 20)
        var none = try FileLines(try folder.write("", "empty"))
        #expect(try none.next() == nil)
    }

    @Test func aLockIsHeldByOne() throws {
        let path = FilePath(folder.path) / "lock"
        func isTaken(_ path: FilePath, _ body: () throws -> Void = {}) throws -> Bool {
            guard let lock = try FileLock(path) else { return false }
            try body()
            _ = consume lock
            return true
        }
        #expect(
            try isTaken(path) {
                #expect(throws: FileLock.Held.self) { try isTaken(path) }
            })
        #expect(try folder.names() == [])
        #expect(try isTaken(path))
        // Where there is no folder.
        #expect(try !isTaken(FilePath(folder.path) / "none/lock"))
    }
}
