import FaceGeometry
import Files
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's face mesh (Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs",
/// 2019), with eyes and lips from `AttentionNetwork` where that is given.
package final class FaceMeshNetwork: PreparedInput, @unchecked Sendable {  // used by one thread at a time
    private let network: NeuralNetwork
    private let attention: AttentionNetwork?
    /// The vertices with those of `attention`.
    private var refined = [Float](repeating: 0, count: 3 * FaceMeshMapping.vertexCount)
    private let side: Float
    /// The region that the input shows.
    private var region = OrientedBox(center: .zero, side: 1, roll: 0)
    /// What has been done with the input.
    private enum Progress { case prepared, found, refined }

    private var progress = Progress.prepared

    /// Without attention.
    package convenience init(_ folder: NetworkFolder) throws(VisionError) {
        try self.init(try folder.bytes(of: .mesh), attention: nil, from: folder)
    }

    /// - Parameters:
    ///   - bytes: of the file, which was read before.
    ///   - attention: of the file of the network with attention; nil: it is not used.
    init(_ bytes: [UInt8], attention: [UInt8]?, from folder: NetworkFolder) throws(VisionError) {
        network = try folder.network(bytes, of: .mesh)
        if let attention {
            self.attention = try AttentionNetwork(attention, from: folder)
        } else {
            self.attention = nil
        }
        let (inputs, outputs) = (network.inputShapes, network.outputShapes)
        let isMesh =
            inputs.count == 1 && inputs[0].count == 4 && inputs[0][1] == inputs[0][2] && inputs[0][3] == 3
            && outputs.map { $0.reduce(1, *) } == [3 * FaceMeshMapping.vertexCount, 1]
        guard isMesh else { throw folder.isNot("MediaPipe's face mesh", .mesh) }
        side = Float(inputs[0][1])
        guard self.attention?.side ?? side == side else {
            throw folder.isNot("MediaPipe's face mesh with attention", .attention)
        }
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
        progress = .prepared
        self.region = region
        try network.fill(from: picture, square: region, range: AttentionNetwork.range)
    }

    /// Evaluates the input, unless that has been done. An error comes with the result.
    package func evaluate() { try? refine() }

    /// The result for the input; evaluates it if needed.
    package func result() throws(VisionError) -> FaceMeshEstimate {
        try refine()
        return try estimate(isRefined: progress == .refined)
    }

    private func find() throws(VisionError) {
        guard progress == .prepared else { return }
        try network.run()
        progress = .found
    }

    private func refine() throws(VisionError) {
        try find()
        guard progress == .found, let attention, network.withOutput(1, { $0[0] > Self.refinedPresence }) else { return }
        try attention.evaluate(inputOf: network)
        network.withOutput(0) { vertices in
            _ = refined.withUnsafeMutableBufferPointer { $0.update(fromContentsOf: vertices) }
        }
        attention.refine(&refined)
        progress = .refined
    }

    private func estimate(isRefined: Bool) throws(VisionError) -> FaceMeshEstimate {
        let presence = network.withOutput(1) { $0[0] }
        let estimate = network.withOutput(0) { vertices in
            refined.withUnsafeBufferPointer {
                FaceMeshEstimate(
                    vertices: vertices, refined: isRefined ? $0 : nil, region: region, side: side, presence: presence)
            }
        }
        guard let estimate else { throw VisionError(.failed, "the face mesh has vertices that are not finite") }
        return estimate
    }

    /// The mesh alone.
    private func find(
        in picture: borrowing PixelBuffer, region: OrientedBox
    ) throws(VisionError) -> FaceMeshEstimate {
        try prepare(picture, region: region)
        try find()
        return try estimate(isRefined: false)
    }

    package func estimate() throws(VisionError) -> LandmarkEstimate { LandmarkEstimate(try result()) }

    /// How sure the network is that there is a face at the place of a candidate, 0…1: in the candidate's region, or in that
    /// which the mesh then takes for right.
    package func presence(of candidate: FaceCandidate, in picture: borrowing PixelBuffer) throws(VisionError) -> Float {
        let first = try find(in: picture, region: candidate.region)
        return max(first.presence, try find(in: picture, region: first.region).presence)
    }

    /// The mesh at the place of a candidate that is known to be a face.
    package func estimate(
        at candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate {
        let first = try find(in: picture, region: candidate.region)
        return try estimate(in: picture, region: first.region)
    }

    /// The face at the place of a candidate; nil if none exists.
    package func confirm(
        _ candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate? {
        let first = try find(in: picture, region: candidate.region)
        guard first.presence > Self.tryingPresence else { return nil }
        // The mesh's own region follows the eyes and the chin better than the detector's box.
        let isGood = first.presence > Self.surePresence && first.region.isSimilar(to: candidate.region)
        let second = isGood ? first : try find(in: picture, region: first.region)
        guard second.presence > Self.facePresence, second.region.side > Self.smallestRegion else { return nil }
        // A few letters or leaves can look like a face of a few pixels.
        let isSure =
            second.region.side > Self.smallRegion || second.presence > Self.surePresence
            || candidate.score > Self.sureScore
        return isSure ? try result() : nil
    }

    /// Fewer pixels of a picture do not show a face, whatever the network takes them for.
    private static let smallestRegion: Float = 20
    /// In regions of fewer pixels, detector or mesh must be sure.
    private static let smallRegion: Float = 50
    private static let sureScore: Float = 0.6
    /// The presence from which on there is a face.
    private static let facePresence: Float = 0.5
    /// Before the logistic function: attention looks at what is a face, as well as at what may be one.
    private static let refinedPresence: Float = 0
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
