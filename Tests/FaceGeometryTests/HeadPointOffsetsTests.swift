import FaceGeometry
import Foundation
import TestSupport
import Testing

/// Head points that a model measures are learnt as offsets of the head.
@Suite struct HeadPointOffsetsTests {
    private let reference: ReferenceFace
    private let mean: MeanFace
    /// 200 pixels wide between the ears' landmarks or so.
    private let face: Face

    init() throws {
        reference = try Repository.referenceFace()
        mean = MeanFace(reference)
        face = Face(landmarks: reference.landmarks.mapped { Point(60, 20) + 330 * $0 }, reference: reference)
    }

    private func measured(raisedBy pixels: Float = 0) -> HeadPoints {
        HeadPoints { face.headPoints[$0] - Point(0, 6 + pixels) }
    }

    private func hairline(_ offsets: HeadPointOffsets) -> Point {
        var seen = face
        seen.take(offsets, mean: mean)
        return seen.headPoints[.hairlineCenter]
    }

    @Test func raisedBrowsDoNotLiftTheHairline() {
        var offsets = HeadPointOffsets(measured(), on: face, mean: mean)
        for _ in 0..<150 { offsets.learn(measured(), on: face, mean: mean, seconds: 1 / 30) }
        let rest = hairline(offsets)
        #expect((rest - measured()[.hairlineCenter]).length < 0.01)
        // For half a second, the model lifts it by 2 % of the face's width.
        for _ in 0..<15 { offsets.learn(measured(raisedBy: 4), on: face, mean: mean, seconds: 1 / 30) }
        #expect((hairline(offsets) - rest).length < 0.6)
        // What stays is believed in the end.
        for _ in 0..<450 { offsets.learn(measured(raisedBy: 4), on: face, mean: mean, seconds: 1 / 30) }
        #expect((hairline(offsets) - measured(raisedBy: 4)[.hairlineCenter]).length < 0.2)
    }

    @Test func tremblingIsAveraged() {
        var offsets = HeadPointOffsets(measured(), on: face, mean: mean)
        var largest: Float = 0
        for frame in 0..<120 {
            let before = hairline(offsets)
            offsets.learn(
                measured(raisedBy: frame % 2 == 0 ? 1 : -1), on: face, mean: mean, seconds: 1 / 30)
            if frame > 30 { largest = max(largest, (hairline(offsets) - before).length) }
        }
        #expect(largest < 0.05, "\(largest)")
    }

    @Test func aTurnedHeadIsLearntAnew() throws {
        var offsets = HeadPointOffsets(measured(), on: face, mean: mean)
        for _ in 0..<60 { offsets.learn(measured(), on: face, mean: mean, seconds: 1 / 30) }
        // Half a second to the side, by half a radian.
        var turned = face
        for frame in 1...15 {
            let yaw = 0.5 * Float(frame) / 15
            let landmarks = Landmarks.Storage { index in
                let place = reference.vertices[index] - Point(0.5, 0.45)
                let x = place.x * cos(yaw) + reference.depths[index] * sin(yaw)
                return Point(225, 170) + 330 * Point(x, place.y)
            }
            turned = Face(landmarks: try #require(Landmarks(landmarks)), reference: reference)
            let seen = HeadPoints { turned.headPoints[$0] + Point(9, 0) }
            offsets.learn(seen, on: turned, mean: mean, seconds: 1 / 30)
        }
        var result = turned
        result.take(offsets, mean: mean)
        let error = result.headPoints[.hairlineCenter] - (turned.headPoints[.hairlineCenter] + Point(9, 0))
        #expect(error.length < 3, "\(error)")
    }
}
