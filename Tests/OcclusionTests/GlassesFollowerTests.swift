import FaceGeometry
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Glasses in streams: drawn faces with glasses that are known pixel by pixel.
@Suite struct GlassesFollowerTests {
    private var follower: OcclusionFollower
    private let reference: ReferenceFace

    init() throws {
        reference = try Repository.referenceFace()
        follower = OcclusionFollower(reference: reference, mesh: try Repository.mesh())
    }

    /// Twenty-four pictures of a face, four of each second.
    /// - Parameter wears: by the number of the picture.
    /// - Returns: for each, the share of the frame that is shown, or nil if nothing is.
    private mutating func shown(wears: (Int) -> Bool, isAsked: Bool = true) throws -> [Double?] {
        let face = DrawnFace()
        let bare = try DrawnGlasses.portrait(face, reference: reference)
        var worn = try DrawnGlasses.portrait(face, reference: reference)
        let frame = DrawnGlasses.wear(&worn, face, reference: reference)
        var shares: [Double?] = []
        for number in 0..<24 {
            let mattes =
                try wears(number)
                ? follower.follow([], glasses: isAsked ? [worn.instance] : [], in: worn.pixels, at: Double(number) / 4)
                : follower.follow([], glasses: isAsked ? [bare.instance] : [], in: bare.pixels, at: Double(number) / 4)
            shares.append(
                mattes[worn.instance.trackID].map { matte in
                    let seen = frame.count { index in
                        matte.value(at: Point(Float(index % 240) + 0.5, Float(index / 240) + 0.5)) > 0.5
                    }
                    return Double(seen) / Double(frame.count)
                })
        }
        return shares
    }

    /// After some votes; then nearly all of the frame is shown.
    @Test mutating func glassesAreShownOnceSeveralPicturesAgree() throws {
        let shares = try shown { _ in true }
        #expect(shares.prefix(3).allSatisfy { $0 == nil }, "\(shares)")
        #expect(shares.dropFirst(4).allSatisfy { ($0 ?? 0) > 0.85 }, "\(shares)")
    }

    /// A single picture is no vote; who takes them off has none any more.
    @Test mutating func oneWrongPictureInventsNone() throws {
        #expect(try shown { $0 % 6 == 2 }.allSatisfy { $0 == nil })
    }

    @Test mutating func glassesThatAreTakenOffAreGone() throws {
        let shares = try shown { $0 < 8 }
        #expect(shares[7] != nil && shares.suffix(6).allSatisfy { $0 == nil }, "\(shares)")
        // A mark that is as dark in the same place would be shown; the bare face has none.
        #expect(shares[8..<12].allSatisfy { ($0 ?? 0) < 0.2 }, "\(shares)")
    }

    @Test mutating func nobodyLooksWithoutBeingAsked() throws {
        #expect(try shown(wears: { _ in true }, isAsked: false).allSatisfy { $0 == nil })
    }
}
