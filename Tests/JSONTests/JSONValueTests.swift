import JSON
import Testing

@Suite struct JSONValueTests {
    @Test func valuesSurviveARoundTrip() throws {
        let value: JSONValue = .object([
            "name": .string("Größe \u{1} \"x\""), "list": .array([.integer(1), .number(0.25), .bool(true), .null]),
        ])
        #expect(try JSONValue(parsing: value.text()) == value)
        #expect(try JSONValue(parsing: value.text(indented: true)) == value)
    }

    @Test func wholeNumbersStayWhole() {
        #expect(JSONValue.array([.integer(640), .number(-2), .number(0.5)]).text() == "[640,-2,0.5]")
        #expect(JSONValue.number(.infinity).text() == "null")
    }

    @Test(arguments: [
        #"{"a": NaN}"#, #"{"a": 1e999}"#, #"{"a": 1, "a": 2}"#, #"{"a": 1} x"#, #"{"a": 01}"#, "", "{", "\u{FEFF}{}",
        #"["\u0000"]"#,
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: text) }
    }

    @Test func errorsSayWhere() {
        do {
            _ = try JSONValue(parsing: "{\n  \"a\": NaN\n}")
            Issue.record("NaN was accepted")
        } catch {
            #expect(error.line == 2)
            #expect("\(error)".contains("NaN"))
        }
    }

    /// Jansson adds which of its flags would allow it.
    @Test func errorsNameNoFlagsOfTheLibrary() {
        let error = #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: #"["\u0000"]"#) }
        #expect(error?.reason == #"\u0000 is not allowed"#)
    }

    @Test func deepNestingIsRefusedNotFollowed() {
        let text = String(repeating: "[", count: 200_000)
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: text) }
    }
}
