import FaceTracking
import Files
import ImageFiles
import Pixels

/// The safe key: the whole picture is blurred at once, or replaced by a still one, in the window and for every output.
struct Cover {
    /// Whether the picture is covered.
    private(set) var isOn: Bool
    /// When it has been covered; nil: it is not, or the outputs have had a covered picture.
    private var since: ContinuousClock.Instant?
    /// Nil: what is covered is blurred.
    private let picture: CoverPicture?

    /// How long a covered picture waits for the source's next frame, in seconds.
    private static let patience = 0.1

    init(isOn: Bool, picture: CoverPicture?) { (self.isOn, self.picture) = (isOn, picture) }

    mutating func set(isOn: Bool) {
        if isOn, !self.isOn { since = .now }
        if !isOn { since = nil }
        self.isOn = isOn
    }

    /// Whether the outputs show a picture that must be covered.
    var isAwaited: Bool { since != nil }
    /// The same, for so long that the source does not seem to give a frame to cover.
    var isOverdue: Bool { since.map { .now - $0 > .seconds(Self.patience) } ?? false }
    var replacesPicture: Bool { picture != nil }

    /// The outputs have had a frame.
    mutating func noteOutput() { since = nil }

    /// Covers a frame if that is on.
    /// - Throws: `OutOfMemory`.
    func apply(to frame: inout PixelBuffer) throws {
        guard isOn else { return }
        if let picture { try picture.fill(&frame) } else { frame.makeUnrecognisable() }
    }

    /// A covered picture that shows nothing of any frame, `rgba8`.
    /// - Throws: `OutOfMemory`.
    func blank(width: Int, height: Int) throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        if let picture { try picture.fill(&pixels) } else { pixels.fill(CoverPicture.background) }
        return pixels
    }
}

/// A still picture that takes the place of the frames while everything is covered.
final class CoverPicture {
    static let background = SIMD4<UInt8>(40, 40, 44, 255)

    private let picture: PixelBuffer
    /// The picture at the size of the last frame.
    private var filled: PixelBuffer

    /// In pixels. Frames are smaller.
    private static let largestSide = 8192

    /// - Throws: `PictureError`, also for a picture of more than 8192 pixels a side, or `OutOfMemory`.
    init(_ path: FilePath) throws {
        var pixels = try PictureReader.read(path, maximumSide: Self.largestSide).pixels.withEightBits()
        for y in 0..<pixels.height {
            pixels.withMutableRow(y) { row in
                for x in row.indices where row[x].w < 255 {
                    let alpha = Float(row[x].w) / 255
                    row[x] = SIMD4<UInt8>(
                        truncating: alpha * SIMD4<Float>(row[x]) + (1 - alpha) * SIMD4<Float>(Self.background) + 0.5)
                    row[x].w = 255
                }
            }
        }
        picture = pixels
        filled = try PixelBuffer(width: 1, height: 1, format: .rgba8)
    }

    /// Replaces a frame, `rgba8`, by the whole picture, as large as it fits, with bars beside or above it.
    /// - Throws: `OutOfMemory`.
    func fill(_ frame: inout PixelBuffer) throws {
        if filled.width != frame.width || filled.height != frame.height {
            let scale = min(Float(frame.width) / Float(picture.width), Float(frame.height) / Float(picture.height))
            let width = max(1, min(frame.width, Int((scale * Float(picture.width)).rounded())))
            let height = max(1, min(frame.height, Int((scale * Float(picture.height)).rounded())))
            let scaled = try picture.resized(width: width, height: height)
            var whole = try PixelBuffer(width: frame.width, height: frame.height, format: .rgba8)
            whole.fill(Self.background)
            let (left, top) = ((frame.width - width) / 2, (frame.height - height) / 2)
            for y in 0..<height {
                scaled.withRow(y) { source in
                    whole.withMutableRow(top + y) { row in for x in source.indices { row[left + x] = source[x] } }
                }
            }
            filled = whole
        }
        for y in 0..<frame.height {
            filled.withRow(y) { source in
                frame.withMutableRow(y) { row in for x in source.indices { row[x] = source[x] } }
            }
        }
    }
}
