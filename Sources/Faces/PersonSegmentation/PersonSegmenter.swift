import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's selfie segmentation, which tells people from what is around them: a network of the kind of MobileNetV3
/// (Howard et al., "Searching for MobileNetV3", ICCV 2019) for pictures of one or two people near the camera. It belongs to
/// one thread at a time.
package final class PersonSegmenter {
    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: true)
    private let network: NeuralNetwork
    /// Of its input and its output.
    private let width, height: Int

    /// - Parameter isWide: whether it is the one for pictures of about 16 : 9, which takes half the time.
    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder, isWide: Bool = false) throws(VisionError) {
        let kind = isWide ? NetworkFolder.Network.personInWide : .person
        network = try folder.load(kind)
        let inputs = network.inputShapes
        guard inputs.count == 1, inputs[0].count == 4, isWide || inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes == [[1, inputs[0][1], inputs[0][2], 1]]
        else { throw folder.isNot("MediaPipe's selfie segmentation", kind) }
        (height, width) = (inputs[0][1], inputs[0][2])
    }

    /// Of a whole picture, whatever its proportions: it is stretched to the network's.
    /// - Parameter picture: grey or RGBA with 8 bits.
    package func matte(ofWhole picture: borrowing PixelBuffer) throws(VisionError) -> PersonMatte {
        let area = FaceBox(x: 0, y: 0, width: Float(picture.width), height: Float(picture.height))
        try network.fill(from: picture, area: area, range: Self.range)
        return try matte()
    }

    /// Of a square of a picture; beyond the picture's edge, its last pixels go on.
    /// - Parameter picture: RGBA with 8 or 16 bits.
    /// - Throws: `VisionError` or `OutOfMemory`.
    package func matte(of square: OrientedBox, in picture: borrowing PixelBuffer) throws -> PersonMatte {
        guard picture.format == .rgba16 else {
            try network.fill(from: picture, square: square, range: Self.range)
            return try matte()
        }
        let part = picture.bounds(of: square)
        guard !part.isEmpty else {
            return PersonMatte(width: 1, height: 1, alpha: [0])
        }
        var moved = square
        moved.center -= Point(Float(part.x), Float(part.y))
        try network.fill(from: picture.copy(of: part), square: moved, range: Self.range)
        return try matte()
    }

    private func matte() throws(VisionError) -> PersonMatte {
        try network.run()
        let alpha = network.withOutput(0) { values in
            // What is no number is no person.
            values.map { $0 > 0 ? UInt8(255 * min(1, $0) + 0.5) : 0 }
        }
        return PersonMatte(width: width, height: height, alpha: alpha)
    }
}

extension PixelBuffer {
    /// The pixels of the picture that a square touches; empty if there are none.
    fileprivate borrowing func bounds(of square: OrientedBox) -> PixelRectangle {
        // Turned by 45°, a square reaches farthest.
        let reach = square.side * Float(0.5).squareRoot()
        // What is no number becomes the picture's edge.
        func limited(_ value: Float, _ most: Int) -> Int { Int(max(0, min(Float(most), value))) }
        let (left, top) = (limited(square.center.x - reach, width), limited(square.center.y - reach, height))
        let right = limited((square.center.x + reach).rounded(.up), width)
        let bottom = limited((square.center.y + reach).rounded(.up), height)
        return PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }
}
