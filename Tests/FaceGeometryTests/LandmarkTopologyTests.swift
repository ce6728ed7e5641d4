import FaceGeometry
import TestSupport
import Testing

@Suite struct LandmarkTopologyTests {
    private let topology = Landmarks.topology

    @Test func describesTheLandmarksThatAreStored() throws {
        #expect(topology.count == Landmarks.count)
        #expect(topology.vertexCount == ReferenceFace.vertexCount)
        #expect(topology.cameraWeights.count == topology.count && topology.rigidWeights.count == topology.count)
        #expect(topology.mirrored.count == topology.vertexCount)
        #expect(try Repository.referenceFace().vertices.count == topology.vertexCount)
    }

    @Test func regionsCoverEachLandmarkOnce() {
        let regions = topology.jaw + topology.brows + topology.noseBridge + topology.nostrils
        let contours = [topology.rightEye, topology.leftEye, topology.outerLips, topology.innerLips]
        #expect((regions + contours.flatMap(\.outline)).sorted() == Array(0..<topology.count))
        #expect(Set(topology.inner).union(topology.jaw) == Set(0..<topology.count))
        #expect(topology.features.isDisjoint(with: topology.jaw + topology.noseBridge + topology.nostrils))
    }

    @Test func mirroringTwiceChangesNothing() throws {
        let vertices = try Repository.referenceFace().vertices
        for (index, other) in topology.mirrored.enumerated() {
            #expect(topology.mirrored[other] == index)
            // The reference face is symmetric.
            #expect((Point(1 - vertices[other].x, vertices[other].y) - vertices[index]).length < 1e-3)
            #expect(topology.isOnOutline(index) == topology.isOnOutline(other))
        }
    }

    @Test func namedPointsLieWhereTheirNamesSay() throws {
        let place = try Repository.referenceFace().landmarks
        #expect(place[topology.rightEar].x < place[topology.rightEyeOuterCorner].x)
        #expect(place[topology.rightEyeOuterCorner].x < place[topology.rightEyeInnerCorner].x)
        #expect(place[topology.rightEyeInnerCorner].x < place[topology.leftEyeInnerCorner].x)
        #expect(place[topology.leftEyeInnerCorner].x < place[topology.leftEyeOuterCorner].x)
        #expect(place[topology.leftEyeOuterCorner].x < place[topology.leftEar].x)
        #expect(place[topology.rightWing].x < place[topology.leftWing].x)
        let downwards = [
            topology.noseRoot, topology.noseTip, topology.noseBase, topology.upperLipCenter,
            topology.upperLipInnerCenter, topology.lowerLipInnerCenter, topology.lowerLipCenter, topology.chin,
        ].map { place[$0].y }
        #expect(downwards == downwards.sorted())
        for contour in [topology.rightEye, topology.leftEye, topology.outerLips, topology.innerLips] {
            for pair in contour.pairs { #expect(place[pair.upper].y < place[pair.lower].y) }
        }
    }

    @Test func jawIsMeasuredFromTheChin() {
        let last = topology.jaw.count - 1
        #expect(topology.distanceFromChin(jawPlace: 0) == 1)
        #expect(topology.distanceFromChin(jawPlace: last / 2) == 0)
        #expect(topology.distanceFromChin(jawPlace: last) == 1)
    }
}
