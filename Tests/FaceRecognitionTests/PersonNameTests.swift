import FaceRecognition
import Testing

@Suite struct PersonNameTests {
    @Test(arguments: ["Ada", "Ana María", "Žofie Ω", "李雷", "O'Neill: père", "a/b", String(repeating: "é", count: 50)])
    func namesAreText(_ text: String) throws { #expect(try PersonName(text).text == text) }

    @Test(arguments: [
        ("", "empty"), ("unknown", "not enrolled"), ("Unknown", "not enrolled"), ("a=b", "'='"), ("a,b", "','"),
        ("-x", "'-'"), (" a", "space"), ("a\u{A0}", "space"), ("a\nb", "invisible"),
        ("a\u{202E}b", "invisible"),
        (String(repeating: "é", count: 51), "102 bytes"),
    ])
    func othersAreRefusedWithAReason(_ text: String, _ reason: String) {
        let error = #expect(throws: PersonName.Invalid.self) { try PersonName(text) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "accepted")")
    }

    /// "é" is one character, or "e" with an accent.
    @Test func accentsMayBeEncodedInEitherWay() throws {
        #expect(try PersonName("Mari\u{0301}a") == PersonName("Mar\u{00ED}a"))
    }
}
