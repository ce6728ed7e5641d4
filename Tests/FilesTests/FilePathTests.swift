import Files
import Testing

@Suite struct FilePathTests {
    /// In the eyes of `String`, the slash before a combining mark is none.
    static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}"]

    @Test(arguments: marks) func onlyTheByteOfASlashSeparates(_ mark: String) {
        let path = FilePath("../\(mark)evil")
        #expect(!"../\(mark)evil".contains(Character("/")), "the test is of no use")
        #expect(path.parts == ["..", FilePath(mark + "evil")])
        #expect(!path.staysBeneath)
        #expect(path.parent == "..")
        #expect(FilePath("a/\(mark)").name == FilePath(mark))
        #expect(FilePath("/\(mark)etc").isAbsolute)
        #expect(FilePath("a/\(mark)b").relative(to: "a") == FilePath(mark + "b"))
        #expect(FilePath(".\(mark)hidden").isHidden)
        #expect(FilePath("a.\(mark)jpg").withoutExtension == "a")
    }

    /// A shell would do the same, and no folder is called "~".
    @Test func typedPathsBeginAtHome() throws {
        let home = try #require(FilePath(environment: "HOME"))
        #expect(FilePath(typed: "~") == home && FilePath(typed: "~/") == home)
        #expect(FilePath(typed: "~/Videos/é") == home / "Videos/é")
        for other in ["", "a/~", "~user/a", "/~", "~\u{301}"] { #expect(FilePath(typed: other) == FilePath(other)) }
    }

    @Test func pathsAreEqualIfTheirBytesAre() {
        let (composed, decomposed) = ("caf\u{E9}.jpg", "cafe\u{301}.jpg")
        #expect(composed == decomposed)
        #expect(FilePath(composed) != FilePath(decomposed))
        #expect(Set([FilePath(composed), FilePath(decomposed)]).count == 2)
    }

    @Test func pathsThatStayBeneath() {
        for path: FilePath in ["a", "a/b", "..a/b..", "...", "a b/ü"] { #expect(path.staysBeneath, "\(path)") }
        for path: FilePath in ["", "/", "/a", "a/", "a//b", ".", "./a", "a/.", "..", "a/..", "a/../b", "a\0b"] {
            #expect(!path.staysBeneath, "\(path)")
        }
    }

    @Test func parts() {
        #expect(FilePath("/a//b/").parts == ["", "a", "", "b", ""])
        let parents: [(FilePath, FilePath, FilePath)] = [
            ("a", "a", ""), ("/a", "a", "/"), ("a/b", "b", "a"), ("/a/b.c", "b.c", "/a"), ("/", "/", "/"),
            ("", "", ""),
        ]
        for (path, name, parent) in parents { #expect(path.name == name && path.parent == parent, "\(path)") }
        #expect(FilePath("a/b//").name == "b")
        #expect(FilePath("a//").withoutFinalSlashes == "a" && FilePath("//").withoutFinalSlashes == "/")
        #expect(FilePath("") / "a" == "a" && FilePath("/") / "a" == "/a" && FilePath("a/") / "b" == "a/b")
        #expect(FilePath("/ab").relative(to: "/a") == nil && FilePath("/a/b/c").relative(to: "/a") == "b/c")
    }

    @Test func extensions() {
        let names: [(FilePath, String, FilePath)] = [
            ("a.JPG", "jpg", "a"), ("a.b/c", "", "a.b/c"), (".jpg", "", ".jpg"), ("d/.jpg", "", "d/.jpg"),
            ("a.", "", "a"), ("a.tar.gz", "gz", "a.tar"), ("png", "", "png"),
        ]
        for (path, ending, stem) in names {
            #expect(path.fileExtension == ending && path.withoutExtension == stem, "\(path)")
        }
    }

    /// Messages go to terminals, which obey control characters.
    @Test func messagesShowWhatIsNoText() {
        #expect(FilePath("grün €😀").description == "grün €😀")
        #expect(FilePath(bytes: [0x63, 0xE9, 0x2E, 0xC3]).description == "c\\xE9.\\xC3")
        #expect(FilePath("a\u{1B}[2J\n\u{9B}").description == "a\\x1B[2J\\x0A\\xC2\\x9B")
        #expect(FilePath(bytes: [0xE9]).string == nil && FilePath("é").string == "é")
    }

    @Test func aPathWithNULNamesNoFile() {
        #expect(FilePath("/").exists)
        #expect(!FilePath("/\0").exists && !FilePath("/tmp\0/x").exists)
    }
}
