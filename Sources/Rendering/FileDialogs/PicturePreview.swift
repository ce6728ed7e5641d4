import Display
import Files
import ImageFiles
import Masks
import Pixels
import Threads

/// A small view of a picture file, read on a thread of its own, one file at a time.
final class PicturePreview {
    private struct Result: ~Copyable, Sendable {
        let path: FilePath
        /// Nil: it is no picture that can be read here.
        let pixels: PixelBuffer?
        /// Whether something else was wanted before it was done.
        let isStopped: Bool
    }

    private let results = Mailbox<Result>()
    private var wanted: FilePath?
    /// Draws files that are no pictures; nil: nobody does.
    private var drawing: Drawing?
    private var reading: (path: FilePath, stopSignal: StopSignal)?
    private var shown: (path: FilePath, picture: PanelPicture?)?
    /// Larger pictures are halved until they fit, in pixels.
    private static let largestSide = 512

    var isReading: Bool { reading != nil }

    /// Makes a picture of a file, on another thread, unless the signal stops it; nil: it cannot be shown.
    typealias Drawing = @Sendable (FilePath, StopSignal) -> PixelBuffer?

    /// - Parameters:
    ///   - path: nil: nothing.
    ///   - drawing: for files that are no pictures.
    func show(_ path: FilePath?, drawing: Drawing? = nil) {
        (wanted, self.drawing) = (path, drawing)
        if let reading, reading.path != path { reading.stopSignal.stop() }
    }

    func draw(_ canvas: Canvas) {
        update()
        guard let wanted, let shown, shown.path == wanted, let picture = shown.picture else { return }
        let size = Canvas.Place(Float(picture.width), Float(picture.height))
        let scale = min(canvas.size.x / size.x, canvas.size.y / size.y)
        canvas.checkers(at: .zero, size: scale * size, side: 8)
        canvas.picture(picture, at: .zero, size: scale * size)
    }

    private func update() {
        if let result = results.take(waiting: 0) {
            reading = nil
            if result.isStopped {
                // It says nothing about the file.
            } else if let pixels = result.pixels {
                shown = (result.path, PanelPicture(pixels))
            } else {
                shown = (result.path, nil)
            }
        }
        let isPicture = wanted.map(Self.canRead) ?? false
        guard let wanted, shown?.path != wanted, reading == nil, isPicture || drawing != nil else { return }
        let stopSignal = StopSignal()
        reading = (wanted, stopSignal)
        _ = DedicatedThread.startOrRun { [results, drawing] in
            let pixels = isPicture ? Self.read(wanted) : drawing?(wanted, stopSignal)
            _ = results.replace(Result(path: wanted, pixels: pixels, isStopped: stopSignal.isStopped))
        }
    }

    private static func canRead(_ path: FilePath) -> Bool {
        PictureFormat.isReadableName(path) || PaintedTexture.hasLayers(path)
    }

    /// Of formats that only textures have, the picture as a texture.
    static func read(_ path: FilePath) -> PixelBuffer? {
        let whole =
            PaintedTexture.hasLayers(path)
            ? try? PaintedTexture.preview(path) : try? PictureReader.read(path).pixels.withEightBits()
        guard var pixels = whole else { return nil }
        while max(pixels.width, pixels.height) > largestSide {
            guard let half = try? pixels.halved() else { return nil }
            pixels = half
        }
        return pixels
    }
}
