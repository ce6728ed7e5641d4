import Foundation
import JSON
import TestSupport
import Testing

/// The contact sheet in a real browser: Debian's Chromium without a window, driven through WebDriver
/// (https://www.w3.org/TR/webdriver2/). Run by scripts/test-slow.
@Suite struct ContactSheetBrowserTests {
    private static let isPossible =
        SlowTests.areWanted && FileManager.default.isExecutableFile(atPath: Browser.driver)

    @Test(.enabled(if: isPossible, "slow: scripts/test-slow installs Chromium and runs it"))
    func theContactSheetIsUsableInABrowser() throws {
        let folder = try TemporaryFolder()
        try ContactSheetContent.write(into: folder)
        let run = try ProgramRun.bauta(
            ["photo", "--detector", "hog", "in", "-r", "--contact-sheet", "sheet"], folder: folder.path)
        #expect(run.exitCode == 1, "\(run.error)")
        try Browser.run { browser in
            let page = URL(fileURLWithPath: folder.path + "/sheet/index.html").absoluteString
            try browser.open(page)
            #expect(try browser.number("document.scripts.length") == 0)
            #expect(try browser.visible() == 6)
            // Hostile names are texts.
            #expect(try browser.text("document.title") == "Contact sheet: 6 photographs")
            #expect(try browser.number("document.querySelectorAll('[onerror],script,iframe').length") == 0)
            // All thumbnails load, though the page may load nothing else.
            try browser.execute("[...document.images].forEach(i => i.loading = 'eager')")
            try wait(for: "the thumbnails") {
                try browser.number("[...document.images].filter(i => i.complete && i.naturalWidth > 0).length")
            } until: {
                $0 == 8
            }
            try keyboard(browser)
            // Each link leads to its photograph, whatever the name.
            let links = try browser.texts("[...document.querySelectorAll('.more a')].map(a => a.href)")
            #expect(links.count == 10)
            for link in links where !link.contains("notes.txt") && !link.contains("broken") {
                try browser.open(link)
                #expect(try browser.text("document.contentType").hasPrefix("image/"), "\(link)")
            }
            try browser.open(page)
            let light = try browser.text("getComputedStyle(document.body).backgroundColor")
            try browser.preferDark()
            #expect(try browser.text("getComputedStyle(document.body).backgroundColor") != light)
        }
    }

    private func keyboard(_ browser: Browser) throws {
        let (tab, right) = ("\u{E004}", "\u{E014}")
        try browser.press(tab)
        #expect(try browser.text("document.activeElement.id") == "all")
        var shown: [String: Int] = [:]
        for _ in 0..<4 {
            try browser.press(right)
            shown[try browser.text("document.activeElement.id")] = try browser.visible()
        }
        #expect(shown["masked"] == 3 && shown["noFace"] == 1 && shown["failed"] == 1, "\(shown)")
        #expect((shown["doubtful"] ?? 0) >= 1)
        // To the links of what is shown.
        try browser.press(tab)
        #expect(try browser.text("document.activeElement.tagName") == "A")
        #expect(try browser.text("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    }
}

/// A session of headless Chromium.
private struct Browser {
    static let driver = "/usr/bin/chromedriver"

    private let address: String

    static func run(_ body: @escaping (Browser) throws -> Void) throws {
        let folder = try TemporaryFolder()
        _ = try ProgramRun.run(driver, ["--port=0"]) { program in
            let words = "started successfully on port "
            let output = try program.wait(for: words) {
                program.outputSoFar
            } until: {
                $0.contains(words)
            }
            let port = output.components(separatedBy: words).last.map { $0.prefix { $0.isNumber } } ?? ""
            let arguments = [
                "--headless=new", "--no-sandbox", "--window-size=1280,900", "--user-data-dir=\(folder.path)/c",
            ]
            let wanted = JSONValue.object([
                "capabilities": .object([
                    "alwaysMatch": .object([
                        "goog:chromeOptions": .object(["args": .array(arguments.map { .string($0) })])
                    ])
                ])
            ])
            // It ends with its browsers; signals of the terminal are blocked in children of the tests.
            let server = "http://127.0.0.1:\(port)"
            defer {
                if (try? Self.request("GET", server + "/shutdown", nil)) == nil {
                    kill(program.processIdentifier, SIGKILL)
                }
            }
            let answer = try request("POST", server + "/session", wanted)
            let session = try #require(answer["sessionId"]?.string)
            let browser = Browser(address: "\(server)/session/\(session)")
            defer { _ = try? Self.request("DELETE", browser.address, nil) }
            try body(browser)
        }
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    private static func request(_ method: String, _ address: String, _ body: JSONValue?) throws -> JSONValue {
        var arguments = ["--silent", "--show-error", "--max-time", "120", "--noproxy", "*", "-X", method, address]
        if let body { arguments += ["-H", "Content-Type: application/json", "--data-binary", body.text()] }
        let run = try ProgramRun.run("/usr/bin/curl", arguments)
        guard run.exitCode == 0 else { throw Failure(description: run.error) }
        let value = try JSONValue(parsing: run.output)["value"] ?? .null
        if let error = value["error"]?.string {
            throw Failure(description: "\(error): \(value["message"]?.string ?? "")")
        }
        return value
    }

    private func post(_ command: String, _ body: JSONValue) throws -> JSONValue {
        try Self.request("POST", address + "/" + command, body)
    }

    func open(_ url: String) throws { _ = try post("url", .object(["url": .string(url)])) }

    @discardableResult func execute(_ script: String) throws -> JSONValue {
        try post("execute/sync", .object(["script": .string(script), "args": .array([])]))
    }

    func number(_ expression: String) throws -> Int { Int(try execute("return " + expression).number ?? -1) }
    func text(_ expression: String) throws -> String { try execute("return " + expression).string ?? "" }
    func texts(_ expression: String) throws -> [String] {
        try execute("return " + expression).elements.compactMap(\.string)
    }

    /// The number of photographs that are shown.
    func visible() throws -> Int {
        try number("[...document.querySelectorAll('li')].filter(e => getComputedStyle(e).display != 'none').length")
    }

    func press(_ key: String) throws {
        let strokes = ["keyDown", "keyUp"].map { JSONValue.object(["type": .string($0), "value": .string(key)]) }
        let keyboard = JSONValue.object(["type": .string("key"), "id": .string("keyboard"), "actions": .array(strokes)])
        _ = try post("actions", .object(["actions": .array([keyboard])]))
    }

    func preferDark() throws {
        let feature = JSONValue.object(["name": .string("prefers-color-scheme"), "value": .string("dark")])
        _ = try post(
            "goog/cdp/execute",
            .object([
                "cmd": .string("Emulation.setEmulatedMedia"), "params": .object(["features": .array([feature])]),
            ]))
    }
}
