import JSON
import Testing

@Suite struct Base64Tests {
    @Test func bytesSurviveARoundTrip() {
        for count in 0...9 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 67 * $0 + 200) }
            #expect(Base64.bytes(Base64.text(bytes).utf8) == bytes)
        }
        #expect(Base64.text(Array("foobar".utf8)) == "Zm9vYmFy" && Base64.text(Array("fooba".utf8)) == "Zm9vYmE=")
    }

    @Test(arguments: ["Z", "Zm9", "Zm9vYg=", "Zm=v", "Zm9 vYmE", "====", "Zm9vé==="])
    func otherTextIsRefused(_ text: String) {
        #expect(Base64.bytes(text.utf8) == nil)
    }
}
