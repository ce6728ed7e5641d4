import FaceTracking
import Pixels

/// The strip of a photo booth: pictures below one another, on white.
package struct PhotoStrip: ~Copyable {
    /// Of each picture, in pixels.
    package static let width = 600
    private static let margin = 30

    /// `rgba8`.
    package private(set) var pixels: PixelBuffer
    private let height: Int
    private let count: Int
    private var added = 0

    /// - Parameters:
    ///   - count: how many pictures it has.
    ///   - width: of each picture as it is added, in pixels; likewise `height`. Pictures keep their shape.
    package init(count: Int, width: Int, height: Int) throws(OutOfMemory) {
        self.count = count
        self.height = max(1, Self.width * height / max(width, 1))
        pixels = try PixelBuffer(
            width: Self.width + 2 * Self.margin, height: count * (self.height + Self.margin) + Self.margin,
            format: .rgba8)
        pixels.fill(SIMD4(255, 255, 255, 255))
    }

    /// Puts a picture below the last one. There is no place for more than the strip was made for.
    /// - Throws: `VisionError` or `OutOfMemory`.
    package mutating func add(_ picture: borrowing PixelBuffer) throws {
        guard added < count else { return }
        let scaled = try picture.resized(width: Self.width, height: height)
        pixels.paste(scaled, x: Self.margin, y: Self.margin + added * (height + Self.margin))
        added += 1
    }
}
