import FaceGeometry
import Pixels

/// Detects cuts to another scene by comparing reduced pictures of successive frames.
package struct SceneCutDetector: ~Copyable {
    /// Whether the last frame belongs to another scene than the frame before.
    package private(set) var isCut = false

    /// 32 × 18 pixels of the last frame.
    private var signature = InlineArray<576, UInt8>(repeating: 0)
    private var hasSignature = false
    /// The running mean of the difference between successive frames of this scene, in grey values.
    private var usualDifference: Float = 2

    package init() {}

    /// Takes the next frame, grey or RGBA with 8 bits. A cut changes the brightness nearly everywhere, and far more than
    /// it changes from frame to frame within the scene.
    package mutating func watch(_ picture: borrowing PixelBuffer) {
        let new = Self.signature(of: picture)
        defer {
            signature = new
            hasSignature = true
        }
        isCut = false
        guard hasSignature else { return }
        var (sum, changed) = (0, 0)
        for index in new.indices {
            let difference = abs(Int(new[index]) - Int(signature[index]))
            sum += difference
            if difference > 20 { changed += 1 }
        }
        let mean = Float(sum) / Float(new.count)
        isCut = mean > 18 && mean > 6 * usualDifference && changed > new.count * 2 / 5
        if !isCut { usualDifference += 0.1 * (mean - usualDifference) }
    }

    private static func signature(of picture: borrowing PixelBuffer) -> InlineArray<576, UInt8> {
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let channels = picture.format.bytesPerPixel
        return picture.withUnsafeBytes { bytes in
            InlineArray { (index: Int) -> UInt8 in
                let x: Int = (2 * (index % 32) + 1) * width / 64
                let y: Int = (2 * (index / 32) + 1) * height / 36
                // The green channel approximates brightness.
                let channel = channels > 1 ? 1 : 0
                return bytes[y * stride + x * channels + channel]
            }
        }
    }
}
