import FaceGeometry
import Hands
import Occlusion
import Pixels
import TestSupport
import Testing

/// Hands that networks have found, in front of a drawn face whose landmarks are known exactly.
@Suite struct ShownHandTests {
    let reference: ReferenceFace
    let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    /// A flat hand before the chin: its wrist is below the face, its fingers end beside the nose.
    private func hand(before instance: FaceInstance) -> Hand {
        let vertices = instance.face.vertices
        let jaw = Landmarks.topology.jaw.map { vertices[$0] }
        let width = (jaw[16] - jaw[0]).length
        let chin = jaw[8]
        let wrist = chin + Point(0, 0.45 * width)
        var points = [wrist]
        for finger in 0..<5 {
            let across = (Float(finger) - 2) * 0.11 * width
            for joint in 0..<4 {
                points.append(chin + Point(across, (0.1 - 0.13 * Float(joint)) * width))
            }
        }
        return Hand(points: points, depths: [Float](repeating: 0, count: points.count), presence: 1)
    }

    /// Paints the hand in a colour that differs from the face, but not much.
    private func paint(_ picture: inout PixelBuffer, _ hand: Hand) {
        // It is in the lower half, in the middle.
        let columns = picture.width / 4..<picture.width * 3 / 4
        for y in picture.height / 2..<picture.height {
            for x in columns where hand.contains(Point(Float(x) + 0.5, Float(y) + 0.5)) {
                picture.fill(x..<x + 1, ofRow: y, with: SIMD4(150, 100, 70, 255))
            }
        }
    }

    /// The share of the hand's places inside the face that is shown.
    private func share(_ matte: OcclusionMatte?, _ instance: FaceInstance, _ hand: Hand) -> Double {
        var shares = FaceShares()
        shares.count(instance, matte, mesh) { hand.contains(Point(Float($0) + 0.5, Float($1) + 0.5)) }
        return Double(shares.shown) / Double(max(1, shares.covered))
    }

    /// A hand below the chin matters to what reaches there, such as a collar, and costs nothing otherwise.
    @Test(arguments: [true, false]) func handsBesideTheFaceAreInFrontOfProps(_ hasProps: Bool) throws {
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        try DrawnFrames.switched.get().forEach { frame, picture in
            guard frame.number < 3 else { return }
            var hand = hand(before: frame.instance)
            hand.move(by: Point(0, 0.9 * FaceBox(around: frame.instance.face.vertices).width))
            let identifier = frame.instance.trackID
            let mattes = try follower.follow(
                [frame.instance], props: hasProps ? [identifier] : [], hands: [hand], in: picture,
                at: frame.seconds)
            #expect((mattes[identifier] != nil) == hasProps)
        }
    }

    /// A hand that rests is not learnt as part of the face. A false one, where the face looks as always, is not shown.
    @Test(arguments: [(30, true), (30, false)])
    func aHandThatStaysIsShown(first: Int, isThere: Bool) throws {
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        var last = 0.0
        var seconds = 0.0
        for _ in 0..<5 {
            try DrawnFrames.switched.get().forEach { frame, picture in
                guard frame.number < 30 else { return }
                let number = Int((30 * seconds).rounded())
                let hand = hand(before: frame.instance)
                var painted = try picture.copy()
                if isThere, number >= first { paint(&painted, hand) }
                let mattes = try follower.follow(
                    [frame.instance], hands: number >= first ? [hand] : [], in: painted, at: seconds)
                last = share(mattes[frame.instance.trackID], frame.instance, hand)
                seconds += 1 / 30.0
            }
        }
        #expect(isThere ? last > 0.8 : last == 0, "\(last)")
    }
}
