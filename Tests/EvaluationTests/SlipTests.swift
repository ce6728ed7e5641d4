import FaceGeometry
import FaceTracking
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import TrackingEvaluation

/// Slip of tracks of which it is known.
@Suite struct SlipTests {
    /// A square of two triangles, and points on a grid in it that move by `step` from frame to frame.
    private let square = [Point(0, 0), Point(100, 0), Point(100, 100), Point(0, 100)]
    private let triangles = [Triangle(0, 1, 2), Triangle(0, 2, 3)]

    private func moved(_ points: [Point], by offset: Point) -> [Point] { points.map { $0 + offset } }

    private func motions(from start: Point, step: Point, count: Int = 36) -> [SkinPoints.Motion] {
        (0..<count).map { index in
            let point = start + Point(Float(index % 6) * 15 + 10, Float(index / 6) * 15 + 10)
            return SkinPoints.Motion(from: point, to: point + step)
        }
    }

    @Test func motionWithTheSkinIsNoSlip() throws {
        let step = Point(3, -2)
        let mesh = [square, moved(square, by: step), moved(square, by: 2 * step)]
        let slip = Slip(
            mesh: mesh, triangles: triangles,
            motions: [motions(from: .zero, step: step), motions(from: step, step: step)])
        #expect(try #require(slip.points) < 1e-5)
        #expect(try #require(slip.wholeFace) < 1e-5)
        #expect(slip.countedPairs == 1)
    }

    @Test func floatingPointsSlipByTheirMotion() throws {
        let mesh = [square, moved(square, by: Point(3, 4)), moved(square, by: Point(3, 4))]
        let still = motions(from: .zero, step: .zero)
        let slip = Slip(mesh: mesh, triangles: triangles, motions: [still, still])
        // 5 pixels in one pair, none in the other.
        let expected = (25 / Float(2)).squareRoot()
        #expect(abs(try #require(slip.points) - expected) < 1e-4)
        #expect(abs(try #require(slip.wholeFace) - expected) < 1e-4)
    }

    /// A mesh that turns about the middle of the points: each slips, the face as a whole does not.
    @Test func theWholeFaceIsTheMedian() throws {
        let angle: Float = 0.1
        let center = Point(47.5, 47.5)
        let turned = square.map { point in
            let p = point - center
            return center + Point(p.x - angle * p.y, angle * p.x + p.y)
        }
        let slip = Slip(mesh: [square, turned], triangles: triangles, motions: [motions(from: .zero, step: .zero)])
        #expect(try #require(slip.wholeFace) < 1e-4)
        #expect(try #require(slip.points) > 2)
    }

    @Test func cutsAndPairsWithFewPointsDoNotCount() {
        let far = moved(square, by: Point(50, 50))
        let few = motions(from: .zero, step: .zero, count: Slip.fewestPoints - 1)
        let still = motions(from: far[0], step: .zero)
        let mesh = [square, far, far, nil, far]
        let slip = Slip(mesh: mesh, triangles: triangles, motions: [few, still, still, still])
        #expect(slip.countedPairs == 0.5)
        #expect(slip.points == 0)
        let cut = Slip(mesh: mesh, triangles: triangles, motions: [nil, still, nil, nil])
        #expect(cut.countedPairs == 1)
        #expect(cut.wholeFace == 0)
        #expect(Slip(mesh: [square, far], triangles: triangles, motions: [few]).points == nil)
    }

    /// Drawn frames of which the landmarks are known: the truth sticks, and whatever is added to it is found.
    @Test func slipIsFoundInPictures() throws {
        let reference = try Repository.referenceFace()
        let sequence = try #require(DrawnSequence.all.first { $0.name == "walking" })
        let triangles = FaceMesh(of: reference).triangles
        let first = 20
        let count = 4
        var motions: [[SkinPoints.Motion]?] = []
        func grey(_ index: Int) throws -> PixelBuffer {
            try sequence.picture(index, reference: reference)
                .grey(width: DrawnSequence.width, height: DrawnSequence.height)
        }
        var before = try grey(first)
        for index in first + 1..<first + count {
            let after = try grey(index)
            motions.append(
                try SkinPoints.motions(
                    from: before, to: after,
                    of: Face(landmarks: sequence.landmarks(index - 1, reference: reference)[0], reference: reference)))
            before = after
        }
        let truth = (first..<first + count).map { sequence.landmarks($0, reference: reference)[0] }
        let width = truth[0].bounds.width
        func slip(_ added: (Int) -> Point) -> Slip {
            let mesh = truth.indices.map { frame in
                Face(landmarks: truth[frame].mapped { $0 + added(frame) }, reference: reference).vertices
            }
            return Slip(mesh: mesh, triangles: triangles, motions: motions)
        }
        let glued = slip { _ in .zero }
        print("points: \(motions.map { $0?.count ?? 0 }), slip of the truth: \(glued), width \(width)")
        #expect(glued.countedPairs == 1)
        #expect(try #require(glued.wholeFace) / width < 0.0006)
        #expect(try #require(glued.points) / width < 0.0015)
        // To and fro by a hundredth of the face's width.
        let floating = slip { Point(($0 % 2 == 0 ? 0.005 : -0.005) * width, 0) }
        #expect(abs(try #require(floating.wholeFace) / width - 0.01) < 0.001)
        #expect(abs(try #require(floating.points) / width - 0.01) < 0.002)
    }
}
