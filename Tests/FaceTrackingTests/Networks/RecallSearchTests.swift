import Detection
import FaceGeometry
import FaceTracking
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

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
        finder = try models.makePhotographFaces(reference: reference) { model }
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
    @Test(
        arguments: [Orientation.turnRight, .upright, .turnLeft, .upsideDown].prefix(SlowTests.areWanted ? 4 : 1),
        [2, 3])
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
    @Test(.slow) func theUsualSearchMissesProfiles() throws {
        #expect(try finder.facesAtAnyRotation(in: scene(2), minimumFaceWidth: 12).faces.isEmpty)
    }

    // MARK: Small faces

    private func smallHeads(width: Float, shift: Point = .zero) -> [FaceDrawing] {
        [Point(60, 80), Point(150, 160), Point(250, 90)].enumerated().map { index, center in
            var face = Sample.all[index].face
            face.pose = Pose(yaw: 0.2 * Float(index - 1), pitch: 0, roll: 0)
            return FaceDrawing(
                face, placement: DrawnFacePlacement(center: center + shift, faceWidth: width), reference: reference)
        }
    }

    /// A dark, noisy picture.
    private func picture(
        of drawings: [FaceDrawing], noise: Int, seed: UInt32 = 1, width: Int = 320, height: Int = 240
    ) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        picture.fill(SIMD4(120, 120, 120, 255))
        for drawing in drawings { drawing.draw(into: &picture, samples: 2) }
        var state = seed
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    for channel in 0..<3 {
                        state = state &* 1_664_525 &+ 1_013_904_223
                        let value = Int(row[x][channel]) / 2 + Int(state >> 16) % (2 * noise + 1) - noise
                        row[x][channel] = UInt8(max(0, min(255, value)))
                    }
                }
            }
        }
        return picture
    }

    /// The mesh does not know these faces. CenterFace does, and the mesh's landmarks are right.
    @Test(.slow, arguments: [Float(16), 20]) func smallFacesInNoiseAreFound(_ width: Float) throws {
        let drawings = smallHeads(width: width)
        let picture = try picture(of: drawings, noise: 30)
        var models = FaceModels()
        models.detector = .network
        let alone = try PhotographFaces(reference: reference, models: models)
        #expect(try alone.faces(in: picture, minimumFaceWidth: 10).faces.isEmpty)
        let found = try finder.faces(in: picture, minimumFaceWidth: 10).faces
        #expect(found.count == drawings.count)
        for drawing in drawings {
            let truth = FaceKeyPoints(drawing.landmarks)
            #expect(found.contains { truth.distance(to: FaceKeyPoints($0.landmarks)) < 0.15 * width })
        }
    }

    /// In a large picture, they are too small for CenterFace, too: where it sees one or two, it looks more closely.
    @Test(.slow) func aRowOfSmallFacesIsFound() throws {
        let width: Float = 15
        let drawings = (0..<10).map { index in
            var face = Sample.all[index % Sample.all.count].face
            face.pose = Pose(yaw: 0.15 * Float(index % 5 - 2), pitch: 0, roll: 0)
            let center = Point(60 + 100 * Float(index), 300 + 12 * Float(index % 3))
            // Two are larger than the others.
            let size = index % 5 == 3 ? 1.35 * width : width
            return FaceDrawing(
                face, placement: DrawnFacePlacement(center: center, faceWidth: size), reference: reference)
        }
        let picture = try picture(of: drawings, noise: 20, width: 1040, height: 780)
        let found = try finder.faces(in: picture).faces
        let right = drawings.count { drawing in
            let truth = FaceKeyPoints(drawing.landmarks)
            return found.contains { truth.distance(to: FaceKeyPoints($0.landmarks)) < 0.25 * width }
        }
        #expect(right >= 6 && found.count <= drawings.count, "\(right) of \(found.count)")
        // What hides more finds no less.
        let all = try finder.thoroughSearch(in: picture, minimumFaceWidth: 8, .balanced)
        for face in found {
            let places = all.faces.map { OrientedBox($0.box) } + all.unsure.map(\.box)
            #expect(places.contains { ($0.center - face.box.center).length < 0.5 * face.box.width })
        }
    }

    /// In nearly every frame, from the first on. Without CenterFace, one of three never is.
    @Test(.slow) func smallFacesInNoiseAreTracked() throws {
        let models = FaceModels()
        let model = try models.loadLandmarkModel(for: .frames)
        var settings = FaceTracker.Settings()
        settings.smallestFace = .pixels(12)
        let tracker = try models.makeLookAheadTracker(model: model, reference: reference, settings: settings)
        func heads(_ index: Int) -> [FaceDrawing] { smallHeads(width: 22, shift: 0.4 * Float(index) * Point(1, 0.5)) }
        var faces: [[FaceInstance]] = []
        for index in 0..<40 {
            let frame = try picture(of: heads(index), noise: 20, seed: UInt32(index + 1))
            try tracker.add(frame, at: Double(index) / 25)
            while let output = try tracker.next(isEnding: index == 39) {
                faces.append(output.faces)
                _ = output.reusedPixels()
            }
        }
        try #require(faces.count == 40 && faces[0].count == 3)
        var right = 0
        for (index, found) in faces.enumerated() {
            #expect(found.count <= 3)
            for head in heads(index) {
                let truth = FaceKeyPoints(head.landmarks)
                if found.contains(where: { truth.distance(to: FaceKeyPoints($0.face.landmarks)) < 4.4 }) { right += 1 }
            }
        }
        #expect(right >= 108, "\(right) of 120")
    }

    /// A careful search finds no less.
    @Test(.slow) func aCarefulSearchFindsThemAll() throws {
        let found = try finder.thoroughSearch(in: scene(), minimumFaceWidth: 12, .careful)
        let centers = found.faces.map(\.box.center) + found.unsure.map(\.box.center)
        for head in Self.heads {
            #expect(centers.contains { ($0 - head.center).length < 0.6 * head.width }, "\(head) \(centers)")
        }
    }
}
