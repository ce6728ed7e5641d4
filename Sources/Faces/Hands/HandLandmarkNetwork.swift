import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's network of hand landmarks. It belongs to one thread at a time.
final class HandLandmarkNetwork {
    /// Why there should be a hand.
    enum Reason {
        /// There was one in the picture before.
        case known
        /// Its palm has been seen surely: a hand that moves fast is blurred, which its palm stands better than its fingers.
        case surePalm
        case palm

        /// The network is less sure of what is no hand, 0…1.
        fileprivate var leastPresence: Float {
            switch self {
            case .known: 0.4
            case .surePalm: 0.3
            case .palm: 0.5
            }
        }
    }

    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: false)
    /// The landmarks, x, y and depth each, in pixels of the input; whether there is a hand; whether it is a right one; and the
    /// landmarks in metres.
    private static let outputs = [63, 1, 1, 63]

    private let network: NeuralNetwork
    private let side: Float

    /// - Throws: `VisionError` with the path of the file.
    init(_ folder: NetworkFolder) throws(VisionError) {
        network = try folder.load(.hand)
        let inputs = network.inputShapes
        guard inputs.count == 1, inputs[0].count == 4, inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes.map({ $0.reduce(1, *) }) == Self.outputs
        else { throw folder.isNot("MediaPipe's network of hand landmarks", .hand) }
        side = Float(inputs[0][1])
    }

    /// - Parameters:
    ///   - region: the square that the hand fills by about a half, with the fingers upwards, in pixels.
    ///   - picture: grey or RGBA with 8 bits.
    ///   - reason: why there should be one.
    /// - Returns: nil if the network sees no hand, or its numbers are not finite.
    func hand(
        in region: OrientedBox, of picture: borrowing PixelBuffer, because reason: Reason
    ) throws(VisionError) -> Hand? {
        try network.fill(from: picture, square: region, range: Self.range)
        try network.run()
        let presence = network.withOutput(1) { $0[0] }
        let values = network.withOutput(0) { $0.map { $0 / side } }
        guard presence > reason.leastPresence, values.allSatisfy(\.isFinite) else { return nil }
        var (points, depths): ([Point], [Float]) = ([], [])
        for index in 0..<Hand.pointCount {
            points.append(region.origin + values[3 * index] * region.across + values[3 * index + 1] * region.down)
            depths.append(values[3 * index + 2] * region.side)
        }
        return Hand(points: points, depths: depths, presence: presence)
    }
}
