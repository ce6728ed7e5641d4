import Files
import Foundation
import TestSupport
import Testing

@Suite struct WriteAllTests {
    /// A pipe takes 64 KiB at a time; a megabyte arrives whole.
    @Test func moreThanThePipeTakesAtOnce() throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let writer = Thread {
            _ = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        #expect([UInt8](pipe.fileHandleForReading.readDataToEndOfFile()) == bytes)
    }

    @Test func aFullDeviceIsSaid() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect([UInt8](1...9).withUnsafeBytes { writeAll($0, to: full) } == false)
        #expect(errno == ENOSPC)
        #expect([UInt8]().withUnsafeBytes { writeAll($0, to: full) })
    }
}
