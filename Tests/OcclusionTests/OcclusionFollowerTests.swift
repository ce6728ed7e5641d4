import FaceGeometry
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Faces whose landmarks are known exactly, with and without hands before them.
@Suite struct OcclusionFollowerTests {
    let reference: ReferenceFace
    let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    private func instance(_ sequence: DrawnSequence, _ frame: Int) throws -> FaceInstance {
        let actor = try #require(sequence.actors(frame).first)
        return FaceDrawing(actor.face, placement: actor.placement, reference: reference).instance()
    }

    /// Runs a part of a sequence, and tells of each frame what is before the face.
    private func run(
        _ name: String, frames: Range<Int>, change: (inout FaceInstance, Int) -> Void = { _, _ in },
        body: (Int, OcclusionMatte?) throws -> Void
    ) throws {
        let sequence = try #require((DrawnSequence.hands + DrawnSequence.all).first { $0.name == name })
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        for frame in frames {
            var instance = try instance(sequence, frame)
            change(&instance, frame)
            let mattes = follower.follow(
                [instance], in: try sequence.picture(frame, reference: reference), at: sequence.seconds(frame))
            try body(frame, mattes[instance.trackID])
        }
    }

    /// Of the hand's pixels inside the face, most are shown, in the frames in which it comes as well, and of the face's own
    /// few.
    @Test func aHandIsFound() throws {
        let sequence = try #require(DrawnSequence.hands.first { $0.name == "handAtChin" })
        var (hand, shown, face, bare) = (0, 0, 0, 0)
        try run(sequence.name, frames: 12..<72) { frame, matte in
            let vertices = try instance(sequence, frame).face.vertices
            let showsHand = sequence.showsHand(frame)
            // Half of the pixels are enough.
            for triangle in mesh.triangles {
                for weights in [SIMD3<Float>(0.6, 0.2, 0.2), SIMD3(0.2, 0.6, 0.2), SIMD3(0.2, 0.2, 0.6)] {
                    let place =
                        weights.x * vertices[triangle.a] + weights.y * vertices[triangle.b]
                        + weights.z * vertices[triangle.c]
                    let isBare = (matte?.value(at: place) ?? 0) > 0.5
                    if showsHand(Int(place.x), Int(place.y)) {
                        hand += 1
                        shown += isBare ? 1 : 0
                    } else {
                        face += 1
                        bare += isBare ? 1 : 0
                    }
                }
            }
        }
        #expect(hand > 500)
        #expect(Double(shown) > 0.65 * Double(hand), "\(shown) of \(hand)")
        #expect(Double(bare) < 0.02 * Double(face), "\(bare) of \(face)")
    }

    @Test(arguments: ["switched", "talking"])
    func aFaceAloneHasNothingBeforeIt(name: String) throws {
        var found: [Int] = []
        try run(name, frames: 0..<60) { frame, matte in if matte != nil { found.append(frame) } }
        #expect(found.isEmpty, "\(name): \(found)")
    }

    /// A face that is first seen with a hand before it shows its mask.
    @Test func nothingIsFoundUntilTheFaceIsKnown() throws {
        try run("handAtChin", frames: 20..<60, change: { instance, frame in instance.trackID = frame < 45 ? 1 : 2 }) {
            frame, matte in
            if frame >= 45 { #expect(matte == nil, "frame \(frame)") }
        }
    }

    /// What was before a face is forgotten where the face is not seen.
    @Test func aFaceThatIsNotSeenHasNothingBeforeIt() throws {
        try run("handAtChin", frames: 18..<62, change: { instance, frame in instance.isSeen = frame != 60 }) {
            frame, matte in
            if frame == 59 { #expect(matte != nil) }
            if frame == 60 { #expect(matte == nil) }
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
        for step in 0..<120 {
            let (scale, offset) = scales[step < 60 ? 0 : step % scales.count]
            let landmarks = reference.landmarks.mapped { offset + scale * $0 }
            let instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
            _ = follower.follow([instance], in: picture, at: Double(step) / 30)
            _ = follower.follow([instance], in: picture, at: step % 7 == 0 ? -1e9 : Double(step) / 30 + 0.01)
        }
    }
}
