import FaceGeometry
import Glibc
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's iris network (Ablavatski et al., "Real-time Pupil Tracking from Monocular Video for Digital Puppetry",
/// 2020): finds the pupils of a face whose landmarks are known. It belongs to one thread.
package final class PupilFinder {
    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: true)
    /// The side of the square around an eye, in distances between its corners, as in MediaPipe's graph.
    private static let regionScale: Float = 2.3
    /// The network's outputs: 71 points of lids and brow, and 5 of the iris, its centre first; x, y and depth each.
    private static let outputs = [213, 15]

    private let network: NeuralNetwork
    private let side: Float

    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder = .standard) throws(VisionError) {
        network = try folder.load(.iris)
        let inputs = network.inputShapes
        guard inputs.count == 1, inputs[0].count == 4, inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes.map({ $0.reduce(1, *) }) == Self.outputs
        else { throw folder.isNot("MediaPipe's iris network", .iris) }
        side = Float(inputs[0][1])
    }

    /// The result of the network for one eye.
    package struct Eye {
        /// The centre of the iris, also where lids hide it, in pixels.
        package var pupil: Point
        /// The height between the lids by the distance between the eye's corners: about 0.35 when open, 0.2 in a broad
        /// smile, and below 0.17 when closed.
        package var opening: Float
    }

    /// - Parameter picture: grey or RGBA with 8 bits.
    package func eyes(
        of landmarks: Landmarks, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> (right: Eye, left: Eye) {
        let topology = Landmarks.topology
        return (
            try eye(topology.rightEye, landmarks, in: picture, isMirrored: false),
            // The network knows right eyes.
            try eye(topology.leftEye, landmarks, in: picture, isMirrored: true)
        )
    }

    private func eye(
        _ eye: LandmarkTopology.Contour, _ landmarks: Landmarks, in picture: borrowing PixelBuffer, isMirrored: Bool
    ) throws(VisionError) -> Eye {
        let along = landmarks[eye.left] - landmarks[eye.right]
        let region = OrientedBox(
            center: (landmarks[eye.left] + landmarks[eye.right]) / 2, side: Self.regionScale * along.length,
            roll: atan2(along.y, along.x))
        try network.fill(from: picture, square: region, range: Self.range, isMirrored: isMirrored)
        try network.run()
        let center = network.withOutput(1) { Point($0[0], $0[1]) } / side
        let opening = network.withOutput(0, Self.opening)
        guard center.x.isFinite, center.y.isFinite, opening.isFinite else {
            throw VisionError(.failed, "the iris network has a point that is not finite")
        }
        let across = isMirrored ? 1 - center.x : center.x
        return Eye(pupil: region.origin + across * region.across + center.y * region.down, opening: opening)
    }

    /// Points 0 to 8 are the lower lid from the outer to the inner corner, 9 to 15 the upper lid without the corners.
    private static func opening(_ numbers: UnsafeBufferPointer<Float>) -> Float {
        func point(_ index: Int) -> Point { Point(numbers[3 * index], numbers[3 * index + 1]) }
        let heights = (3...5).reduce(Float(0)) { $0 + (point($1) - point($1 + 8)).length }
        return heights / (3 * max((point(8) - point(0)).length, 1e-3))
    }
}
