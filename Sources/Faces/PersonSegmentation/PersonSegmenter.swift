import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's selfie segmentation, which tells people from what is around them: a network of the kind of MobileNetV3
/// (Howard et al., "Searching for MobileNetV3", ICCV 2019) for pictures of one or two people near the camera. It belongs to
/// one thread at a time.
package final class PersonSegmenter {
    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: true)
    /// Around a face, in heights of the face: room for hair, neck and shoulders.
    private static let reach: Float = 1.8

    private let network: NeuralNetwork
    private let side: Int

    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder) throws(VisionError) {
        network = try folder.load(.person)
        let inputs = network.inputShapes
        guard inputs.count == 1, inputs[0].count == 4, inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes == [[1, inputs[0][1], inputs[0][1], 1]]
        else { throw folder.isNot("MediaPipe's selfie segmentation", .person) }
        side = inputs[0][1]
    }

    /// The square around a face in which `matte(for:in:)` tells its person from the background. A head that is tilted far is
    /// upright in it.
    package static func square(around face: Face) -> OrientedBox {
        let roll = OrientedBox(around: face.landmarks).roll
        let unit = OrientedBox(center: .zero, side: 1, roll: roll)
        let upright = FaceBox(
            around: face.vertices.map { Point(($0 * unit.across).sum(), ($0 * unit.down).sum()) })
        let center = upright.center.x * unit.across + upright.center.y * unit.down
        return OrientedBox(center: center, side: reach * max(upright.width, upright.height), roll: roll)
    }

    /// Around a face. Who else is in that part of the picture is a person, too.
    /// - Parameter picture: grey or RGBA with 8 bits.
    package func matte(for face: Face, in picture: borrowing PixelBuffer) throws(VisionError) -> PersonMatte {
        let square = Self.square(around: face)
        try network.fill(from: picture, square: square, range: Self.range)
        return try matte(origin: square.origin, across: square.across, down: square.down)
    }

    /// Of a whole picture, whatever its proportions: the network sees it as a square.
    /// - Parameter picture: grey or RGBA with 8 bits.
    package func matte(ofWhole picture: borrowing PixelBuffer) throws(VisionError) -> PersonMatte {
        let (width, height) = (Float(picture.width), Float(picture.height))
        let area = FaceBox(x: 0, y: 0, width: width, height: height)
        try network.fill(from: picture, area: area, range: Self.range)
        return try matte(origin: .zero, across: Point(width, 0), down: Point(0, height))
    }

    private func matte(origin: Point, across: Point, down: Point) throws(VisionError) -> PersonMatte {
        try network.run()
        let alpha = network.withOutput(0) { values in
            // What is no number is no person.
            values.map { $0 > 0 ? UInt8(255 * min(1, $0) + 0.5) : 0 }
        }
        return PersonMatte(origin: origin, across: across, down: down, width: side, height: side, alpha: alpha)
    }
}
