import Files
import TestSupport
import Testing

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain ~", "plain ~"), ("é 日本 👩‍👧", "é 日本 👩‍👧"), ("\u{1B}[2J", #"\x1B[2J"#), ("a\u{7F}b", #"a\x7Fb"#),
        ("\u{9B}3D", #"\xC2\x9B3D"#), ("\u{202E}x", #"\xE2\x80\xAEx"#), ("\u{2028}", #"\xE2\x80\xA8"#), ("", ""),
    ])
    func controlCharactersAreEscaped(_ text: String, _ expected: String) {
        #expect(text.printable == expected && text.printableLines == expected)
        #expect(FilePath(text).description == expected)
    }

    @Test func linesEndWhereTheProgramSays() {
        #expect("a\n\tb\r\n".printable == #"a\x0A\x09b\x0D\x0A"#)
        #expect("a\n\tb\r\n".printableLines == "a\n\tb\\x0D\n")
    }
}

@Suite struct FileNameTests {
    @Test func namesForEverySystem() {
        for name: FilePath in ["a", "é.png", ".a", "a b", "con-1", "COM", "COM10", "lpt", "…"] {
            #expect(name.isPortableName, "\(name)")
        }
        for name: FilePath in [
            "", ".", "..", "a/b", "a/", "a.", "a ", "a:b", "a\\b", "a?", "CON", "con", "nul.txt", "Com1", "LPT9.a.b",
            "\u{301}a", "a\u{7}", "a\u{202E}", FilePath(bytes: [0xFF]), FilePath(String(repeating: "a", count: 201)),
        ] { #expect(!name.isPortableName, "\(name)") }
    }

    /// Two spellings of one file, whether it is there or not.
    @Test func placesOfFiles() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", "a/file")
        let same = [file, folder.path + "//a/./file", folder.path + "/a/../a/file"]
        #expect(Set(same.map { FilePlace($0) }).count == 1)
        let new = ["/a/new/b", "/a/new/x/../b", "/a/./new//b"].map { FilePlace(folder.path + $0) }
        #expect(Set(new).count == 1 && new[0] != nil && new[0] != FilePlace(file))
        #expect(FilePlace(folder.path + "/a/new/c") != new[0])
        #expect(FilePlace("new") == FilePlace("./new") && FilePlace("new") != FilePlace("other"))
    }
}
