import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// Finds the pupils of a face whose landmarks are known, and how far its eyes are open, with MediaPipe's face mesh with
/// attention. It belongs to one thread.
package final class PupilFinder {
    private let network: AttentionNetwork

    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder = .standard) throws(VisionError) { network = try AttentionNetwork(folder) }

    /// The result of the network for one eye.
    package struct Eye {
        /// The centre of the iris, also where lids hide it, in pixels.
        package var pupil: Point
        /// The height between the lids by the distance between the eye's corners: about 0.3 when open, 0.2 in a broad
        /// smile, and below 0.14 when closed.
        package var opening: Float
    }

    /// - Parameter picture: grey or RGBA with 8 bits.
    package func eyes(
        of landmarks: Landmarks, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> (right: Eye, left: Eye) {
        let region = OrientedBox(around: landmarks, uprightRoll: 0).meshRegion
        try network.evaluate(in: picture, region: region)
        let (right, left) = network.eyes
        return (try eye(right, region), try eye(left, region))
    }

    private func eye(_ found: AttentionNetwork.Eye, _ region: OrientedBox) throws(VisionError) -> Eye {
        let place = found.pupil / network.side
        guard place.x.isFinite, place.y.isFinite, found.opening.isFinite else {
            throw VisionError(.failed, "an eye of the face mesh is not finite")
        }
        return Eye(pupil: region.origin + place.x * region.across + place.y * region.down, opening: found.opening)
    }
}
