import FaceGeometry
import Foundation
import TestSupport
import Testing

@Suite struct SmoothingTests {
    let mean: MeanFace
    let face: Landmarks

    init() throws {
        let reference = try Repository.referenceFace()
        mean = MeanFace(reference)
        face = reference.landmarks.mapped { 300 * $0 + Point(200, 100) }
    }

    @Test func similaritiesAreFoundAndUndone() {
        let turn = SimilarityTransform(linear: Point(0.8, 0.3), translation: Point(12, -7))
        let found = SimilarityTransform(
            fitting: face, to: face.mapped { turn($0) }, weights: InlineArray(repeating: 1))
        #expect((found.linear - turn.linear).length < 1e-4)
        #expect((found.translation - turn.translation).length < 1e-2)
        #expect((found.inverse(found(Point(5, 9))) - Point(5, 9)).length < 1e-3)
    }

    /// A head that is tilted little keeps an upright box, one that is tilted much does not; both are square and around
    /// the same middle.
    @Test func boxesTurnWithTiltedHeads() {
        func tilted(_ degrees: Float) -> Landmarks {
            let center = face.bounds.center
            let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            return face.mapped { p in
                let q = p - center
                return center + Point(c * q.x - s * q.y, s * q.x + c * q.y)
            }
        }
        #expect(OrientedBox(around: tilted(10)).roll == 0)
        let turned: Float = 25 * .pi / 180
        #expect(abs(OrientedBox(around: tilted(40)).roll - turned) < 0.01)
        #expect(abs(OrientedBox(around: tilted(-40)).roll + turned) < 0.01)
        let upright = OrientedBox(around: face)
        let side: Float = max(face.bounds.width, face.bounds.height) / 0.92
        #expect(abs(upright.side - side) < 0.01)
        let diagonal: Point = upright.across + upright.down
        let middle: Point = upright.origin + 0.5 * diagonal
        #expect((middle - upright.center).length < 0.01)
    }

    @Test func oneEuroFollowsThePaper() {
        // At rest the time constant is that of the minimum cutoff: 1 / (2π · 1 Hz).
        var filter = OneEuroFilter(.init(minimumCutoff: 1, speedCoefficient: 0))
        _ = filter.filter(.zero, seconds: 0)
        let step = filter.filter(Point(1, 0), seconds: 0.1)
        let expected = 0.1 / (0.1 + 1 / (2 * Float.pi))
        #expect(abs(step.x - expected) < 1e-5)
        var fast = OneEuroFilter(.init(minimumCutoff: 1, speedCoefficient: 10))
        _ = fast.filter(.zero, seconds: 0)
        #expect(fast.filter(Point(1, 0), seconds: 0.1).x > step.x)
    }

    // MARK: Looking ahead

    /// A track in which the head moves by `path` (in widths of the face), the model's landmarks tremble, and flow knows the
    /// head's motion.
    private func track(trembling: Float, rate: Double = 25, path: (Int) -> Float) -> [(
        seconds: Double, measurement: LandmarkMeasurement
    )] {
        (0..<100).map { index in
            let sign: Float = index % 2 == 0 ? 1 : -1
            let truth = face.mapped { $0 + Point(face.width * path(index), 0) }
            let observed = truth.mapped { $0 + Point(sign * trembling * face.width, 0) }
            let way = index == 0 ? 0 : face.width * (path(index) - path(index - 1))
            let step = SkinStep(
                whole: SimilarityTransform(linear: Point(1, 0), translation: Point(0.9 * way, 0)),
                own: InlineArray(repeating: Point(0.1 * way, 0)))
            return (
                Double(index) / rate,
                LandmarkMeasurement(fused: truth, observed: observed, step: index == 0 ? nil : step)
            )
        }
    }

    /// Neither a head that moves on nor one that is shaken is lagged behind, and no corner is cut.
    @Test(arguments: [12, 25, 60]) func lookingBothWaysCutsNoCorners(rate: Double) {
        for path in [{ 0.02 * Float($0) }, { 0.1 * Float(abs($0 % 20 - 10)) / 10 }] as [(Int) -> Float] {
            let track = track(trembling: 0.004, rate: rate, path: path)
            for index in 5..<95 {
                let smoothed = LookAheadSmoothing.smooth(track, at: index, mean: mean)
                let error = (smoothed.center.x - face.center.x) / face.width - path(index)
                #expect(abs(error) < 0.001, "frame \(index)")
            }
        }
    }

    @Test func stepsAreUndone() {
        let whole = SimilarityTransform(linear: Point(0.9, 0.2), translation: Point(4, -3))
        let step = SkinStep(whole: whole, own: InlineArray { Point(Float($0 % 3), 1) })
        let there = face.mappedWithIndex { index, point in step.whole(point) + step.own[index] }
        let back = there.mappedWithIndex { index, point in step.inverse.whole(point) + step.inverse.own[index] }
        for index in 0..<Landmarks.count { #expect((back[index] - face[index]).length < 1e-2) }
    }

    /// Lids that shut for three frames are shut in the smoothed landmarks, too, although flow has not seen it.
    @Test func lookingBothWaysKeepsBlinks() {
        let shut = face.mappedWithIndex { index, point in
            switch index {
            case 37: Point(point.x, face[41].y - 1)
            case 38: Point(point.x, face[40].y - 1)
            default: point
            }
        }
        let still = SkinStep(whole: .identity, own: InlineArray(repeating: .zero))
        let track = (0..<30).map { (index: Int) -> (seconds: Double, measurement: LandmarkMeasurement) in
            let measurement = LandmarkMeasurement(
                fused: face, observed: (15..<18).contains(index) ? shut : face, step: index == 0 ? nil : still)
            return (Double(index) / 25, measurement)
        }
        let lids = track.indices.map { Expression(LookAheadSmoothing.smooth(track, at: $0, mean: mean)).rightEye }
        #expect(lids[16] < 0.5 * Expression(face).rightEye)
        #expect(lids[5] > 0.95 * Expression(face).rightEye)
    }
}
