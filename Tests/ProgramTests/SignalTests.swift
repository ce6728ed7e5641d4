import Foundation
import TestSupport
import Testing

/// Faces as messages of Open Sound Control, as liblo's receiver, `oscdump`, reads them.
@Suite struct SignalTests {
    /// What is received while a body runs, as the words of each message without its time.
    private func received(while body: @escaping (_ address: String) throws -> Void) throws -> [[String]] {
        // It was free a moment ago.
        let port = try UDPSocket().port
        let run = try ProgramRun.run("/usr/bin/oscdump", ["-L", "\(port)"]) { program in
            try wait(for: "oscdump to listen") {
                // It says nothing until a message comes.
                _ = try ProgramRun.run("/usr/bin/oscsend", ["127.0.0.1", "\(port)", "/ready"])
                return program.outputSoFar.contains("/ready")
            }
            try body("127.0.0.1:\(port)")
            // On one machine messages are neither lost nor do they overtake each other.
            _ = try ProgramRun.run("/usr/bin/oscsend", ["127.0.0.1", "\(port)", "/end"])
            try wait(for: "the last message") { program.outputSoFar.contains("/end") }
            // It takes other signals with the next message only.
            kill(program.processIdentifier, SIGKILL)
        }
        return run.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst().map(String.init) }
            .filter { !["/ready", "/end"].contains($0.first) }
    }

    /// Each frame's signals are those of its line in the tracks.
    @Test func tracksAreSentAsMessages() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/tracks.jsonl"
        let messages = try received { address in
            let run = try ProgramRun.bauta([
                "track", "drawn", "--frames", "40", "--quiet", "--osc", address, "--osc-expressions",
                "arkit", "-o", path,
            ])
            #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.error)")
        }
        func values(_ address: String) -> [[Float]] {
            messages.filter { $0.first == address }.map { $0.dropFirst(2).compactMap { Float($0) } }
        }
        let lines = try String(decoding: bytes(of: path), as: UTF8.self).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 40 && values("/bauta/faces").count == 41)
        let faces = try lines.map { try #require(($0["faces"] as? [[String: Any]])?.first) }
        for name in ["mouthOpening", "smile", "turn", "leftEyeClosing"] {
            let expected = try faces.map { try #require(($0["signals"] as? [String: Double])?[name]) }
            let sent = values("/bauta/face/1/\(name)").compactMap(\.first)
            // At the end nothing stays on.
            #expect(sent.count == 41 && sent.last == 0)
            #expect(zip(sent, expected).allSatisfy { abs($0 - Float($1)) < 1e-4 }, "\(name)")
        }
        let poses = try faces.map { try #require($0["pose"] as? [String: Double]) }
        let rotations = values("/bauta/face/1/rotation")
        #expect(rotations.count == 40 && zip(rotations, poses).allSatisfy { abs($0[0] - Float($1["yaw"] ?? 9)) < 1e-4 })
        #expect(messages.contains(["/bauta/face/1/track", "i", "1"]))
        #expect(messages.last == ["/bauta/face/1/track", "i", "0"])
        #expect(values("/VMC/Ext/T").compactMap(\.first).last.map { abs($0 - 39.0 / 30) < 1e-4 } == true)
        let heads = messages.filter { $0.first == "/VMC/Ext/Bone/Pos" && $0[2] == "\"Head\"" }
        #expect(heads.count == 40 && heads.allSatisfy { $0.count == 10 })
        let jaws = messages.filter { $0.first == "/VMC/Ext/Blend/Val" && $0[2] == "\"JawOpen\"" }
        #expect(jaws.count == 40)
        #expect(messages.filter { $0.first == "/VMC/Ext/Blend/Apply" }.count == 40)
    }

    @Test func liveSendsAsWell() throws {
        let messages = try received { address in
            let run = try ProgramRun.bauta([
                "live", "drawn", "--headless", "--frames", "30", "--unpaced", "--osc",
                address.replacingOccurrences(of: "127.0.0.1", with: "localhost"),
            ])
            #expect(run.exitCode == 0, "\(run.error)")
        }
        #expect(messages.filter { $0.first == "/bauta/faces" }.count == 31)
        #expect(messages.contains { $0.first == "/VMC/Ext/Blend/Val" && $0[2] == "\"Blink_L\"" })
    }

    /// Nobody needs to listen; a host that does not exist is an error before anything starts.
    @Test func receiversMayBeMissing() throws {
        // It was free a moment ago.
        let port = try UDPSocket().port
        let run = try ProgramRun.bauta([
            "track", "drawn", "--frames", "5", "--quiet", "--osc", "127.0.0.1:\(port)", "-o", "/dev/null",
        ])
        #expect(run.exitCode == 0)
        #expect(run.error.components(separatedBy: "do not arrive").count == 2, "\(run.error)")
        let unknown = try ProgramRun.bauta(["track", "drawn", "--osc", "host.invalid:9000"])
        #expect(unknown.exitCode == 69 && unknown.error.contains("host.invalid:9000"), "\(unknown.error)")
        let names = try ProgramRun.bauta(["live", "--osc-expressions", "arkit"])
        #expect(names.exitCode == 64 && names.error.contains("--osc"), "\(names.error)")
    }
}
