import Compositing
import FaceGeometry
import Files
import ImageFiles
import Installation
import MaskAuthoring
import MaskComposition
import MaskRendering
import Masks
import Pixels
import Sound
import Threads

/// Draws masks on sample portraits, in software on one processor. It belongs to one thread.
final class ThumbnailPainter {
    private final class Portrait {
        let landmarks: Landmarks
        let pixels: PixelBuffer

        init(landmarks: Landmarks, pixels: consuming PixelBuffer) {
            self.landmarks = landmarks
            self.pixels = pixels
        }
    }

    private let data: DataFolder
    private let reference: ReferenceFace
    private let renderer: MaskRenderer
    private var compositor: FaceCompositor
    private let masks: MaskLoader
    private let cache: ThumbnailCache?
    private let side: Int
    private var portraits: [String: Portrait] = [:]

    /// - Parameters:
    ///   - side: the width and height of thumbnails in pixels.
    ///   - stop: masks are read no further then.
    init(data: DataFolder, reference: ReferenceFace, mesh: FaceMesh, side: Int, stop: StopSignal) throws {
        (self.data, self.reference, self.side) = (data, reference, side)
        compositor = FaceCompositor(mask: nil, reference: reference, mesh: mesh)
        renderer = MaskRenderer(softwareFor: reference, mesh: mesh, threads: 1)
        masks = data.maskLoader(reference, stop: stop)
        cache = ThumbnailCache(side: side)
    }

    /// The thumbnail of an earlier run, or a new one, which is kept for the next run, or the one that the package brings.
    /// - Returns: nil if the mask cannot be loaded or drawn, and brings none.
    func thumbnail(_ request: ThumbnailThread.Request) -> ThumbnailThread.Thumbnail? {
        guard let folder = request.folder else {
            guard let mask = request.mask, let pixels = try? draw(mask) else { return nil }
            return ThumbnailThread.Thumbnail(pixels)
        }
        if let kept = cache?.kept(folder: folder) { return ThumbnailThread.Thumbnail(kept) }
        guard let mask = try? masks.load(folder: folder), let pixels = try? draw(mask) else {
            guard let pixels = packaged(folder) else { return nil }
            return ThumbnailThread.Thumbnail(pixels)
        }
        cache?.keep(pixels, folder: folder)
        return ThumbnailThread.Thumbnail(pixels)
    }

    /// The picture that the author put into a package, on the colour of the placeholders; nil: none that can be read.
    private func packaged(_ folder: FilePath) -> PixelBuffer? {
        guard
            let picture = try? PictureReader.read(
                folder / MaskLoader.thumbnailName, for: .texture, maximumSide: MaskLoader.maximumTextureSide),
            picture.pixels.format == .rgba8,
            var pixels = try? PixelBuffer(width: side, height: side, format: .rgba8)
        else { return nil }
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let scale = Float(side) / Float(max(width, height))
        let corner = Point(Float(side) - scale * Float(width), Float(side) - scale * Float(height)) / 2
        for y in 0..<side {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    let place = (Point(Float(x) + 0.5, Float(y) + 0.5) - corner) / scale
                    let isInside = place.x >= 0 && place.y >= 0 && Int(place.x) < width && Int(place.y) < height
                    row[x] = ThumbnailPlaceholder.color(
                        under: isInside
                            ? SIMD4<UInt8>(truncatingIfNeeded: picture.pixels[Int(place.x), Int(place.y)]) : .zero)
                }
            }
        }
        return pixels
    }

    private func draw(_ mask: Mask) throws -> PixelBuffer? {
        guard mask.needsAnotherFace else { return try draw(mask, on: ["ada"]) }
        // The middles of two portraits beside each other.
        guard let both = try draw(mask, on: ["ada", "chidi"]) else { return nil }
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
        compositor.mask = mask
        try compositor.compose(&frame, with: renderer)
        return frame.reusedPixels()
    }

    /// A portrait of samples/ with its landmarks, as a square of `side`.
    private func loadPortrait(_ name: String, _ framing: PreviewFraming) throws -> Portrait? {
        let path = data.path / FilePath("samples/\(name)")
        let picture = try PictureReader.read(path + ".jpg")
        let text = try FileContents.text(path + ".pts")
        guard let landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count))) else { return nil }
        let bounds = landmarks.bounds
        let whole = framing.rawValue * max(bounds.width, bounds.height)
        let corner = bounds.center - Point(whole / 2, whole * framing.above)
        let scale = Float(side) / whole
        var pixels = try PixelBuffer(width: side, height: side, format: .rgba8)
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
