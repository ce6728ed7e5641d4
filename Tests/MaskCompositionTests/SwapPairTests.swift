import FaceGeometry
import Glibc
import MaskComposition
import Masks
import Occlusion
import Pixels
import TestSupport
import Testing

/// Who swaps faces with whom.
@Suite struct SwapPairTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    /// A face in the left of the picture, and one in the right.
    private var left: FaceInstance { scene.instance(1, scale: 200, offset: Point(20, 100)) }
    private var right: FaceInstance { scene.instance(2, scale: 200, offset: Point(270, 100)) }

    /// Who shows whom, by track ID.
    private func shown(
        _ people: [FaceInstance], occluders: [Int: OcclusionMatte] = [:], at seconds: Double? = nil,
        in picture: borrowing PixelBuffer
    ) -> [Int: Int] {
        let list = scene.composer.drawList(
            scene.mask([scene.warp(.otherFace)]), on: people, occluders: occluders, at: seconds, in: picture)
        return Dictionary(
            uniqueKeysWithValues: list.faces.map { face in
                guard case .capture(let trackID, _) = face.calls[0].source else { return (face.trackID, 0) }
                return (face.trackID, trackID)
            })
    }

    private func skin() throws -> PixelBuffer { try plain(500, 400, SIMD4(180, 140, 120, 255)) }

    /// Paints a rectangle of canonical UV on the left face.
    private func paint(_ picture: inout PixelBuffer, _ low: Point, _ high: Point, _ color: SIMD4<UInt8>) {
        let (first, last) = (Point(20, 100) + 200 * low, Point(20, 100) + 200 * high)
        for y in Int(first.y)..<max(Int(first.y) + 1, Int(last.y)) {
            picture.withMutableRow(y) { row in for x in Int(first.x)..<Int(last.x) { row[x] = color } }
        }
    }

    /// What grows on a face, is worn on it, or hangs over it, would be given with it.
    @Test func hairAndGlassesAreNotGiven() throws {
        let dark = SIMD4<UInt8>(50, 40, 35, 255)
        #expect(shown([left, right], in: try skin()) == [1: 2, 2: 1])
        let (marks, topology) = (scene.reference.landmarks, Landmarks.topology)
        let (nose, lip) = (marks[topology.noseBase].y, marks[topology.upperLipCenter].y)
        var moustache = try skin()
        paint(&moustache, Point(0.38, nose + 0.01), Point(0.62, lip), dark)
        #expect(shown([left, right], in: moustache).isEmpty)
        let brows = topology.brows.map { marks[$0].y }.min() ?? 0
        var fringe = try skin()
        paint(&fringe, Point(0.2, brows - 0.25), Point(0.8, brows - 0.02), dark)
        #expect(shown([left, right], in: fringe).isEmpty)
        let eyes = marks[topology.rightEyeInnerCorner].y
        var glasses = try skin()
        paint(&glasses, Point(0.3, eyes - 0.01), Point(0.7, eyes + 0.01), dark)
        #expect(shown([left, right], in: glasses).isEmpty)
        // Of a thin frame that shines, the lower rims are seen, too.
        let bright = SIMD4<UInt8>(215, 180, 165, 255)
        var shining = try skin()
        paint(&shining, Point(0.3, eyes), Point(0.7, eyes + 0.01), bright)
        #expect(shown([left, right], in: shining) == [1: 2, 2: 1])
        let below = topology.rightEye.lower.map { marks[$0].y }.max() ?? 0
        paint(&shining, Point(0.25, below + 0.07), Point(0.75, below + 0.08), bright)
        #expect(shown([left, right], in: shining).isEmpty)
    }

    @Test func coveredAndCutFacesAreNotGiven() throws {
        let box = FaceBox(x: 20 + 200 * 0.3, y: 100 + 200 * 0.2, width: 200 * 0.4, height: 200 * 0.4)
        let matte = OcclusionMatte(box: box, width: 1, height: 1, alpha: [255])
        #expect(shown([left, right], occluders: [1: matte], in: try skin()).isEmpty)
        let cut = scene.instance(1, scale: 200, offset: Point(-100, 100))
        #expect(shown([cut, right], in: try skin()).isEmpty)
    }

    @Test func sizesAndTurnsMustAgree() throws {
        func isSwapped(_ one: FaceInstance, _ other: FaceInstance) throws -> Bool {
            !shown([one, other], in: try skin()).isEmpty
        }
        let small = scene.instance(1, scale: 110, offset: Point(20, 100))
        #expect(try !isSwapped(small, right))
        #expect(try isSwapped(small, scene.instance(2, scale: 110, offset: Point(270, 100))))
        let tiny = (1...2).map { scene.instance($0, scale: 50, offset: Point(Float($0) * 150, 100)) }
        #expect(try !isSwapped(tiny[0], tiny[1]))
        #expect(try isSwapped(scene.turned(left, by: 0.3), scene.turned(right, by: 0.25)))
        #expect(try !isSwapped(scene.turned(left, by: 0.45), right))
        #expect(try !isSwapped(scene.turned(left, by: 0.6), scene.turned(right, by: 0.6)))
    }

    /// Of several people, the best pairs swap, both ways; who is left over does not.
    @Test func theBestPairsSwap() throws {
        func face(_ trackID: Int, _ place: Int, scale: Float) -> FaceInstance {
            scene.instance(trackID, scale: scale, offset: Point(Float(place) * 150, 10))
        }
        let three = [face(5, 0, scale: 120), face(2, 1, scale: 95), face(9, 2, scale: 118)]
        #expect(shown(three, in: try skin()) == [5: 9, 9: 5])
        #expect(scene.composer.isSwapped(5) && !scene.composer.isSwapped(2))
        let four = three + [scene.instance(3, scale: 96, offset: Point(0, 200))]
        #expect(shown(four, in: try skin()) == [5: 9, 9: 5, 2: 3, 3: 2])
        #expect(shown([three[0]], in: try skin()).isEmpty)
    }

    /// Nobody who comes in takes a partner away, and what is a little worse than at first does not part a pair.
    @Test func pairsOfAStreamStay() throws {
        func face(_ trackID: Int, _ place: Int, scale: Float) -> FaceInstance {
            scene.instance(trackID, scale: scale, offset: Point(Float(place) * 150, 10))
        }
        let (one, other, third) = (
            face(1, 0, scale: 120), face(2, 1, scale: 95), face(3, 2, scale: 120)
        )
        let picture = try skin()
        #expect(shown([one, other], at: 0, in: picture) == [1: 2, 2: 1])
        #expect(shown([one, other, third], at: 0.04, in: picture) == [1: 2, 2: 1])
        // A single picture in between leaves no trace.
        #expect(shown([one, other, third], in: picture) == [1: 3, 3: 1])
        let farther = face(2, 1, scale: 80)
        #expect(shown([one, farther], in: picture).isEmpty)
        for step in 2..<60 {
            #expect(shown([one, farther, third], at: 0.04 * Double(step), in: picture) == [1: 2, 2: 1], "\(step)")
        }
        scene.composer.interrupt()
        #expect(shown([one, farther, third], at: 3, in: picture) == [1: 3, 3: 1])
    }
}
