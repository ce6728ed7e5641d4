import Clips
import Foundation
import TestSupport
import Testing

/// The commands that run with an administrator's permission, in a folder in place of `/`.
@Suite struct LoopbackModuleTests {
    private static let files = [
        "/etc/modprobe.d/bauta-v4l2loopback.conf", "/etc/modules-load.d/bauta-v4l2loopback.conf",
    ]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(modprobe: String, number: Int = 10) throws -> ProgramRun {
        try ProgramRun.run("/bin/sh", ["-c", LoopbackModule.script, "bauta", root, modprobe, "\(number)"])
    }

    private var root: String { folder.path + "/a root" }

    private func program(_ text: String) throws -> String {
        let path = try folder.write("#!/bin/sh\n" + text, "modprobe \(UUID().uuidString)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func texts() -> [String?] { Self.files.map { try? String(contentsOfFile: root + $0, encoding: .utf8) } }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix("conf") || $0.hasSuffix("new") }
    }

    /// The module is loaded with the options that browsers need, and its files say the same. Written again, they are replaced.
    @Test func theModuleIsLoadedAndKept() throws {
        let log = folder.path + "/log"
        let modprobe = try program(#"echo "$@" >> '\#(log)'"#)
        let mark = "# Written by Bauta.\n"
        for number in [10, 12] {
            let run = try run(modprobe: modprobe, number: number)
            #expect(run.exitCode == 0, "\(run.error)")
            let options = "v4l2loopback exclusive_caps=1 card_label=Bauta video_nr=\(number)\n"
            #expect(texts() == [mark + "options " + options, mark + "v4l2loopback\n"])
            #expect(try String(contentsOfFile: log, encoding: .utf8).hasSuffix(options))
            #expect(try names().count == 2)
        }
    }

    /// Where the module cannot be loaded, nothing is left.
    @Test func nothingIsKeptOfAModuleThatDoesNotLoad() throws {
        let run = try run(modprobe: program("echo 'no such module' >&2; exit 1"))
        #expect(run.exitCode == 1 && run.error.contains("no such module"))
        #expect(texts() == [nil, nil])
    }

    /// Files of others stay, and the module is not loaded either.
    @Test(arguments: [0, 1])
    func filesOfOthersStay(_ index: Int) throws {
        let path = "a root" + Self.files[index]
        try folder.write("# Mine.\n", path)
        let loaded = folder.path + "/loaded"
        let run = try run(modprobe: program("touch '\(loaded)'"))
        #expect(run.exitCode == 73 && run.error.contains("is not Bauta's"), "\(run.error)")
        #expect(texts()[index] == "# Mine.\n" && texts()[1 - index] == nil)
        #expect(!FileManager.default.fileExists(atPath: loaded))
    }
}
