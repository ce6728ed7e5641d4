import FaceGeometry
import Glibc
import ImageFiles
import NeuralNetworks
import Pixels
import Vision

/// A face cut out of a picture, turned upright and scaled so that eyes, nose and mouth are where the network for
/// embeddings was trained to see them.
package struct FaceChip: Sendable {
    /// In pixels.
    package static let side = 150

    /// Red, green and blue of `side` rows of as many pixels, from 0 to 255.
    package let pixels: [UInt8]
    /// How much of the finest detail that a chip can show it has: above 0.25 in focus, below 0.1 for motion blur and for
    /// faces that were magnified. The root mean square of the Laplacian in the middle of the chip, divided by the standard
    /// deviation of its brightness.
    package let sharpness: Float

    /// - Parameter picture: `rgba8` or grey with 8 bits.
    package init(_ landmarks: Landmarks, in picture: borrowing PixelBuffer) throws(VisionError) {
        let square = Self.square(around: landmarks)
        let values = try NeuralNetwork.sample(picture, square: square, side: Self.side)
        self.init(pixels: values.map { UInt8(max(0, min(255, $0.rounded()))) })
    }

    init(pixels: [UInt8]) {
        self.pixels = pixels
        sharpness = Self.sharpness(pixels)
    }

    // MARK: Alignment

    /// Where the network was trained to see landmarks, in sides of the square that its trainer cut out tightly around them:
    /// those of eyes, nose and upper lip, by their index (dlib 19, `get_face_chip_details`).
    private static let trained: [(index: Int, place: Point)] = [
        (27, Point(0.490127, 0.203352)), (28, Point(0.490127, 0.307009)), (29, Point(0.490127, 0.409805)),
        (30, Point(0.490127, 0.515625)), (31, Point(0.36688, 0.587326)), (32, Point(0.426036, 0.609345)),
        (33, Point(0.490127, 0.628106)), (34, Point(0.554217, 0.609345)), (35, Point(0.613373, 0.587326)),
        (36, Point(0.121737, 0.216423)), (37, Point(0.187122, 0.178758)), (38, Point(0.265825, 0.179852)),
        (39, Point(0.334606, 0.231733)), (40, Point(0.260918, 0.245099)), (41, Point(0.182743, 0.244077)),
        (42, Point(0.645647, 0.231733)), (43, Point(0.714428, 0.179852)), (44, Point(0.793132, 0.178758)),
        (45, Point(0.858516, 0.216423)), (46, Point(0.79751, 0.244077)), (47, Point(0.719335, 0.245099)),
        (48, Point(0.254149, 0.780233)), (49, Point(0.340985, 0.745405)), (50, Point(0.428858, 0.727388)),
        (51, Point(0.490127, 0.742578)), (52, Point(0.551395, 0.727388)), (53, Point(0.639268, 0.745405)),
        (54, Point(0.726104, 0.780233)), (60, Point(0.290379, 0.784792)), (61, Point(0.428096, 0.778746)),
        (62, Point(0.490127, 0.785343)), (63, Point(0.552157, 0.778746)), (64, Point(0.689874, 0.784792)),
    ]
    /// The margin around that square in a chip, in sides of it.
    private static let padding: Float = 0.25

    /// The square in the picture that becomes the chip.
    static func square(around landmarks: Landmarks) -> OrientedBox {
        let from = trained.map { ($0.place + padding) / (1 + 2 * padding) }
        let to = trained.map { landmarks[$0.index] }
        let weights = [Float](repeating: 1, count: trained.count)
        let placing = SimilarityTransform(fitting: from.span, to: to.span, weights: weights.span)
        let across = placing.turned(Point(1, 0))
        return OrientedBox(
            center: placing(Point(0.5, 0.5)), side: placing.scale, roll: atan2(across.y, across.x))
    }

    private static func sharpness(_ pixels: [UInt8]) -> Float {
        let side = Self.side
        // Without the corners, which show background.
        let inner = side / 5..<side - side / 5
        func grey(_ x: Int, _ y: Int) -> Float {
            let index = 3 * (y * side + x)
            return 0.299 * Float(pixels[index]) + 0.587 * Float(pixels[index + 1]) + 0.114 * Float(pixels[index + 2])
        }
        var (sum, square, detail) = (Float(0), Float(0), Float(0))
        for y in inner {
            for x in inner {
                let value = grey(x, y)
                let laplacian = 4 * value - grey(x - 1, y) - grey(x + 1, y) - grey(x, y - 1) - grey(x, y + 1)
                sum += value
                square += value * value
                detail += laplacian * laplacian
            }
        }
        let count = Float(inner.count * inner.count)
        let variance = square / count - (sum / count) * (sum / count)
        // A picture without contrast shows nothing.
        return variance > 4 ? (detail / count / variance).squareRoot() : 0
    }
}

extension FaceChip {
    /// The chip as a PNG file.
    /// - Throws: `OutOfMemory`, `PictureError`.
    package func png() throws -> [UInt8] {
        var buffer = try PixelBuffer(width: Self.side, height: Self.side, format: .rgba8)
        for y in 0..<Self.side {
            buffer.withMutableRow(y) { row in
                for x in row.indices {
                    let index = 3 * (y * Self.side + x)
                    row[x] = SIMD4(pixels[index], pixels[index + 1], pixels[index + 2], 255)
                }
            }
        }
        return try PictureWriter.encode(Picture(pixels: buffer), options: .init(format: .png), path: "face.png").bytes()
    }
}
