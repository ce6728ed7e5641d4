import FaceGeometry
import NeuralNetworks
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Drawn faces, whose hair is known pixel by pixel.
@Suite(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
struct HairFinderTests {
    let reference: ReferenceFace
    let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    private func portrait(_ face: DrawnFace, width: Float = 100, samples: Int = 2) throws -> SyntheticPortrait {
        try SyntheticPortrait(
            face, width: Int(1.8 * width), height: Int(2.2 * width),
            placement: DrawnFacePlacement(center: Point(0.9 * width, 1.1 * width), faceWidth: width),
            quality: .samples(samples), reference: reference)
    }

    /// - Parameter isHair: whether a pixel shows hair.
    private func shares(_ portrait: borrowing SyntheticPortrait, isHair: (Int, Int) -> Bool) throws -> FaceShares {
        var shares = FaceShares()
        shares.count(portrait.instance, try SharedStillOcclusion.hair(portrait), mesh, isCovered: isHair)
        return shares
    }

    private static let skins = [SIMD3<Float>(0.70, 0.47, 0.37), SIMD3(0.52, 0.30, 0.19), SIMD3(0.165, 0.085, 0.050)]
    private static let walls = [SIMD3<Float>(0.8, 0.8, 0.78), SIMD3(0.32, 0.36, 0.40), SIMD3(0.02, 0.02, 0.025)]

    /// Most of a fringe is shown, and little of the face beside it.
    @Test(arguments: [(SIMD3<Float>(0.012, 0.010, 0.010), Float(0.5), 0), (SIMD3(0.08, 0.04, 0.02), 0.75, 1)])
    func aFringeIsFound(_ hair: SIMD3<Float>, _ fringe: Float, _ person: Int) throws {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair) = (Self.skins[person], hair)
        (face.identity.backdrop, face.identity.fringe) = (Self.walls[person], fringe)
        face.pose.yaw = 0.1
        let portrait = try portrait(face)
        // Hair is what has another colour if the hair has.
        face.identity.hair = SIMD3(0.1, 0.9, 0.1)
        let green = try self.portrait(face)
        let found = try shares(portrait) { x, y in
            let (one, other) = (portrait.pixels[x, y], green.pixels[x, y])
            return abs(Int(one.y) - Int(other.y)) > 40
        }
        #expect(found.covered > 20)
        #expect(Double(found.shown) > 0.65 * Double(found.covered), "\(found)")
        #expect(Double(found.unmasked) < 0.03 * Double(found.face), "\(found)")
    }

    /// Hair throws its shadow on the skin beside it.
    @Test func skinInTheShadowOfHairIsNoHair() throws {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair) = (Self.skins[0], SIMD3(0.05, 0.03, 0.02))
        (face.identity.backdrop, face.identity.fringe) = (Self.walls[0], 0.35)
        var portrait = try portrait(face, samples: 1)
        face.identity.hair = SIMD3(0.1, 0.9, 0.1)
        let green = try self.portrait(face, samples: 1)
        let isHair = (0..<portrait.pixels.height).map { y in
            (0..<portrait.pixels.width).map { x in
                abs(Int(portrait.pixels[x, y].y) - Int(green.pixels[x, y].y)) > 40
            }
        }
        let (strip, shade) = (8, Float(0.6))
        for y in isHair.indices {
            portrait.pixels.withMutableRow(y) { row in
                for x in strip..<row.count - strip where !isHair[y][x] {
                    guard isHair[y][x - strip...x + strip].contains(true) else { continue }
                    let color = SIMD4<Float>(row[x]) * SIMD4(1.1 * shade, shade, 0.95 * shade, 1)
                    row[x] = SIMD4<UInt8>(color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
                }
            }
        }
        let found = try shares(portrait) { isHair[$1][$0] }
        #expect(Double(found.shown) > 0.6 * Double(found.covered), "\(found)")
        #expect(Double(found.unmasked) < 0.03 * Double(found.face), "\(found)")
    }

    /// Shadows on a bald head are not hair, from whichever side the light comes.
    @Test(arguments: [
        (SIMD3<Float>(-1, -0.2, 0.3), 0), (SIMD3(1, 0, 0.15), 1), (SIMD3(0, 1, 0.4), 2), (SIMD3(0.1, -1, 0.2), 0),
        (SIMD3(0.1, -1, 0.2), 2), (SIMD3(0, 0, 1), 1),
    ])
    func nothingIsFoundOnBaldHeads(_ light: SIMD3<Float>, _ person: Int) throws {
        var face = DrawnFace()
        (face.identity.skin, face.identity.backdrop) = (Self.skins[person], Self.walls[2 - person])
        face.identity.hairVolume = 0
        face.light.direction = light
        face.light.ambient = 0.12
        let found = try shares(portrait(face, width: 80, samples: 1)) { _, _ in false }
        // The wall beside the head, at most.
        #expect(Double(found.unmasked) < 0.01 * Double(found.face), "\(found)")
    }

    /// A hat's colour is that of no hair.
    @Test(arguments: [SIMD4<UInt8>(170, 30, 30, 255), SIMD4(40, 90, 60, 255), SIMD4(20, 40, 110, 255)])
    func aHatIsFound(_ color: SIMD4<UInt8>) throws {
        var face = DrawnFace()
        face.identity.hairVolume = 0.2
        var portrait = try portrait(face, samples: 1)
        // Over the upper third of the forehead.
        let brows = portrait.instance.face.vertices[Landmarks.topology.rightBrow[2]].y
        let brim = Int(brows - 14)
        for y in brim - 60..<brim {
            portrait.pixels.withMutableRow(y) { row in
                for x in 30..<150 {
                    let fold = UInt8((x * 7 + y * 3) % 12)
                    row[x] = SIMD4(color.x - fold, color.y - fold, color.z - fold, 255)
                }
            }
        }
        let found = try shares(portrait) { _, y in y < brim }
        #expect(Double(found.shown) > 0.85 * Double(found.covered), "\(found)")
        #expect(Double(found.unmasked) < 0.03 * Double(found.face), "\(found)")
    }

    /// Faces of a few pixels, at the border and beyond it, and landmarks that are no numbers.
    @Test func unreadablePicturesShowNoHair() throws {
        var face = DrawnFace()
        face.identity.fringe = 0.6
        let portrait = try portrait(face, samples: 1)
        let drawing = FaceDrawing(
            face, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100), reference: reference)
        var finder = StillOcclusion(reference: reference, mesh: mesh, search: .waiting(.standard))
        let transforms: [(Point) -> Point] = [
            { 0.2 * $0 }, { $0 + 5000 }, { $0 * Point(1, .nan) }, { $0 * .infinity },
        ]
        let found = try finder.find(hair: [drawing.instance()], glasses: [], in: portrait.pixels)
        #expect(found.count == 1)
        for transform in transforms {
            let moved = [drawing.instance(transform)]
            let found = try finder.find(hair: moved, glasses: moved, in: portrait.pixels)
            #expect(found.isEmpty)
        }
    }
}
