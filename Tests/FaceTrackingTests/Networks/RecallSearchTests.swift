import Detection
import FaceGeometry
import FaceTracking
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// CenterFace beside MediaPipe's detector, in photographs in which no face may be overlooked.
@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable && NetworkFolder.standard.hasCenterFace,
        "MediaPipe's networks and CenterFace are not installed; scripts/fetch-networks fetches them"))
struct RecallSearchTests {
    private let reference: ReferenceFace
    private let finder: PhotographFaces

    init() throws {
        reference = try Repository.referenceFace()
        let models = FaceModels()
        let model = try models.loadLandmarkModel(for: .photographs)
        finder = try PhotographFaces(
            reference: reference, detector: models.makeDetector(for: .photographs),
            recallDetector: models.makeRecallDetector()
        ) { model }
    }

    private static let heads: [(center: Point, width: Float, yaw: Float)] = [
        (Point(150, 180), 110, 1.6), (Point(330, 170), 40, -1.6), (Point(420, 250), 60, 0.2),
    ]

    /// Heads on grey in the dark.
    /// - Parameter count: of `heads`; the first two are profiles.
    private func scene(_ count: Int = heads.count) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 500, height: 360, format: .rgba8)
        picture.fill(SIMD4(120, 120, 120, 255))
        for (index, head) in Self.heads.prefix(count).enumerated() {
            var face = Sample.all[index].face
            face.pose = Pose(yaw: head.yaw, pitch: 0, roll: 0)
            let placement = DrawnFacePlacement(center: head.center, faceWidth: head.width)
            FaceDrawing(face, placement: placement, reference: reference).draw(into: &picture, samples: 1)
        }
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(truncatingIfNeeded: SIMD4<UInt16>(truncatingIfNeeded: row[x]) &* 3 / 10)
                    row[x].w = 255
                }
            }
        }
        return picture
    }

    /// Each head is found once, also if the photograph lies on its side or its head.
    @Test(arguments: [Orientation.upright, .turnRight, .turnLeft, .upsideDown], [2, 3])
    func profilesAreFoundOnce(_ orientation: Orientation, count: Int) throws {
        let scene = try scene(count)
        let size = Point(Float(scene.width), Float(scene.height))
        let found = try finder.thoroughSearch(
            in: scene.turnedUpright(from: orientation), minimumFaceWidth: 12, .balanced)
        let centers = (found.faces.map(\.box.center) + found.unsure.map(\.box.center)).map {
            orientation.source(of: $0, size: size)
        }
        #expect(centers.count == count, "\(found.faces.count) faces, \(centers)")
        for head in Self.heads.prefix(count) {
            let near = centers.count { ($0 - head.center).length < 0.6 * head.width }
            #expect(near == 1, "\(head) \(centers)")
        }
    }

    /// The usual search does not find all of them: this one is needed.
    @Test func theUsualSearchMissesProfiles() throws {
        #expect(try finder.facesAtAnyRotation(in: scene(2), minimumFaceWidth: 12).faces.isEmpty)
    }

    /// A careful search finds no less.
    @Test func aCarefulSearchFindsThemAll() throws {
        let found = try finder.thoroughSearch(in: scene(), minimumFaceWidth: 12, .careful)
        let centers = found.faces.map(\.box.center) + found.unsure.map(\.box.center)
        for head in Self.heads {
            #expect(centers.contains { ($0 - head.center).length < 0.6 * head.width }, "\(head) \(centers)")
        }
    }
}
