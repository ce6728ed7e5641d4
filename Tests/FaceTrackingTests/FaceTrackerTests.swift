import FaceGeometry
import FaceTracking
import Foundation
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
        var text = ""
        for frame in tracking.frames {
            guard let t = frame.truth.first, let f = tracking.face(of: 0, in: frame) else { text += "lost\n"; continue }
            for l in [t, f.measurement.fused, f.face.landmarks, frame.dlib ?? t] {
                for p in l.points { text += "\(p.x) \(p.y) " }
            }
            text += "\(f.spread)\n"
        }
        try text.write(toFile: "/tmp/proto/seq-\(name).txt", atomically: true, encoding: .utf8)
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
