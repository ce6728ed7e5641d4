import FaceGeometry
import Glibc
import NeuralNetworks
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Drawn faces in streams, with and without a fringe.
@Suite(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
struct HairFollowerTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private static let skin = SIMD3<Float>(0.70, 0.47, 0.37)

    private func portrait(
        fringe: Float = 0.7, hair: SIMD3<Float> = SIMD3(0.012, 0.010, 0.010), yaw: Float = 0
    ) throws -> SyntheticPortrait {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair) = (Self.skin, hair)
        if fringe > 0 { face.identity.fringe = fringe } else { face.identity.hairVolume = 0 }
        face.pose.yaw = yaw
        return try SyntheticPortrait(
            face, width: 180, height: 220, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100),
            quality: .samples(1), reference: reference)
    }

    private func follower(_ search: OccluderSearch) throws -> OcclusionFollower {
        OcclusionFollower(reference: reference, mesh: try Repository.mesh(), search: search)
    }

    /// - Returns: how much of the picture is uncovered, in pixels.
    private func area(_ matte: OcclusionMatte?) -> Float {
        guard let matte else { return 0 }
        let cell = matte.box.width * matte.box.height / Float(matte.width * matte.height)
        return cell * matte.alpha.reduce(0) { $0 + Float($1) } / 255
    }

    @Test func hairIsThereAtOnceAndGoneAfterACut() throws {
        var follower = try follower(.waiting(.standard))
        let fringe = try portrait()
        let bald = try portrait(fringe: 0)
        func area(of portrait: borrowing SyntheticPortrait, at seconds: Double) throws -> Float {
            let mattes = try follower.follow([], hair: [portrait.instance], in: portrait.pixels, at: seconds)
            return self.area(mattes[portrait.instance.trackID])
        }
        #expect(try area(of: fringe, at: 0) > 500)
        // The same face, as far as the follower knows, with its old hair until that has been looked for.
        #expect(try area(of: bald, at: 0.04) > 100)
        follower.interrupt()
        let mattes = try follower.follow([], hair: [bald.instance], in: bald.pixels, at: 0.08)
        // The wall beside the head, at most.
        var shares = FaceShares()
        shares.count(bald.instance, mattes[bald.instance.trackID], try Repository.mesh()) { _, _ in false }
        #expect(Double(shares.unmasked) < 0.01 * Double(shares.face), "\(shares)")
    }

    /// Two searches that find none take it back.
    @Test func hairThatHasGoneIsForgottenSoon() throws {
        var follower = try follower(.waiting(.standard))
        let fringe = try portrait()
        let bald = try portrait(fringe: 0)
        for frame in 0..<32 {
            let seconds = Double(frame) / 30
            let mattes = try follower.follow([], hair: [fringe.instance], in: fringe.pixels, at: seconds)
            if frame == 31 { #expect(area(mattes[fringe.instance.trackID]) > 500) }
        }
        var mattes: [Int: OcclusionMatte] = [:]
        for frame in 32..<44 {
            mattes = try follower.follow([], hair: [bald.instance], in: bald.pixels, at: Double(frame) / 30)
        }
        // The wall beside the head, at most.
        var shares = FaceShares()
        shares.count(bald.instance, mattes[bald.instance.trackID], try Repository.mesh()) { _, _ in false }
        #expect(Double(shares.unmasked) < 0.01 * Double(shares.face), "\(shares)")
    }

    /// Hair in the shadow of a head that is lowered is doubted: where it was found before, it stays for as long as it was
    /// found, and for three seconds at most.
    @Test(arguments: [(1.5, 1.0, true), (1.5, 2.25, false), (5, 2.5, true), (5, 3.75, false), (0, 0.5, false)])
    func doubtedHairStaysForAwhile(_ found: Double, _ doubted: Double, _ stays: Bool) throws {
        let fringe = try portrait()
        // As dark and as red as skin in shadow.
        let shaded = try portrait(hair: 0.35 * Self.skin)
        var fresh = try follower(.waiting(.standard))
        let alone = try fresh.follow([], hair: [shaded.instance], in: shaded.pixels, at: 0)
        #expect(area(alone[shaded.instance.trackID]) < 100)
        var follower = try follower(.waiting(.standard))
        var mattes: [Int: OcclusionMatte] = [:]
        for seconds in stride(from: 0, through: found, by: 0.25) {
            mattes = try follower.follow([], hair: [fringe.instance], in: fringe.pixels, at: seconds)
        }
        #expect(area(mattes[fringe.instance.trackID]) > 4000)
        for seconds in stride(from: found + 0.25, through: found + doubted, by: 0.25) {
            mattes = try follower.follow([], hair: [fringe.instance], in: shaded.pixels, at: seconds)
        }
        let left = area(mattes[fringe.instance.trackID])
        #expect(stays ? left > 2000 : left < 100)
    }

    /// Noise moves the edge of hair by little.
    @Test func hairOfAStillHeadIsStill() throws {
        var follower = try follower(.waiting(.standard))
        let portrait = try portrait()
        var random = Noise(state: 7)
        var areas: [Float] = []
        for frame in 0..<60 {
            var pixels = try portrait.pixels.copy()
            for y in 0..<pixels.height {
                pixels.withMutableRow(y) { row in
                    for x in row.indices {
                        let noise = Int32(random.next() % 25) - 12
                        let color = SIMD4<Int32>(truncatingIfNeeded: row[x]) &+ SIMD4(noise, noise, noise, 0)
                        row[x] = SIMD4<UInt8>(clamping: color)
                    }
                }
            }
            let mattes = try follower.follow([], hair: [portrait.instance], in: pixels, at: Double(frame) / 30)
            areas.append(area(mattes[portrait.instance.trackID]))
        }
        let face = Float(100 * 130)
        let changes = zip(areas, areas.dropFirst()).map { (before: Float, after: Float) in abs(after - before) / face }
        #expect(areas.allSatisfy { $0 > 500 })
        let mean: Float = changes.reduce(0, +) / Float(changes.count)
        #expect(mean < 0.002, "\(changes)")
    }

    /// No picture waits for the other thread.
    @Test func hairComesFromTheOtherThread() throws {
        var follower = try follower(.background(.standard))
        let portrait = try portrait()
        var found: [Bool] = []
        for frame in 0..<400 where found.last != true {
            let mattes = try follower.follow(
                [], hair: [portrait.instance], in: portrait.pixels, at: Double(frame) / 100)
            found.append(area(mattes[portrait.instance.trackID]) > 500)
            usleep(10_000)
        }
        #expect(found.first == false && found.last == true)
    }
}

/// The same numbers each time (Marsaglia, "Xorshift RNGs", 2003).
private struct Noise {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 8
    }
}
