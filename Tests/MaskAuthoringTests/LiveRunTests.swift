import Files
import Foundation
import MaskEditor
import TestSupport
import Testing

/// How the editor starts the live window.
struct LiveRunTests {
    private let folder: TemporaryFolder
    /// The program's file, whose name is not UTF-8.
    private let program: FilePath

    init() throws {
        folder = try TemporaryFolder()
        program = FilePath(bytes: Array((folder.path + "/baut").utf8) + [0xE4])
        try install("exit 2")
    }

    /// Puts a program in the place of the one that is there, as an update does.
    private func install(_ script: String) throws {
        try Array("#!/bin/sh\n\(script)\n".utf8).withUnsafeBytes {
            try AtomicFile.write($0, to: program, replacing: true)
        }
        #expect(program.withCString { chmod($0, 0o755) } == 0)
    }

    @Test func theProgramOfAnUpdateIsStarted() throws {
        let live = LiveRun(program: program)
        try install(#"echo "bauta: $*" >&2; exit 1"#)
        let told = live.start("/masks/wölf é", on: ["drawn:ada"])
        #expect(!told.isAlarm && live.hasStarted, "\(told.text)")
        var failure: String?
        for _ in 0..<500 where failure == nil {
            failure = live.failure()
            usleep(20_000)
        }
        #expect(failure == "The live window has ended: live --try-mask --mask /masks/wölf é drawn:ada")
    }

    @Test func aProgramThatIsGoneIsReported() throws {
        let live = LiveRun(program: program)
        #expect(program.withCString { unlink($0) } == 0)
        let told = live.start("/masks/wolf", on: [])
        #expect(told.isAlarm && told.text.contains("moved or removed") && !live.hasStarted)
    }
}
