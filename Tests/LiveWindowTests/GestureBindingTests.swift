import Gestures
import JSON
import LiveControl
import LiveWindow
import Testing

/// What gestures do by the user's choice.
@Suite struct GestureBindingTests {
    private func read(_ text: String) throws -> (GestureBindings, warnings: [String]) {
        var warnings: [String] = []
        let gestures = GestureBindings(try JSONValue(parsing: text)) { warnings.append($0) }
        return (gestures, warnings)
    }

    @Test func everyGestureButTheShakeDoesSomething() {
        for gesture in Gesture.bindable { #expect(GestureBindings()[gesture] != nil) }
        #expect(GestureBindings()[.headShake] == nil)
        #expect(GestureBindings()[.eyesShut] == .cover(.toggle))
    }

    @Test func otherGesturesKeepTheirEffects() throws {
        let (gestures, warnings) = try read("{\"tiltLeft\": \"mask skull\", \"browsTwice\": null}")
        #expect(warnings.isEmpty)
        #expect(gestures[.tiltLeft] == .wear("skull") && gestures[.browsTwice] == nil)
        #expect(gestures[.tiltRight] == .next)
    }

    @Test func invalidEntriesAreReportedAndOthersCount() throws {
        let (gestures, warnings) = try read(
            """
            {"browTwice": "next", "headShake": "quit", "tiltLeft": 1, "tiltRight": "dance", "mouthOpen": "status",
             "a/b": "next", "eyesShut": "cover on"}
            """)
        #expect(gestures[.eyesShut] == .cover(.on) && gestures[.mouthOpen] == .snapshot)
        let places = ["/browTwice", "/headShake", "/tiltLeft", "/tiltRight", "/mouthOpen", "/a~1b"]
        let words = [
            "one of browsTwice", "one of", "in quotes, or null", "no command 'dance'", "prints an answer", "one of",
        ]
        #expect(warnings.count == places.count)
        for (warning, (place, word)) in zip(warnings, zip(places, words)) {
            #expect(warning.contains("'/gestures\(place)'") && warning.contains(word), "\(warning)")
        }
        #expect(try read("[]").warnings == ["'/gestures' must be an object"])
    }

    @Test func onlyChangesAreWritten() throws {
        var json = try JSONValue(parsing: "{\"gestures\": {\"tiltLeft\": \"next\", \"mine\": 1}}")
        let old = GestureBindings(try #require(json["gestures"])) { _ in }
        var new = old
        new[.mouthOpen] = nil
        new[.tiltRight] = .mask(.toggle)
        new.write(changesSince: old, into: &json)
        #expect(
            json.text()
                == "{\"gestures\":{\"tiltLeft\":\"next\",\"mine\":1,\"tiltRight\":\"mask toggle\",\"mouthOpen\":null}}")
        #expect(GestureBindings(try #require(json["gestures"])) { _ in } == new)
    }
}
