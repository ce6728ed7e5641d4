import FileDialogs
import Files
import TestSupport
import Testing

/// The window's own dialog for files, by its keys.
@Suite struct FileDialogTests {
    /// What was chosen before is not in the list of a folder that is not there.
    @Test func aDialogThatOpensAgainHasNothingChosen() throws {
        let folder = try TemporaryFolder()
        let file = FilePath(try folder.write("x", "a.txt"))
        let dialog = FileDialog()
        var taken: [FilePath] = []
        func open(at place: FilePath) {
            dialog.open(FileDialog.Request(title: "Files", button: "open") { taken.append($0) }, at: place)
        }
        open(at: file.parent)
        dialog.press(.down)
        dialog.press(.escape)
        #expect(!dialog.isOpen)
        open(at: file.parent / "none")
        dialog.press(.enter)
        #expect(dialog.isOpen && taken.isEmpty)
        dialog.press(.escape)
        // Backspace goes up, as in file managers.
        try folder.write("x", "below/b.txt")
        open(at: file.parent / "below")
        dialog.press(.backspace)
        dialog.press(.enter)
        #expect(dialog.isOpen && taken.isEmpty)
        dialog.press(.down)
        dialog.press(.down)
        dialog.press(.enter)
        let expected = try #require(file.parent.resolved) / "a.txt"
        #expect(!dialog.isOpen && taken == [expected])
    }
}
