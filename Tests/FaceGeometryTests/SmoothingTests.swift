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

    @Test func motionsTakenApartGiveTheFaceAgain() throws {
        let odd = face.mappedWithIndex { index, point in point + Point(Float(index % 5), Float(index % 3)) }
        let again = try #require(FaceMotion(odd, mean: mean).landmarks)
        for index in 0..<68 { #expect((again[index] - odd[index]).length < 1e-2) }
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
        #expect(abs(OrientedBox(around: tilted(40)).roll - 25 * .pi / 180) < 0.01)
        #expect(abs(OrientedBox(around: tilted(-40)).roll + 25 * .pi / 180) < 0.01)
        let upright = OrientedBox(around: face)
        #expect(abs(upright.side - max(face.bounds.width, face.bounds.height) / 0.92) < 0.01)
        #expect((upright.origin + upright.across / 2 + upright.down / 2 - upright.center).length < 0.01)
    }

    // MARK: As they come

    /// The tracks of a face that is moved by `path`, in widths of the face, with some trembling.
    private func smoothed(frames: Int, rate: Float, trembling: Float, path: (Float) -> Point) -> [(Point, Point)] {
        var smoother = LandmarkSmoother(mean: mean)
        let width = 300 * mean.width
        return (0..<frames).map { index in
            let time = Float(index) / rate
            let sign: Float = index % 2 == 0 ? 1 : -1
            let truth = width * path(time)
            let shaken = truth + sign * trembling * width * Point(1, -1)
            let result = smoother.smooth(face.mapped { $0 + shaken }, seconds: index == 0 ? 0 : 1 / rate)
            return (truth, result.center - face.center)
        }
    }

    @Test(arguments: [24, 60] as [Float]) func restHoldsStill(_ rate: Float) {
        let track = smoothed(frames: 60, rate: rate, trembling: 0.004) { _ in .zero }
        let width = 300 * mean.width
        let left = track.suffix(20).map { $0.1.length / width }.max() ?? 1
        #expect(left < 0.55 * 0.004 * Float(2).squareRoot())
    }

    @Test func whoGoesSomewhereIsNotLaggedBehind() {
        let width = 300 * mean.width
        let track = smoothed(frames: 50, rate: 25, trembling: 0) { time in Point(1.2 * time, 0) }
        // A frame's way is 0.048 widths.
        #expect((track[49].0 - track[49].1).length / width < 0.01)
    }

    /// Half the face's width in one frame is a jump, and spread over a few; the first of them shows most of it.
    @Test func jumpsAreReachedWithinThreeFrames() {
        let width = 300 * mean.width
        let track = smoothed(frames: 40, rate: 25, trembling: 0) { time in Point(time < 0.79 ? 0 : 0.05, 0) }
        #expect(track[19].1.length < 0.01)
        #expect(track[20].1.x / width > 0.02)
        #expect(track[23].1.x / width > 0.045)
    }

    /// Lids that shut for three frames are shut in the smoothed landmarks too.
    @Test func blinksAreKept() {
        var smoother = LandmarkSmoother(mean: mean)
        func lids(_ landmarks: Landmarks) -> Float { Expression(landmarks).rightEye }
        var shut = face
        shut = shut.mappedWithIndex { index, point in
            switch index {
            case 37: Point(point.x, face[41].y - 1)
            case 38: Point(point.x, face[40].y - 1)
            default: point
            }
        }
        var lowest: Float = 1
        for index in 0..<30 {
            let isShut = (15..<18).contains(index)
            let result = smoother.smooth(isShut ? shut : face, seconds: index == 0 ? 0 : 0.04)
            lowest = min(lowest, lids(result))
        }
        #expect(lowest < 0.35 * lids(face))
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

    // MARK: Afterwards

    @Test func lookingBothWaysHasNoLag() {
        let width = 300 * mean.width
        let track = (0..<100).map { index in
            let sign: Float = index % 2 == 0 ? 1 : -1
            let moved = face.mapped { $0 + Point(width * (0.02 * Float(index) + 0.004 * sign), 0) }
            // Half a frame late, as live landmarks are.
            let late = face.mapped { $0 + Point(width * 0.02 * (Float(index) - 0.5), 0) }
            return (seconds: Double(index) / 25, measurement: LandmarkMeasurement(fused: late, observed: moved))
        }
        let result = ZeroPhaseSmoothing.smooth(track, mean: mean)
        #expect(result.count == 100)
        for index in 20..<80 {
            let x = (result[index].center - face.center).x / width
            #expect(abs(x - 0.02 * Float(index)) < 0.001, "frame \(index)")
        }
    }
}
