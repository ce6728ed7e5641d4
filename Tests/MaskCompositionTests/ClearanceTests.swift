import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// Props of one person do not cover the faces of others.
@Suite struct ClearanceTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    private func scenes(_ instances: [FaceInstance]) throws -> [(trackID: Int, geometry: LayerGeometry)] {
        let mask = try Repository.mask("diver")
        let picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        let list = scene.composer.drawList(mask, on: instances, in: picture)
        return list.faces.map { face in
            (face.trackID, face.calls.first { if case .scene = $0.source { true } else { false } }!.geometry)
        }
    }

    private func visibility(_ geometry: LayerGeometry, at place: Point) -> Float {
        let nearest = geometry.positions.indices.min {
            (geometry.positions[$0] - place).length < (geometry.positions[$1] - place).length
        }
        return geometry.visibility[nearest!]
    }

    @Test func helmetsLeaveTheFacesOfNeighboursFree() throws {
        let topology = Landmarks.topology
        let (left, right) = (
            scene.instance(1, scale: 140, offset: Point(60, 100)), scene.instance(2, scale: 150, offset: Point(170, 100))
        )
        for (trackID, geometry) in try scenes([left, right]) {
            let (own, other) = trackID == 1 ? (left, right) : (right, left)
            #expect(geometry.triangles.count > 2)
            for landmark in [topology.noseTip, topology.leftEyeInnerCorner, topology.rightEyeInnerCorner] {
                #expect(visibility(geometry, at: own.face.landmarks[landmark]) == 1)
                #expect(visibility(geometry, at: other.face.landmarks[landmark]) == 0)
            }
        }
    }

    /// And a face that was found twice is covered by both.
    @Test func facesApartChangeNothing() throws {
        let alone = scene.instance(1, scale: 100, offset: Point(20, 150))
        for other in [
            scene.instance(2, scale: 100, offset: Point(380, 150)), scene.instance(2, scale: 110, offset: Point(18, 148)),
        ] {
            for (_, geometry) in try scenes([alone, other]) { #expect(geometry.triangles.count == 2) }
        }
    }
}
