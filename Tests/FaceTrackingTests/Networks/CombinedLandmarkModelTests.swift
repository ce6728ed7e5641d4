import FaceGeometry
import FaceTracking
import ImageFiles
import LandmarkModels
import NeuralNetworks
import Pixels
import TestSupport
import Testing
import Threads

@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct CombinedLandmarkModelTests {
    private let mesh: MeshLandmarkModel
    private let cascade: LandmarkCascade
    private let both: CombinedLandmarkModel

    init() throws {
        mesh = try MeshLandmarkModel()
        cascade = try LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath)
        both = CombinedLandmarkModel(mesh: mesh, cascade: cascade)
    }

    /// On a face that looks ahead, both agree, and their mean counts; the mesh says that it is a face. A synthetic face
    /// is not quite like any that the models know, so they agree a little less.
    @Test func theMeanWhereBothAgree() throws {
        let photograph = try PictureReader.read("\(Repository.root)/samples/ada.jpg").pixels.copy()
        let faces = try PhotographFaces(reference: Repository.referenceFace()) { [mesh] in mesh }
        let face = try #require(try faces.faces(in: photograph).faces.first)
        let box = mesh.box(around: face.landmarks)
        let found = try both.estimate(in: photograph, box: box)
        let (one, other) = (
            try mesh.estimate(in: photograph, box: box), try cascade.landmarks(in: photograph, box: upright(box))
        )
        #expect(found.uncertainty == one.uncertainty && found.headPoints == one.headPoints)
        let isRefined = NetworkFolder.standard.hasAttention
        #expect(one.hasExactLids == isRefined && found.hasExactLids == isRefined)
        // What attention has found is not averaged with the cascade's.
        let (exact, averaged) = (0..<Landmarks.count).reduce(into: ([Int](), [Int]())) { lists, index in
            if isRefined, Landmarks.topology.isOnEye(index) { lists.0.append(index) } else { lists.1.append(index) }
        }
        for index in exact { #expect(found.landmarks[index] == one.landmarks[index]) }
        let differences = averaged.map { other[$0] - one.landmarks[$0] }
        let moves = averaged.map { found.landmarks[$0] - one.landmarks[$0] }
        let share =
            zip(moves, differences).reduce(Float(0)) { $0 + ($1.0 * $1.1).sum() }
            / differences.reduce(Float(0)) { $0 + ($1 * $1).sum() }
        #expect(share > 0.2 && share < 0.501, "\(share)")
        for (move, difference) in zip(moves, differences) { #expect((move - share * difference).length < 0.01) }
    }

    /// What the mesh finds in a frame is the same if it is evaluated when the frame's memory has been overwritten.
    @Test(arguments: [false, true]) func theRestMayComeLater(onAnotherThread: Bool) throws {
        var picture = try PictureReader.read("\(Repository.root)/samples/photograph/astronaut.jpg").pixels.copy()
        let faces = try PhotographFaces(reference: Repository.referenceFace()) { [mesh] in mesh }
        let face = try #require(try faces.faces(in: picture).faces.first)
        let box = both.box(around: face.landmarks)
        var memory = LandmarkMemory()
        for _ in 0..<8 { _ = try both.estimate(in: picture, box: box, expected: nil, memory: &memory) }
        let whole = try both.estimate(in: picture, box: box)
        let rested = try both.estimate(in: picture, box: box, expected: whole.landmarks, memory: &memory)
        #expect(!rested.isWhole && rested.uncertainty == nil)
        let part = try #require(rested.part)
        let prepared = try #require(try both.prepare(in: picture, box: box))
        picture.fill(SIMD4(repeating: 0))
        if onAnotherThread { try DedicatedThread.start { prepared.evaluate() }.join() }
        #expect(try both.complete(prepared, with: part, memory: &memory) == whole)
        both.recycle(prepared)
        #expect(try cascade.prepare(in: picture, box: box) == nil)
    }

    /// The synthetic heads are tilted by less than what the cascade knows.
    private func upright(_ box: OrientedBox) -> OrientedBox {
        OrientedBox(center: box.center, side: box.side, roll: 0)
    }

    /// Where they do not agree, the mesh counts alone.
    @Test func theMeshWhereTheyDoNot() throws {
        var wall = try PixelBuffer(width: 200, height: 200, format: .rgba8)
        for y in 0..<200 {
            wall.withMutableRow(y) { row in
                for x in 0..<200 {
                    row[x] = (x / 7 + y / 11) % 2 == 0 ? SIMD4(40, 60, 50, 255) : SIMD4(200, 180, 160, 255)
                }
            }
        }
        let box = OrientedBox(center: Point(100, 100), side: 110, roll: 0)
        let found = try both.estimate(in: wall, box: box)
        #expect(found == (try mesh.estimate(in: wall, box: box)))
        #expect(try #require(found.uncertainty) > 0.08)
    }
}
