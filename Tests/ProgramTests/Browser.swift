import Foundation
import JSON
import TestSupport
import Testing

/// A session of Debian's Chromium without a window, driven through WebDriver (https://www.w3.org/TR/webdriver2/).
struct Browser {
    private static let driver = "/usr/bin/chromedriver"
    static let isPossible = SlowTests.areWanted && FileManager.default.isExecutableFile(atPath: driver)

    private let address: String

    /// - Parameter options: further options of Chromium.
    static func run(
        options: [String] = [], environment: [String: String] = [:], _ body: @escaping (Browser) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        _ = try ProgramRun.run(driver, ["--port=0"], environment: environment) { program in
            let words = "started successfully on port "
            let output = try program.wait(for: words) {
                program.outputSoFar
            } until: {
                $0.contains(words)
            }
            let port = output.components(separatedBy: words).last.map { $0.prefix { $0.isNumber } } ?? ""
            let arguments =
                ["--headless=new", "--no-sandbox", "--window-size=1280,900", "--user-data-dir=\(folder.path)/c"]
                + options
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

    /// The number of photographs that a contact sheet shows.
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
