import FaceGeometry
import Files
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's face mesh (Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs",
/// 2019).
package final class FaceMeshNetwork: PreparedInput, @unchecked Sendable {  // used by one thread at a time
    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: true)

    private let network: NeuralNetwork
    private let side: Float
    /// The region that the input shows.
    private var region = OrientedBox(center: .zero, side: 1, roll: 0)
    /// Nil unless the input has been evaluated.
    private var outcome: Result<Void, VisionError>?

    package convenience init(_ folder: NetworkFolder) throws(VisionError) {
        try self.init(try folder.bytes(of: .mesh), from: folder)
    }

    /// - Parameter bytes: of the file, which was read before.
    package init(_ bytes: [UInt8], from folder: NetworkFolder) throws(VisionError) {
        network = try folder.network(bytes, of: .mesh)
        let (inputs, outputs) = (network.inputShapes, network.outputShapes)
        let isMesh =
            inputs.count == 1 && inputs[0].count == 4 && inputs[0][1] == inputs[0][2] && inputs[0][3] == 3
            && outputs.map { $0.reduce(1, *) } == [3 * FaceMeshMapping.vertexCount, 1]
        guard isMesh else { throw folder.isNot("MediaPipe's face mesh", .mesh) }
        side = Float(inputs[0][1])
    }

    /// Allocates nothing but what `NeuralNetwork.fill` does.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - region: about 1.5 times as large as the face from chin to hairline, upright relative to the eyes.
    package func estimate(
        in picture: borrowing PixelBuffer, region: OrientedBox
    ) throws(VisionError) -> FaceMeshEstimate {
        try prepare(picture, region: region)
        return try result()
    }

    /// Takes the input from a picture, which is not needed afterwards. Parameters as of `estimate`.
    package func prepare(_ picture: borrowing PixelBuffer, region: OrientedBox) throws(VisionError) {
        outcome = nil
        self.region = region
        try network.fill(from: picture, square: region, range: Self.range)
    }

    /// Evaluates the input, unless that has been done.
    package func evaluate() {
        guard outcome == nil else { return }
        do throws(VisionError) {
            try network.run()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
    }

    /// The result for the input; evaluates it if needed.
    package func result() throws(VisionError) -> FaceMeshEstimate {
        evaluate()
        try outcome?.get()
        let presence = network.withOutput(1) { $0[0] }
        let estimate = network.withOutput(0) {
            FaceMeshEstimate(vertices: $0, region: region, side: side, presence: presence)
        }
        guard let estimate else { throw VisionError(.failed, "the face mesh has vertices that are not finite") }
        return estimate
    }

    package func estimate() throws(VisionError) -> LandmarkEstimate { LandmarkEstimate(try result()) }

    /// How sure the network is that there is a face at the place of a candidate, 0…1: in the candidate's region, or in that
    /// which the mesh then takes for right.
    package func presence(of candidate: FaceCandidate, in picture: borrowing PixelBuffer) throws(VisionError) -> Float {
        let first = try estimate(in: picture, region: candidate.region)
        return max(first.presence, try estimate(in: picture, region: first.region).presence)
    }

    /// The mesh at the place of a candidate that is known to be a face.
    package func estimate(
        at candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate {
        let first = try estimate(in: picture, region: candidate.region)
        return try estimate(in: picture, region: first.region)
    }

    /// The face at the place of a candidate; nil if none exists.
    package func confirm(
        _ candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate? {
        let first = try estimate(in: picture, region: candidate.region)
        guard first.presence > Self.tryingPresence else { return nil }
        // The mesh's own region follows the eyes and the chin better than the detector's box.
        let isGood = first.presence > Self.surePresence && first.region.isSimilar(to: candidate.region)
        let second = isGood ? first : try estimate(in: picture, region: first.region)
        guard second.presence > Self.facePresence, second.region.side > Self.smallestRegion else { return nil }
        // A few letters or leaves can look like a face of a few pixels.
        let isSure =
            second.region.side > Self.smallRegion || second.presence > Self.surePresence
            || candidate.score > Self.sureScore
        return isSure ? second : nil
    }

    /// Fewer pixels of a picture do not show a face, whatever the network takes them for.
    private static let smallestRegion: Float = 20
    /// In regions of fewer pixels, detector or mesh must be sure.
    private static let smallRegion: Float = 50
    private static let sureScore: Float = 0.6
    /// The presence from which on there is a face.
    private static let facePresence: Float = 0.5
    /// The presence in a candidate's region from which on it is worth looking again in the mesh's own region.
    private static let tryingPresence: Float = 0.1
    /// The presence from which on one evaluation is enough if its region was already right.
    private static let surePresence: Float = 0.9
}

extension OrientedBox {
    /// Whether the mesh sees about the same in both regions.
    package func isSimilar(to other: OrientedBox) -> Bool {
        let turn = (roll - other.roll).remainder(dividingBy: 2 * Float.pi)
        return (center - other.center).length < 0.05 * side && abs(side / other.side - 1) < 0.1 && abs(turn) < 0.1
    }
}
