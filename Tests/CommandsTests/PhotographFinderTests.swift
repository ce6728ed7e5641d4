import Commands
import Files
import PhotographWindow
import TestSupport
import Testing

/// What is added to the window of photographs.
@Suite struct PhotographFinderTests {
    private let temporary: TemporaryFolder
    private let folder: FilePath

    init() throws {
        temporary = try TemporaryFolder()
        folder = FilePath(temporary.path).resolved ?? FilePath(temporary.path)
    }

    private func create(_ names: String...) throws {
        for name in names { try temporary.write(try SmallSample.bytes("ada"), name) }
    }

    private func find(_ inputs: [FilePath], besides opened: [FilePath] = []) throws -> PhotographSelection {
        try PhotographFinder(recursive: false, format: nil).find(inputs, besides: opened)
    }

    @Test func ofTwoPhotographsWithOneNameTheSecondIsLeftOut() throws {
        try create("one/ada.jpg", "two/ada.jpg", "two/bruno.jpg")
        let (one, two) = (folder / "one/ada.jpg", folder / "two/ada.jpg")
        let words = "The results of \(two) and \(one) would have the same name: "
        for (inputs, opened) in [([one, two], []), ([two], [one]), ([two], [folder / "one"])] {
            let found = try find(inputs, besides: opened)
            #expect(!found.inputs.contains(two) && found.refusal == words + "\(two) is left out")
        }
        let found = try find([folder / "two"], besides: [one])
        #expect(found.photographs.isEmpty && found.refusal == words + "\(folder / "two") is left out")
    }

    /// Results of an earlier run are no photographs, but own photographs among them are; a folder that is opened itself is
    /// searched whatever is in it.
    @Test func resultsAmongThePhotographsAreLeftOut() throws {
        try create("one/ada.jpg", "one/ada masked/ada.jpg", "one/more/ada.jpg", "one/2024/ada.jpg", "one/2024/sea.jpg")
        for name in ["ada masked", "2024"] as [FilePath] {
            try EarlierRun.note(folder / "one/ada.jpg", as: "ada.jpg", in: folder / "one" / name)
        }
        let finder = PhotographFinder(recursive: true, format: nil)
        let found = try finder.find([folder / "one"], besides: [])
        let photographs = ["one/ada.jpg", "one/more/ada.jpg", "one/2024/sea.jpg"]
        #expect(Set(found.photographs) == Set(photographs.map { folder / FilePath($0) }))
        #expect(try finder.find([folder / "one/ada masked"], besides: []).photographs.count == 1)
    }

    /// The dialog offers a folder exactly if something is found in it.
    @Test(arguments: [
        ("a.jpg", true), ("2026/11/29/x/a.jpg", true), ("2026/picture", true), (".hidden/a.jpg", false),
        ("a.txt", false),
    ]) func theDialogOffersTheFoldersThatAreSearched(_ name: String, _ isFound: Bool) throws {
        if isFound { try create("in/\(name)") } else { try temporary.write("x", "in/\(name)") }
        let found = try PhotographFinder(recursive: true, format: nil).find([folder / "in"], besides: [])
        #expect(found.photographs.isEmpty == !isFound)
        #expect(PhotographChooser.folderButton.isFor(folder / "in") == isFound)
    }

    /// Results of a folder's photographs have its name, also if one of them was opened before.
    @Test func resultsAreNamedAfterTheFolder() throws {
        try create("one/ada.jpg", "one/bruno.jpg")
        let (one, ada) = (folder / "one", folder / "one/ada.jpg")
        #expect(try find([ada]).base == folder / "one/ada")
        #expect(try find([ada, one]).base == one && find([one], besides: [ada]).base == one)
        #expect(try find([folder / "two"]).base == nil)
    }

    /// The name of one of several would not say what the folder holds.
    @Test func resultsOfSeveralPhotographsAreNamedAfterNone() throws {
        try create("one/ada.jpg", "one/bruno.jpg", "two/chidi.jpg")
        let (ada, bruno, two) = (folder / "one/ada.jpg", folder / "one/bruno.jpg", folder / "two")
        #expect(try find([ada, bruno]).base == folder / "one/Photographs")
        #expect(try find([bruno], besides: [ada]).base == folder / "one/Photographs")
        #expect(try find([ada, two]).base == folder / "one/Photographs")
        #expect(try find([two], besides: [folder / "one"]).base == folder / "Photographs")
    }

    @Test func whatMasksClipsIsNamed() throws {
        try temporary.write("", "holiday.MOV")
        try temporary.write("", "list.txt")
        #expect(
            try find([folder / "holiday.MOV"]).refusal == "holiday.MOV is not a photograph: 'bauta video' masks clips")
        #expect(try find([folder / "list.txt"]).refusal == "list.txt is not a photograph")
    }

    @Test func theSamePhotographIsNotLeftOut() throws {
        try create("one/ada.jpg", "one/bruno.jpg")
        let found = try find([folder / "one", folder / "one/ada.jpg"], besides: [folder / "one/bruno.jpg"])
        #expect(found.refusal == nil && found.inputs.count == 2)
    }
}
