import Backgrounds
import Compositing
import FaceGeometry
import MaskRendering
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// A drawn head whose thick hair stands out on both sides of the crown of a hat.
@Suite(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
struct HairPresserTests {
    /// - Parameter curtain: columns of hair that hangs down beside the head.
    private func portrait(hairVolume: Float, curtain: Range<Int>) throws -> SyntheticPortrait {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair) = (SIMD3(0.70, 0.47, 0.37), SIMD3(0.012, 0.010, 0.010))
        (face.identity.backdrop, face.identity.hairVolume) = (SIMD3(0.2, 0.4, 0.8), hairVolume)
        var portrait = try SyntheticPortrait(
            face, width: 480, height: 480, placement: DrawnFacePlacement(center: Point(240, 280), faceWidth: 160),
            quality: .samples(1), reference: Repository.referenceFace())
        for y in curtain.isEmpty ? 0..<0 : 150..<310 {
            portrait.pixels.withMutableRow(y) { row in
                for x in curtain { row[x] = SIMD4(24 + UInt8((x * 7 + y) % 12), 22, 22, 255) }
            }
        }
        guard hairVolume > 0 else { return portrait }
        // Much more of it, from the ears upwards.
        for y in 0..<260 {
            portrait.pixels.withMutableRow(y) { row in
                for x in row.indices where Int(row[x].z) > Int(row[x].x) + 30 {
                    let place = (Point(Float(x), Float(y)) - Point(240, 240)) / Point(108, 150)
                    if place.length < 1 { row[x] = SIMD4(24 + UInt8((x * 7 + y) % 12), 22, 22, 255) }
                }
            }
        }
        return portrait
    }

    /// - Returns: how many pixels that were dark differ if hair is pressed, and how many others.
    private func changes(
        _ name: String, hairVolume: Float, curtain: Range<Int> = 0..<0
    ) throws -> (dark: Int, other: Int) {
        let portrait = try portrait(hairVolume: hairVolume, curtain: curtain)
        let renderer = RenderThread(softwareFor: try Repository.referenceFace(), mesh: try Repository.mesh())
        var compositor = FaceCompositor(
            mask: try Repository.mask(name), reference: try Repository.referenceFace(), mesh: try Repository.mesh())
        func masked() throws -> PixelBuffer {
            var result = try PixelBuffer(width: 1, height: 1, format: .rgba8)
            try renderer.perform {
                result = try compositor.masked(
                    try portrait.pixels.copy(), on: [portrait.instance], encoding: .video, with: $0)
            }
            return result
        }
        let plain = try masked()
        compositor.effects = try FrameEffects(nil, networks: .standard)
        let pressed = try masked()
        var (dark, other) = (0, 0)
        for y in 0..<plain.height {
            for x in 0..<plain.width {
                let (before, after) = (plain[x, y], pressed[x, y])
                let isBlue = Int(after.z) > Int(after.x) + 30
                guard abs(Int(before.z) - Int(after.z)) > 24 else { continue }
                if before.z < 90, isBlue { dark += 1 } else { other += 1 }
            }
        }
        return (dark, other)
    }

    @Test func hairAboveABrimBecomesBackground() throws {
        let changes = try changes("top-hat", hairVolume: 1)
        #expect(changes.dark > 100, "\(changes)")
        #expect(changes.other < changes.dark / 4, "\(changes)")
    }

    /// On a bald head nothing is pressed, nor under what is no hat, nor where hair hangs over the mask.
    @Test(arguments: [("top-hat", Float(0)), ("horns", 1), ("spectacles", 1), ("tiger", 1)])
    func nothingElseChanges(_ name: String, _ hairVolume: Float) throws {
        let changes = try changes(name, hairVolume: hairVolume)
        #expect(changes.dark + changes.other < 10, "\(changes)")
    }

    /// Half hidden, hair would be a veil.
    @Test(arguments: [Float(0), 0.2, 0.35, 0.45, 0.55, 0.65, 0.8, 1])
    func hairIsWholeOrHidden(clearness: Float) {
        let sides = SIMD2(clearness, 1 - clearness)
        let photograph = HairPresser.freedom(after: nil, sides)
        #expect(photograph == (clearness < 0.5 ? SIMD2(0, 1) : SIMD2(1, 0)))
        // A stream ends there, too, and what is doubtful stays as it was.
        for start in [SIMD2<Float>(0, 1), SIMD2(1, 0)] {
            var stream = start
            for _ in 0..<40 { stream = HairPresser.freedom(after: stream, sides) }
            let isDoubtful = abs(clearness - 0.5) < 0.2
            let end = isDoubtful ? start : photograph
            #expect(abs(stream.x - end.x) < 0.01 && abs(stream.y - end.y) < 0.01, "\(stream)")
        }
    }

    /// Hair that is wider than what would be pressed hangs down beside a head: cut through, it would be a spike.
    @Test func longHairIsNotCut() throws {
        let changes = try changes("wolf", hairVolume: 0, curtain: 306..<390)
        #expect(changes.dark + changes.other < 10, "\(changes)")
    }
}
