import Display
import MaskEditor
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
