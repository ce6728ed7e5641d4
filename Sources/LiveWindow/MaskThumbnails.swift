import Display
import FaceGeometry
import Files
import ImageFiles
import MaskAuthoring
import MaskComposition
import MaskRendering
import Masking
import Masks
import Pixels
import Sound

/// The pictures in the panel from which the user chooses a mask: a sample portrait with each mask.
final class MaskThumbnails {
    /// The width and height in the panel, in the window's units. The pictures have twice as many pixels.
    static let side = 96

    private final class Portrait {
        let landmarks: Landmarks
        let pixels: PixelBuffer

        init(landmarks: Landmarks, pixels: consuming PixelBuffer) {
            self.landmarks = landmarks
            self.pixels = pixels
        }
    }

    private let masks: LiveMasks
    /// What masks are drawn with now.
    private let renderer: () -> MaskRenderer
    private let data: DataFolder
    private let reference: ReferenceFace
    private let loader: ThumbnailLoader
    /// By index of `LiveMasks.entries`, to which masks are only appended.
    private var pictures: [Int: PanelPicture] = [:]
    /// Shown in place of thumbnails that have not been drawn yet, or cannot be.
    private lazy var placeholder = blank()
    private var portraits: [String: Portrait] = [:]

    init(_ masks: LiveMasks, renderer: @escaping () -> MaskRenderer, data: DataFolder, reference: ReferenceFace) {
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
        guard mask.needsAnotherFace else { return try draw(mask, on: ["ada"]) }
        // The middles of two portraits beside each other.
        guard let both = try draw(mask, on: ["ada", "chidi"]) else { return nil }
        let side = both.height
        var pixels = try PixelBuffer(width: side, height: side, format: .rgba8)
        for y in 0..<side {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(truncatingIfNeeded: both[x < side / 2 ? x + side / 4 : x + 3 * side / 4, y])
                }
            }
        }
        return pixels
    }

    /// The mask on portraits beside each other.
    private func draw(_ mask: Mask, on names: [String]) throws -> PixelBuffer? {
        let side = 2 * Self.side
        let framing = PreviewFraming(mask)
        var pixels = try PixelBuffer(width: side * names.count, height: side, format: .rgba8)
        var faces: [FaceInstance] = []
        for (place, name) in names.enumerated() {
            let key = "\(name) \(framing)"
            if portraits[key] == nil { portraits[key] = try loadPortrait(name, framing) }
            guard let portrait = portraits[key] else { return nil }
            for y in 0..<side {
                pixels.withMutableRow(y) { row in
                    for x in 0..<side { row[side * place + x] = SIMD4(truncatingIfNeeded: portrait.pixels[x, y]) }
                }
            }
            let landmarks = portrait.landmarks.mapped { $0 + Point(Float(side * place), 0) }
            faces.append(FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: place + 1))
        }
        var frame = Frame(pixels, seconds: nil, encoding: .init())
        frame.faces = faces
        frame.sound = .example
        var compositor = FaceCompositor(mask: mask)
        try compositor.compose(&frame, with: renderer())
        return frame.reusedPixels()
    }

    /// A portrait of samples/ with its landmarks, as a square of twice `side`.
    private func loadPortrait(_ name: String, _ framing: PreviewFraming) throws -> Portrait? {
        let path = data.path / FilePath("samples/\(name)")
        let picture = try PictureReader.read(path + ".jpg")
        let text = try FileContents.text(path + ".pts")
        guard let landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count))) else { return nil }
        let bounds = landmarks.bounds
        let whole = framing.rawValue * max(bounds.width, bounds.height)
        let corner = bounds.center - Point(whole / 2, whole * framing.above)
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
        return Portrait(landmarks: moved, pixels: pixels)
    }
}
