import Display
import Files
import Installation
import MaskEditor
import TestSupport
import Testing

/// What the editor shows of a picture, and on whom it opens the live window.
struct EditorViewTests {
    /// The picture fills its canvas as far as it reaches; one that is smaller is in the middle.
    @Test(
        arguments: [
            (Canvas.Place(0.5, 0.5), Canvas.Place(0.5, 0.5), Canvas.Place(0.5, 0.5)),
            (Canvas.Place(0.5, 0.5), Canvas.Place(0.1, 0.95), Canvas.Place(0.25, 0.75)),
            (Canvas.Place(1.2, 0.8), Canvas.Place(0.1, 0.3), Canvas.Place(0.5, 0.4)),
        ])
    func pictureFillsItsCanvas(_ part: Canvas.Place, _ wanted: Canvas.Place, _ middle: Canvas.Place) {
        let shown = PictureNavigation.filling(part, around: wanted) - middle
        #expect(abs(shown.x) < 1e-5 && abs(shown.y) < 1e-5)
    }

    /// Also with texts of twice the size, what is painted on is not tiny.
    @Test(
        arguments: [
            (1280, 800, 400), (1152, 720, 390), (866, 541, 250), (960, 540, 300), (900, 1200, 390), (640, 400, 60),
        ] as [(Float, Float, Float)]) func theTextureHasRoom(_ width: Float, _ height: Float, _ least: Float)
    {
        let layout = EditLayout(width: width, height: height)
        // Below it are its controls.
        let side = min(layout.texture.width - 16, layout.texture.height - 146)
        #expect(side > least, "\(side)")
        #expect(layout.face.x + layout.face.width <= width + 0.5 && layout.face.y + layout.face.height <= height + 0.5)
    }

    @Test func equalLayersHaveNumbers() {
        #expect(numbers(ofEqual: ["Deform", "Paint", "Deform", "Comic", "Deform"]) == [3, 1, 2, 1, 1])
    }

    @Test func habitsAreKept() throws {
        let folder = try TemporaryFolder()
        let file = ConfigurationFile(FilePath(folder.path + "/edit.json"))
        #expect(EditHabits(file) == EditHabits())
        var habits = EditHabits()
        (habits.color, habits.showsMesh) = ("#123456", false)
        habits.keep(in: file)
        #expect(EditHabits(file) == habits)
        // Written by hand.
        try file.update { $0["brushColor"] = .string("blue") }
        #expect(EditHabits(file).color == EditHabits().color && !EditHabits(file).showsMesh)
    }

    /// A camera is taken where there is one; otherwise the wearer of the editor.
    @Test func theLiveWindowShowsTheWearer() {
        func words(_ model: EditModel, hasCamera: Bool = false) -> [String] {
            model.liveArguments(person: 1, hasCamera: hasCamera)
        }
        #expect(words(.syntheticHead) == ["drawn:bruno"] && words(.photograph("/a.jpg")) == ["/a.jpg"])
        #expect(words(.clip("/a.mp4")) == ["--loop", "/a.mp4"] && words(.clip("/a.mp4"), hasCamera: true) == [])
        #expect(words(.camera("2"), hasCamera: true) == ["2"] && words(.camera(nil)) == [])
    }
}
