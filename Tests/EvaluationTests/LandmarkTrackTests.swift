import FaceGeometry
import Foundation
import Testing
import TrackingEvaluation

@Suite struct LandmarkTrackTests {
    private let shape = Landmarks(InlineArray { Point(Float($0 % 10) * 10, Float($0 / 10) * 10) })

    private func track(_ offsets: [Float?]) -> LandmarkTrack {
        LandmarkTrack(offsets.map { x in x.flatMap { x in shape?.mapped { $0 + Point(x, 0) } } })
    }

    @Test func jitterIsTheSecondDifference() throws {
        #expect(track([0, 1, 2, 3, 4]).jitter == 0)
        // 0 − 2·1 + 0, then 1 − 0 + 1.
        #expect(track([0, 1, 0, 1]).jitter == 2)
        // Only where three frames follow each other.
        #expect(track([0, 1, nil, 1, 0]).jitter == nil)
        #expect(try #require(track([0]).width) == 90)
    }

    @Test func lagIsFoundInTenths() throws {
        let path: (Float) -> Float = { 20 * sin($0 / 4) }
        let reference = track((0..<80).map { path(Float($0)) })
        for lag in [0, 0.4, 1.7] as [Float] {
            let late = track((0..<80).map { path(Float($0) - lag) })
            #expect(abs(try #require(late.lag(behind: reference)) - lag) < 0.11)
        }
    }

    @Test func theGaussianLooksBothWaysAndStopsAtGaps() throws {
        let smooth = track([0, 0, 0, 10, 0, 0, 0, nil, 5, 5]).zeroPhaseGaussian(deviation: 1)
        let x = smooth.frames.map { $0?[0].x }
        #expect(x[2] == x[4])
        #expect(try #require(x[3]) < 4.1)
        #expect(x[7] == nil)
        #expect(abs(try #require(x[8]) - 5) < 1e-4)
        #expect(smooth.lostFrames == 1)
    }

    @Test func driftIsWhatLasts() throws {
        let still = track(Array(repeating: 0, count: 60))
        let noCut = Array(repeating: false, count: 60)
        // To and fro is no drift, staying away is, and so is being late on the way.
        let trembling = track((0..<60).map { $0 % 2 == 0 ? 3 : -3 })
        #expect(try #require(trembling.drift(from: still, deviation: 4, cuts: noCut)) < 1)
        let away = track(Array(repeating: 3, count: 60))
        #expect(abs(try #require(away.drift(from: still, deviation: 4, cuts: noCut)) - 3) < 1e-3)
        let (moving, late) = (track((0..<60).map { Float($0) }), track((0..<60).map { Float($0) - 2 }))
        #expect(abs(try #require(late.drift(from: moving, deviation: 4, cuts: noCut)) - 2) < 1e-3)
        // Frames of another scene are not averaged with these.
        let half = track((0..<60).map { $0 < 30 ? 3 : -3 })
        var cuts = noCut
        cuts[30] = true
        #expect(abs(try #require(half.drift(from: still, deviation: 8, cuts: cuts)) - 3) < 1e-3)
        #expect(try #require(half.drift(from: still, deviation: 8, cuts: noCut)) < 2.8)
        #expect(track([nil, nil]).drift(from: track([1, 2]), deviation: 4, cuts: [false, false]) == nil)
    }
}
