import FaceGeometry
import FaceTracking
import Foundation
import SyntheticFaces
import TestSupport
import Testing

/// Landmarks stick to the face through everything that disturbs: they neither pop nor creep.
extension FaceTrackerTests {
    /// What happens to a synthetic person, when it is over (in seconds), and the longest slip in one frame, in widths
    /// of the face. Where a head turns, the cascade moves from one answer to another by chance: with other noise in the
    /// pictures, the longest slip in "turning" is between 0.004 and 0.0135.
    private static let disturbances: [(String, Double, Float)] = [
        ("covered", 2.9, 0.04), ("talking", 0, 0.01), ("turning", 0, 0.015), ("switched", 2.2, 0.02),
        ("away", 3.0, 0.03),
    ]

    /// The others take long to draw.
    @Test(arguments: disturbances.prefix(SlowTests.areWanted ? 5 : 1)) func disturbancesLeaveNoTrace(
        _ name: String, end: Double, slip: Float
    ) throws {
        let tracking = try SequenceTracking.whole(name)
        let offsets = tracking.offsets
        print("\(name): largest slip \(tracking.largestSlip) of the width")
        #expect(tracking.largestSlip < slip)
        guard end > 0 else { return }
        // Half a second later the face is where it was before, and stays there.
        let rate = DrawnSequence.framesPerSecond
        let before = try #require(offsets[Int(0.5 * rate)])
        for index in Int((end + 0.5) * rate)..<offsets.count {
            let offset = try #require(offsets[index], "frame \(index)")
            #expect((offset - before).length < 0.03, "frame \(index)")
        }
    }

    /// The landmarks of a mouth that talks do not lag behind it.
    @Test(.slow, arguments: ["talking", "turning"]) func expressionsAreKeptUpWith(
        _ name: String
    ) throws {
        let tracking = try SequenceTracking.whole(name)
        let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
        let dlib = try #require(tracking.errors { $0.dlib })
        print("\(name): \(ours.aboutMean) of the width against dlib's \(dlib.aboutMean), in all \(ours.total)")
        #expect(ours.aboutMean < dlib.aboutMean)
    }
}
