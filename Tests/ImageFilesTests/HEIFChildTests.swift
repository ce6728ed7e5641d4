import CHEIF
import CSandbox
import Foundation
import TestSupport
import Testing

/// With AddressSanitizer there is no child, so that it sees what happens.
private let hasChildren = dlsym(nil, "__asan_init") == nil

/// The process that libheif runs in.
@Suite(.enabled(if: hasChildren, "no child processes with AddressSanitizer")) struct HEIFChildTests {
    /// What `Tests/FakeLibraries/heif.c` tells.
    private static func report() throws -> String {
        try FakeLibrary.load("heif.c", as: "libheif.so.1")
        try #require(cheif_is_available())
        var message = [CChar](repeating: 0, count: Int(CHEIF_MESSAGE))
        var limits = cheif_limits(seconds: 60, memory_bytes: 1 << 30)
        let picture = cheif_read([0], 1, 1, &limits, &message)
        #expect(picture == nil)
        return String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    /// In a child it could wait for ever for a lock of the loader that another thread held.
    @Test func plugInsAreLoadedBeforeThereIsAChild() async {
        await #expect(processExitsWith: .success) {
            let report = try HEIFChildTests.report()
            #expect(report.contains("initialised before,"), "\(report)")
        }
    }

    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_PROCESSES) != 0, "the kernel has no seccomp"))
    func aDecoderStartsNoProcesses() async {
        await #expect(processExitsWith: .success) {
            let report = try HEIFChildTests.report()
            #expect(report.contains("processes denied, threads allowed"), "\(report)")
        }
    }
}
