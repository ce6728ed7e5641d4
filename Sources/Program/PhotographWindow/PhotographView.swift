import Display
import Files
import Pixels

/// The photograph in the window, as it is and with masks. The user can magnify and move it.
final class PhotographView {
    /// The one that is shown; nil: none is.
    private(set) var photograph: FilePath?
    /// Whether it is shown as it is, though masks are drawn on it.
    var showsOriginal = false
    /// Whether the user has magnified it, so that it needs more pixels.
    private(set) var isClose = false
    private var (original, masked): (PanelPicture?, PanelPicture?)
    var hasPicture: Bool { original != nil || masked != nil }
    private var navigation = PictureNavigation()

    /// The longer side of each photograph at a zoom of 1, however many pixels it has, in the window's units.
    private static let side: Float = 1000

    /// Shows a photograph as it is; with masks, if it has got them already.
    /// - Parameter pixels: nil: it cannot be read.
    func show(_ photograph: FilePath, original pixels: ShownPhotograph?) {
        begin(photograph)
        original = pixels.map { PanelPicture($0.pixels, for: .photograph) }
    }

    func show(_ photograph: FilePath, masked pixels: ShownPhotograph) {
        begin(photograph)
        masked = PanelPicture(pixels.pixels, for: .photograph)
    }

    /// Nothing can be drawn on the photograph.
    func showUnmasked() { masked = nil }

    private func begin(_ photograph: FilePath) {
        if photograph != self.photograph { (original, masked) = (nil, nil) }
        self.photograph = photograph
    }

    /// Another photograph is to come, all of it in sight.
    func leave() {
        fit()
        isClose = false
    }

    func clear() {
        leave()
        (photograph, original, masked) = (nil, nil, nil)
    }

    func zoom(by notches: Float) { navigation.zoom(by: notches) }
    /// Brings all of the photograph in sight.
    func fit() { navigation.showAll() }

    /// Draws the photograph in the room beside the panel.
    /// - Parameter isOriginal: whether without masks.
    func draw(_ panels: Panels, isOriginal: Bool) {
        guard let picture = isOriginal ? original ?? masked : masked ?? original else { return }
        let (window, left) = (panels.windowSize, panels.roomLeft)
        let (width, height) = (window.width - left, window.height)
        panels.area("photograph", x: left, y: 0, width: width, height: height) {
            panels.canvas("photograph", width: width, height: height) { canvas in
                let pixels = Canvas.Place(Float(picture.width), Float(picture.height))
                let size = Self.side / pixels.max() * pixels
                let view = navigation.navigate(canvas, size: size, isForLooking: true)
                canvas.picture(picture, at: view.corner, size: view.scale * size)
            }
        }
        if navigation.zoom != nil { isClose = true }
        if isOriginal, masked != nil { panels.overlay("original", "Original", x: 0.97, y: 0.03) }
    }
}
