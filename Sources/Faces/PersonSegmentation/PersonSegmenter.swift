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
        try network.run()
        let alpha = network.withOutput(0) { values in
            // What is no number is no person.
            values.map { $0 > 0 ? UInt8(255 * min(1, $0) + 0.5) : 0 }
        }
        return PersonMatte(width: width, height: height, alpha: alpha)
    }
}
