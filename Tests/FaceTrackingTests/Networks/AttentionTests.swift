import FaceGeometry
import LandmarkModels
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable && NetworkFolder.standard.hasAttention,
        "MediaPipe's face mesh with attention is not installed; scripts/fetch-networks fetches it"))
struct AttentionTests {
    private func eyes(isClosed: Bool, _ model: MeshLandmarkModel) throws -> (ratio: Float, estimate: LandmarkEstimate) {
        var face = DrawnFace()
        if isClosed { (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0, 0) }
        let person = try SyntheticPortrait(
            face, width: 220, height: 240, placement: DrawnFacePlacement(center: Point(110, 100), faceWidth: 160),
            quality: .samples(2), reference: Repository.referenceFace())
        let box = model.box(around: person.instance.face.landmarks)
        let estimate = try model.estimate(in: person.pixels, box: box)
        let expression = Expression(estimate.landmarks)
        return ((expression.rightEye + expression.leftEye) / 2, estimate)
    }

    /// The mesh alone leaves the lids of closed eyes open.
    @Test func closedEyesAreClosed() throws {
        let model = try MeshLandmarkModel()
        let (open, closed) = (try eyes(isClosed: false, model), try eyes(isClosed: true, model))
        #expect(open.estimate.hasExactLids && closed.estimate.hasExactLids)
        #expect(closed.ratio < 0.5 * open.ratio, "\(closed.ratio) of \(open.ratio)")
    }

    /// Where the network is not installed, the mesh finds all landmarks, and those of the rest of the face are the same.
    @Test func onlyEyesAndLipsAreRefined() throws {
        let folder = try TemporaryFolder()
        try folder.write(NetworkFolder.standard.bytes(of: .mesh), NetworkFolder.Network.mesh.rawValue)
        let plain = try eyes(isClosed: true, MeshLandmarkModel(NetworkFolder(path: folder.path)))
        let refined = try eyes(isClosed: true, MeshLandmarkModel())
        #expect(!plain.estimate.hasExactLids && plain.ratio > 1.5 * refined.ratio, "\(plain.ratio), \(refined.ratio)")
        let topology = Landmarks.topology
        for index in 0..<Landmarks.count {
            let isRefined = topology.isOnEye(index) || topology.lips.contains(index)
            let moved = (plain.estimate.landmarks[index] - refined.estimate.landmarks[index]).length
            #expect((moved > 0) == isRefined, "landmark \(index) moved by \(moved)")
        }
        #expect(plain.estimate.headPoints == refined.estimate.headPoints)
        #expect(plain.estimate.uncertainty == refined.estimate.uncertainty)
    }
}
