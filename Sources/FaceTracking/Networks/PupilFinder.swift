import FaceGeometry
import Glibc
import Pixels

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
        else { throw VisionError(.modelInvalid, "\(folder.path(of: .iris)): is not MediaPipe's iris network") }
        side = Float(inputs[0][1])
    }

    /// The centres of both irises, also where lids hide them.
    /// - Parameter picture: grey or RGBA with 8 bits.
    package func pupils(of landmarks: Landmarks, in picture: borrowing PixelBuffer) throws(VisionError) -> Pupils {
        let topology = Landmarks.topology
        return Pupils(
            right: try pupil(of: topology.rightEye, landmarks, in: picture, isMirrored: false),
            // The network knows right eyes.
            left: try pupil(of: topology.leftEye, landmarks, in: picture, isMirrored: true))
    }

    private func pupil(
        of eye: LandmarkTopology.Contour, _ landmarks: Landmarks, in picture: borrowing PixelBuffer, isMirrored: Bool
    ) throws(VisionError) -> Point {
        let along = landmarks[eye.left] - landmarks[eye.right]
        let region = OrientedBox(
            center: (landmarks[eye.left] + landmarks[eye.right]) / 2, side: Self.regionScale * along.length,
            roll: atan2(along.y, along.x))
        try network.fill(from: picture, square: region, range: Self.range, isMirrored: isMirrored)
        try network.run()
        let center = network.withOutput(1) { Point($0[0], $0[1]) } / side
        guard center.x.isFinite, center.y.isFinite else {
            throw VisionError(.failed, "the iris network has a point that is not finite")
        }
        let across = isMirrored ? 1 - center.x : center.x
        return region.origin + across * region.across + center.y * region.down
    }
}
