import FaceGeometry
import FaceTracking
import SampleFaces
import TestSupport
import Testing

/// The tracker against drawn people, of whom everything is known.
@Suite(.serialized) struct FaceTrackerTests {
    @Test(arguments: DrawnSequence.all.map(\.name)) func explore(_ name: String) throws {
        let tracking = try SequenceTracking(name)
        let ours = tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks }
        let fused = tracking.errors { tracking.face(of: 0, in: $0)?.measurement.fused }
        let dlib = tracking.errors { $0.dlib }
        let lost = tracking.frames.count { !$0.truth.isEmpty && tracking.face(of: 0, in: $0) == nil }
        func t(_ e: SequenceTracking.Errors?) -> String {
            e.map { "\(($0.total * 10000).rounded() / 10000) \(($0.aboutMean * 100000).rounded() / 100000)" } ?? "-"
        }
        print(
            "SEQ \(name) ours \(t(ours)) fused \(t(fused)) dlib \(t(dlib)) lost \(lost) of \(tracking.frames.count)"
                + " ids \(Set(tracking.frames.flatMap { $0.faces.map(\.identity) }).sorted())"
                + " max spread \(tracking.frames.flatMap { $0.faces.map(\.spread) }.max() ?? 0)"
                + " ratio \((ours?.aboutMean ?? 0) / (dlib?.aboutMean ?? 1))")
    }
}
