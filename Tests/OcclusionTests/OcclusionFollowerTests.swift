import FaceGeometry
import Occlusion
import Pixels
import TestSupport
import Testing

/// Faces whose landmarks are known exactly, with and without hands in front of them.
@Suite struct OcclusionFollowerTests {
    let reference: ReferenceFace
    let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    /// Tracks the face in all frames, and gives the occluders of each.
    private func follow(
        _ frames: DrawnFrames, _ follower: OcclusionFollower? = nil,
        change: (inout FaceInstance, Int) -> Void = { _, _ in },
        body: (DrawnFrames.Frame, OcclusionMatte?) throws -> Void
    ) rethrows {
        var follower = follower ?? OcclusionFollower(reference: reference, mesh: mesh)
        try frames.forEach { frame, picture in
            var instance = frame.instance
            change(&instance, frame.number)
            let mattes = try follower.follow([instance], in: picture, at: frame.seconds)
            try body(frame, mattes[instance.trackID])
        }
    }

    /// Counts places of a frame's face.
    private func count(_ frame: DrawnFrames.Frame, _ matte: OcclusionMatte?, in shares: inout FaceShares) {
        shares.count(frame.instance, matte, mesh) { frame.handPixels[$1 * DrawnFrames.width + $0] }
    }

    /// Of the hand's pixels inside the face, most are shown, in the frames in which it comes as well, and of the face's own
    /// few.
    @Test func aHandIsFound() throws {
        var shares = FaceShares()
        try follow(DrawnFrames.handAtChin.get()) { count($0, $1, in: &shares) }
        #expect(shares.covered > 500)
        #expect(Double(shares.shown) > 0.65 * Double(shares.covered), "\(shares)")
        #expect(Double(shares.unmasked) < 0.02 * Double(shares.face), "\(shares)")
    }

    @Test func aFaceAloneHasNothingBeforeIt() throws {
        for frames in [DrawnFrames.switched, DrawnFrames.talking] {
            try follow(frames.get()) { frame, matte in #expect(matte == nil, "frame \(frame.number)") }
        }
    }

    /// A face that is first seen with a hand in front of it shows its mask.
    @Test func nothingIsFoundUntilTheFaceIsKnown() throws {
        try follow(DrawnFrames.handAtChin.get(), change: { $0.trackID = $1 < 45 ? 1 : 2 }) { frame, matte in
            if (45..<60).contains(frame.number) { #expect(matte == nil, "frame \(frame.number)") }
        }
    }

    /// Others come into the picture, more than are remembered, of which nothing is seen or which are gone soon. The face
    /// that has been learnt is not the one that is forgotten, neither beside them nor while it is not in the picture.
    @Test(arguments: [true, false], [true, false])
    func aLearntFaceIsNotForgottenFirst(_ areSeen: Bool, _ isBeside: Bool) throws {
        var shares = FaceShares()
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        try DrawnFrames.handAtChin.get().forEach { frame, picture in
            let others = isBeside ? [40: 1...40] : [40: 1...20, 41: 21...40]
            var instances = others[frame.number] == nil || isBeside ? [frame.instance] : []
            for number in others[frame.number].map({ Array($0) }) ?? [] {
                var other = frame.instance
                (other.trackID, other.isSeen) = (frame.instance.trackID + number, areSeen)
                instances.append(other)
            }
            let mattes = try follower.follow(instances, in: picture, at: frame.seconds)
            if (45..<60).contains(frame.number) { count(frame, mattes[frame.instance.trackID], in: &shares) }
        }
        #expect(shares.covered > 100)
        #expect(Double(shares.shown) > 0.5 * Double(shares.covered), "\(shares)")
    }

    /// Occluders are forgotten where the face is not seen.
    @Test func aFaceThatIsNotSeenHasNothingBeforeIt() throws {
        try follow(DrawnFrames.handAtChin.get(), change: { $0.isSeen = $1 != 60 }) { frame, matte in
            if frame.number == 59 { #expect(matte != nil) }
            if frame.number == 60 { #expect(matte == nil) }
        }
    }

    /// A dark patch that reaches the outline of the face, and ends there, is a shadow or a beard; one that goes on outside
    /// lies before it. In the frame in which it comes, the light is dimmed as well: all of the picture changes, on both sides of
    /// the outline.
    @Test(arguments: [false, true])
    func occludersComeFromOutside(goesOn: Bool) throws {
        let frames = try DrawnFrames.switched.get()
        var found = 0
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        try frames.forEach { frame, picture in
            guard frame.number < 40 else { return }
            var painted = try picture.copy()
            let vertices = frame.instance.face.vertices
            let jaw = Landmarks.topology.jaw.map { vertices[$0] }
            if frame.number >= 30 { paint(&painted, about: jaw[4], radius: 12, within: goesOn ? nil : vertices) }
            let mattes = try follower.follow([frame.instance], in: painted, at: frame.seconds)
            if !mattes.isEmpty { found += 1 }
        }
        #expect(goesOn ? found >= 7 : found == 0, "\(found)")
    }

    private func paint(_ picture: inout PixelBuffer, about center: Point, radius: Float, within vertices: [Point]?) {
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let place = Point(Float(x) + 0.5, Float(y) + 0.5)
                guard (place - center).length < radius else { continue }
                if let vertices, !mesh.triangles.contains(where: { $0.contains(place, vertices) }) { continue }
                picture.fill(x..<x + 1, ofRow: y, with: SIMD4(40, 30, 28, 255))
            }
        }
    }

    /// Wherever landmarks are, nothing crashes.
    @Test func impossibleFacesAreHarmless() throws {
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        var picture = try PixelBuffer(width: 3, height: 1, format: .rgba8)
        picture.fill(SIMD4(200, 150, 120, 255))
        let large: Float = 1e30
        let scales: [(Float, Point)] = [
            (100, .zero), (100, Point(-1e6, 1e6)), (1e-6, .zero), (large, Point(large, -large)), (-100, .zero),
            (1e5, .zero),
        ]
        for step in 0..<72 {
            let (scale, offset) = scales[step < 24 ? 0 : step % scales.count]
            let landmarks = reference.landmarks.mapped { offset + scale * $0 }
            let instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
            _ = try follower.follow([instance], in: picture, at: Double(step) / 30)
            _ = try follower.follow([instance], in: picture, at: step % 7 == 0 ? -1e9 : Double(step) / 30 + 0.01)
        }
    }
}
