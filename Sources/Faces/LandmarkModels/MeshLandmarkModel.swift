import FaceGeometry
import NeuralNetworks
import Pixels
import Synchronization
import Vision

/// MediaPipe's face mesh as a landmark model, with attention where that is installed. Each thread that evaluates it at the
/// same time has a network of its own.
package final class MeshLandmarkModel: LandmarkModel {
    private let bytes: [UInt8]
    private let attention: [UInt8]?
    private let folder: NetworkFolder
    private let idle: Mutex<[FaceMeshNetwork]>

    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder = .standard) throws(VisionError) {
        bytes = try folder.bytes(of: .mesh)
        attention = folder.hasAttention ? try folder.bytes(of: .attention) : nil
        self.folder = folder
        idle = Mutex([try FaceMeshNetwork(bytes, attention: attention, from: folder)])
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> LandmarkEstimate {
        let network = try takeNetwork()
        defer { recycle(network) }
        return LandmarkEstimate(try network.estimate(in: picture, region: box.meshRegion))
    }

    package func prepare(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> PreparedEvaluation? {
        let network = try takeNetwork()
        do throws(VisionError) {
            try network.prepare(picture, region: box.meshRegion)
        } catch {
            recycle(network)
            throw error
        }
        return PreparedEvaluation(input: network, box: box)
    }

    package func recycle(_ prepared: PreparedEvaluation) {
        if let network = prepared.input as? FaceMeshNetwork { recycle(network) }
    }

    private func recycle(_ network: FaceMeshNetwork) { idle.withLock { $0.append(network) } }

    /// Tilted as the eyes are: the network sees each head upright.
    package func box(around landmarks: Landmarks) -> OrientedBox { OrientedBox(around: landmarks, uprightRoll: 0) }

    /// The face at the place of a candidate; nil if none exists.
    package func confirm(
        _ candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate? {
        let network = try takeNetwork()
        defer { recycle(network) }
        return try network.confirm(candidate, in: picture)
    }

    /// As `FaceMeshNetwork.estimate`.
    package func estimate(
        at candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> FaceMeshEstimate {
        let network = try takeNetwork()
        defer { recycle(network) }
        return try network.estimate(at: candidate, in: picture)
    }

    /// As `FaceMeshNetwork.presence`.
    package func presence(of candidate: FaceCandidate, in picture: borrowing PixelBuffer) throws(VisionError) -> Float {
        let network = try takeNetwork()
        defer { recycle(network) }
        return try network.presence(of: candidate, in: picture)
    }

    private func takeNetwork() throws(VisionError) -> FaceMeshNetwork {
        if let network = idle.withLock({ $0.popLast() }) { return network }
        return try FaceMeshNetwork(bytes, attention: attention, from: folder)
    }
}

extension LandmarkEstimate {
    package init(_ estimate: FaceMeshEstimate) {
        self.init(
            landmarks: estimate.landmarks, headPoints: estimate.headPoints, uncertainty: estimate.uncertainty,
            hasExactLids: estimate.isRefined)
    }
}
