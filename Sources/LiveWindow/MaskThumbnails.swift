import Display
import FaceGeometry
import Files
import ImageFiles
import MaskComposition
import MaskRendering
import Masking
import Masks
import Pixels

/// The pictures in the panel from which the user chooses a mask: a sample portrait with each mask.
final class MaskThumbnails {
    /// The width and height in the panel, in the window's units. The pictures have twice as many pixels.
    static let side = 96

    private final class Portrait {
        let face: Face
        let pixels: PixelBuffer

        init(face: Face, pixels: consuming PixelBuffer) {
            self.face = face
            self.pixels = pixels
        }
    }

    private let masks: LiveMasks
    private let renderer: MaskRenderer
    private let data: DataFolder
    private let reference: ReferenceFace
    private let loader: ThumbnailLoader
    /// By index of `LiveMasks.entries`, to which masks are only appended.
    private var pictures: [Int: PanelPicture] = [:]
    /// Shown in place of thumbnails that have not been drawn yet, or cannot be.
    private lazy var placeholder = blank()
    private var portrait: Portrait?

    init(_ masks: LiveMasks, renderer: MaskRenderer, data: DataFolder, reference: ReferenceFace) {
        self.masks = masks
        self.renderer = renderer
        self.data = data
        self.reference = reference
        loader = ThumbnailLoader(masks.loader, side: 2 * Self.side)
    }

    /// To be called before the thumbnails of each frame. Masks are loaded on another thread, and at most one thumbnail is
    /// drawn per frame, so that frames are not delayed.
    func startFrame() {
        if let (index, loaded) = loader.take() {
            switch loaded {
            case .kept(let kept): pictures[index] = PanelPicture(kept.pixels)
            case .mask(let mask): pictures[index] = thumbnail(mask, of: index)
            case .nothing: pictures[index] = placeholder
            }
        }
        guard loader.isIdle, let next = masks.entries.indices.first(where: { pictures[$0] == nil }) else { return }
        if let folder = masks.entries[next].folder {
            loader.load(next, folder: folder)
        } else {
            pictures[next] = masks.entries[next].mask.map { thumbnail($0, of: next) } ?? placeholder
        }
    }

    /// The thumbnail of a mask, or a blank picture until it has been drawn.
    /// - Parameter index: of `LiveMasks.entries`.
    func picture(_ index: Int) -> PanelPicture { pictures[index] ?? placeholder }

    private func thumbnail(_ mask: Mask, of index: Int) -> PanelPicture {
        guard let pixels = try? draw(mask) else { return placeholder }
        let picture = PanelPicture(pixels)
        if let folder = masks.entries[index].folder { loader.cache?.keep(pixels, folder: folder) }
        return picture
    }

    private func blank() -> PanelPicture {
        guard let portrait = try? PixelBuffer(width: 1, height: 1, format: .rgba8) else { preconditionFailure() }
        return PanelPicture(portrait)
    }

    private func draw(_ mask: Mask) throws -> PixelBuffer? {
        if portrait == nil { portrait = try loadPortrait() }
        guard let portrait else { return nil }
        var frame = Frame(try portrait.pixels.copy(), seconds: nil, encoding: .init())
        frame.faces = [FaceInstance(face: portrait.face, trackID: 1)]
        var compositor = FaceCompositor(mask: mask)
        try compositor.compose(&frame, with: renderer)
        return frame.reusedPixels()
    }

    /// A portrait of samples/ with its landmarks: the face with forehead and some hair, as a square of twice `side`.
    private func loadPortrait() throws -> Portrait? {
        let path = data.path / "samples/ada"
        let picture = try PictureReader.read(path + ".jpg")
        let text = try FileContents.text(path + ".pts")
        guard let landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count))) else { return nil }
        let bounds = landmarks.bounds
        let whole = 1.9 * max(bounds.width, bounds.height)
        let corner = bounds.center - Point(whole / 2, whole * 0.58)
        let scale = Float(2 * Self.side) / whole
        var pixels = try PixelBuffer(width: 2 * Self.side, height: 2 * Self.side, format: .rgba8)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let place = corner + Point(Float(x) + 0.5, Float(y) + 0.5) / scale
                let column = max(0, min(picture.pixels.width - 1, Int(place.x)))
                let color = picture.pixels[column, max(0, min(picture.pixels.height - 1, Int(place.y)))]
                pixels.withMutableRow(y) { $0[x] = SIMD4<UInt8>(truncatingIfNeeded: color) }
            }
        }
        let moved = landmarks.mapped { scale * ($0 - corner) }
        return Portrait(face: Face(landmarks: moved, reference: reference), pixels: pixels)
    }
}
