import Display
import FaceGeometry
import Files
import ImageFiles
import Masking
import Pixels

/// The pictures of the gallery: a drawn face with each mask.
final class MaskThumbnails {
    /// In pixels of the window; the pictures have twice as many.
    static let side = 96

    private final class Portrait {
        let face: Face
        let pixels: PixelBuffer

        init(face: Face, pixels: consuming PixelBuffer) {
            self.face = face
            self.pixels = pixels
        }
    }

    private unowned let session: LiveSession
    /// By the mask's name.
    private var pictures: [String: PanelPicture] = [:]
    private var portrait: Portrait?
    private var hasDrawnOne = false

    init(_ session: LiveSession) { self.session = session }

    /// At most one thumbnail is drawn in a frame, so that the window goes on.
    func startFrame() { hasDrawnOne = false }

    /// The thumbnail of a mask; nil until it has been drawn.
    /// - Parameter index: among the session's masks.
    func picture(_ index: Int) -> PanelPicture? {
        let entry = session.masks.entries[index]
        if let known = pictures[entry.name] { return known }
        guard !hasDrawnOne else { return nil }
        hasDrawnOne = true
        guard let pixels = try? draw(index) else { return nil }
        let picture = PanelPicture(pixels)
        pictures[entry.name] = picture
        return picture
    }

    private func draw(_ index: Int) throws -> PixelBuffer? {
        if portrait == nil { portrait = try Self.portrait(session) }
        guard let portrait else { return nil }
        var frame = Frame(try portrait.pixels.copy(), seconds: nil, encoding: .init())
        frame.faces = [FaceInstance(face: portrait.face, trackID: 1)]
        var compositor = FaceCompositor(mask: session.masks.mask(index))
        try compositor.compose(&frame, with: session.renderer)
        return frame.reusedPixels()
    }

    /// A face from the samples with forehead and some hair, as a square of a thumbnail's size.
    private static func portrait(_ session: LiveSession) throws -> Portrait? {
        let path = session.data.path + "/samples/ada"
        let picture = try PictureReader.read(path + ".jpg")
        let text = try FileContents.text(path + ".pts")
        guard let landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count))) else { return nil }
        let bounds = landmarks.bounds
        let whole = 1.9 * max(bounds.width, bounds.height)
        let corner = bounds.center - Point(whole / 2, whole * 0.58)
        let scale = Float(2 * side) / whole
        var pixels = try PixelBuffer(width: 2 * side, height: 2 * side, format: .rgba8)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let place = corner + Point(Float(x) + 0.5, Float(y) + 0.5) / scale
                let column = max(0, min(picture.pixels.width - 1, Int(place.x)))
                let color = picture.pixels[column, max(0, min(picture.pixels.height - 1, Int(place.y)))]
                pixels.withMutableRow(y) { $0[x] = SIMD4<UInt8>(truncatingIfNeeded: color) }
            }
        }
        let moved = landmarks.mapped { scale * ($0 - corner) }
        return Portrait(
            face: Face(landmarks: moved, reference: session.reference),
            pixels: pixels)
    }
}
