import Display
import FileDialogs
import Files
import LiveWindow
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

    @Test func whatIsMissingIsSaidInWords() {
        func lack(_ kind: String) -> String {
            FileDialog.Request(title: "Files", button: "open", kind: kind) { _ in }.lack
        }
        #expect(lack("pictures (PNG, SVG)") == "No pictures here (PNG, SVG).")
        #expect(lack("photographs or clips") == "No photographs or clips here.")
    }

    /// Names have more than letters, and End is the last of them.
    @Test func namesAreTypedAsTheyAre() throws {
        let folder = try TemporaryFolder()
        for name in ["clips/x", "d_one.mp4", "d_two_l.mp4", "z.mp4"] { try folder.write("x", name) }
        let place = try #require(FilePath(folder.path).resolved)
        var taken: [FilePath] = []
        let dialog = FileDialog()
        func choose(_ keys: [WindowEvent.Key]) -> FilePath? {
            taken = []
            dialog.open(FileDialog.Request(title: "Files", button: "open") { taken.append($0) }, at: place)
            (keys + [.enter]).forEach(dialog.press)
            return dialog.isOpen ? nil : taken.first?.name
        }
        let name: [WindowEvent.Key] = [.letter("d"), .minus, .letter("t"), .letter("w"), .letter("o"), .minus]
        #expect(choose(name + [.letter("l"), .period]) == "d_two_l.mp4")
        #expect(choose([.end]) == "z.mp4")
        #expect(choose([.pageUp, .pageDown]) == "z.mp4")
        _ = choose([.end, .home])
        #expect(dialog.isOpen, "the first is a folder, which is entered")
    }

    /// Bauta's own recordings, which show a mask already, come behind all others.
    @Test func ownRecordingsAreListedLast() throws {
        let own = ["bauta 2026-03-01 14.05.09.mp4", "bauta 2026-03-01 14.05.09 2.png"]
        let others = ["bauta 2026-03-01.mp4", "bauta at home 3.mp4", "my bauta 2026-03-01 14.05.09.mp4", "zoo.mp4"]
        #expect(own.allSatisfy { TimedName.isOwn("/clips" / FilePath($0)) })
        #expect(!others.contains { TimedName.isOwn("/clips" / FilePath($0)) })
        let folder = try TemporaryFolder()
        for name in own + others { try folder.write("x", name) }
        var taken: [String] = []
        for place in 1...(own.count + others.count) {
            let dialog = FileDialog()
            let request = FileDialog.Request(title: "Clips", button: "open", isLast: TimedName.isOwn) {
                taken.append("\($0.name)")
            }
            dialog.open(request, at: FilePath(folder.path))
            for _ in 1...place { dialog.press(.down) }
            dialog.press(.enter)
        }
        #expect(taken == others + own.sorted())
    }

    /// Nobody has to guess which of Bauta's masks has a model; of the user's folders, each is looked into by itself.
    @Test func filesOfTheExamplesAreListedWithTheirFolders() throws {
        let folder = try TemporaryFolder()
        for name in ["hat/hat.glb", "hat/mask.json", "paint/paint.png"] { try folder.write("x", name) }
        let place = try #require(FilePath(folder.path).resolved)
        func taken(_ dialog: FileDialog) -> FilePath? {
            var taken: FilePath?
            let request = FileDialog.Request(title: "Model", button: "open", lists: { $0.fileExtension == "glb" }) {
                taken = $0
            }
            dialog.open(request, at: place)
            dialog.press(.down)
            dialog.press(.enter)
            return taken
        }
        #expect(taken(FileDialog(examples: place)) == place / "hat/hat.glb")
        #expect(taken(FileDialog()) == nil)
    }

    /// "All pictures of this folder" needs one.
    @Test func aFolderWithoutPicturesCannotBeTaken() throws {
        let folder = try TemporaryFolder()
        for name in ["clips/a.mp4", "years/2026/b.jpg"] { try folder.write("x", name) }
        let place = FilePath(folder.path)
        func isFor(_ name: FilePath, depth: Int) -> Bool {
            FileDialog.FolderButton("all", depth: depth) { $0.fileExtension == "jpg" }.isFor(place / name)
        }
        #expect(!isFor("clips", depth: 3) && !isFor("years", depth: 1) && isFor("years", depth: 2))
        func canTake(_ name: FilePath) -> Bool {
            let dialog = FileDialog()
            let button = FileDialog.FolderButton("all", depth: .max) { $0.fileExtension == "jpg" }
            dialog.open(.init(title: "Pictures", button: "open", folderButton: button) { _ in }, at: place / name)
            return dialog.canTakeFolder
        }
        #expect(!canTake("clips") && canTake("years"))
    }

    @Test func pathsAreShortenedBetweenNames() {
        let path = FilePath("/home/ada/Pictures/Summer 2026/Photographs masked")
        #expect(path.shortened(to: 60) == "\(path)")
        #expect(path.shortened(to: 36) == "…/Summer 2026/Photographs masked")
        #expect(path.shortened(to: 30) == "…/Photographs masked")
        #expect(path.shortened(to: 14).count <= 14, "a long name loses its middle")
    }

    /// As in file managers.
    @Test func severalFilesAreChosenWithCtrlAndShift() {
        var selection = FileSelection()
        #expect(selection.all.isEmpty && selection.current == nil)
        selection.choose(2)
        selection.toggle(5) { _ in true }
        #expect(selection.all == [2, 5] && selection.current == 5)
        selection.extend(to: 3) { $0 != 4 }
        #expect(selection.all == [3, 5] && selection.current == 3)
        selection.extend(to: 7) { _ in true }
        #expect(selection.all == [5, 6, 7] && selection.current == 7)
        selection.toggle(7) { _ in true }
        #expect(selection.all == [5, 6] && selection.current == 6 && !selection.contains(7))
        selection.choose(0)
        #expect(selection.all == [0])
        selection.toggle(0) { _ in true }
        #expect(selection.all.isEmpty && selection.current == nil)
    }

    /// An arrow key reaches a folder, which is not opened together with files.
    @Test func aFolderIsNotChosenWithFiles() {
        var selection = FileSelection()
        selection.choose(0)
        selection.toggle(2) { $0 != 0 }
        #expect(selection.all == [2] && selection.current == 2)
        selection.choose(0)
        selection.extend(to: 2) { $0 != 0 }
        #expect(selection.all == [1, 2] && selection.current == 2)
    }
}
