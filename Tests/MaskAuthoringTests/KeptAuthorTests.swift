import Files
import Installation
import JSON
import MaskAuthoring
import TestSupport
import Testing

/// What is kept of authors for the next masks.
struct KeptAuthorTests {
    private let folder: TemporaryFolder
    private let file: ConfigurationFile

    init() throws {
        folder = try TemporaryFolder()
        file = ConfigurationFile(FilePath(folder.path + "/author.json"))
    }

    @Test func masksWithoutAnAuthorAreKnownLater() throws {
        var kept = try KeptAuthor(file)
        #expect(!kept.isWithoutAuthor("/masks/a"))
        try kept.keepWithoutAuthor("/masks/a")
        try kept.keep(author: "A. Painter", license: "CC0-1.0")
        try kept.keepWithoutAuthor("/masks/a")
        let later = try KeptAuthor(file)
        #expect(later.isWithoutAuthor("/masks/a") && !later.isWithoutAuthor("/masks/b"))
        #expect(later.author == "A. Painter" && later.license == "CC0-1.0")
    }

    /// Names that look alike may be two folders.
    @Test func pathsAreBytes() throws {
        var kept = try KeptAuthor(file)
        try kept.keepWithoutAuthor("/masks/caf\u{E9}")
        let later = try KeptAuthor(file)
        #expect(later.isWithoutAuthor("/masks/caf\u{E9}") && !later.isWithoutAuthor("/masks/cafe\u{301}"))
    }

    @Test func theNewestTwoHundredAreKept() throws {
        var kept = try KeptAuthor(file)
        for number in 0...200 { try kept.keepWithoutAuthor(FilePath("/masks/\(number)")) }
        let later = try KeptAuthor(file)
        #expect(!later.isWithoutAuthor("/masks/0"))
        #expect(later.isWithoutAuthor("/masks/1") && later.isWithoutAuthor("/masks/200"))
    }
}
