import CVision
import Pixels

/// Separating a picture into foreground and background (Rother, Kolmogorov & Blake, "GrabCut: Interactive Foreground
/// Extraction using Iterated Graph Cuts", SIGGRAPH 2004), with OpenCV.
package enum GrabCut {
    /// The prior knowledge about a pixel. The values are OpenCV's.
    package enum Label: UInt8, Sendable {
        case background = 0
        case foreground = 1
        case probablyBackground = 2
        case probablyForeground = 3

        package var isForeground: Bool { self == .foreground || self == .probablyForeground }
    }

    /// Decides the pixels that are probably one or the other, by the distributions of colours on both sides and the edges
    /// between pixels.
    /// - Parameters:
    ///   - picture: `rgba8`.
    ///   - labels: one per pixel, row by row.
    /// - Returns: for each pixel whether it is foreground. Labels with only one of both come back as they are.
    package static func foreground(
        in picture: borrowing PixelBuffer, labels: [Label], iterations: Int = 4
    ) throws(VisionError) -> [Bool] {
        precondition(picture.format == .rgba8 && labels.count == picture.width * picture.height)
        let initial = labels.map(\.isForeground)
        guard initial.contains(true), initial.contains(false) else { return initial }
        var bytes = labels.map(\.rawValue)
        var status = cvision_status()
        let width = picture.width
        let isDone = picture.withVisionImage { image in
            bytes.withUnsafeMutableBufferPointer {
                cvision_grab_cut(image, $0.baseAddress, width, Int32(iterations), &status)
            }
        }
        guard isDone else { throw VisionError(status) }
        return bytes.map { Label(rawValue: $0)?.isForeground ?? false }
    }
}
