import Backgrounds
import Compositing
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// A drawn head with dark hair in front of a blue wall.
@Suite(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
struct HairDyerTests {
    private func portrait(
        hair: SIMD3<Float>, shirt: SIMD3<Float> = SIMD3(0.05, 0.09, 0.16)
    ) throws -> SyntheticPortrait {
        var face = DrawnFace()
        face.identity.shirt = shirt
        (face.identity.skin, face.identity.hair) = (SIMD3(0.70, 0.47, 0.37), hair)
        (face.identity.backdrop, face.identity.hairVolume) = (SIMD3(0.2, 0.4, 0.8), 1)
        return try SyntheticPortrait(
            face, width: 480, height: 480, placement: DrawnFacePlacement(center: Point(240, 260), faceWidth: 160),
            quality: .samples(1), reference: Repository.referenceFace())
    }

    private func dyed(
        _ portrait: borrowing SyntheticPortrait, _ color: SIMD3<Float>, opacity: Float = 1,
        format: PixelFormat = .rgba8,
        beside other: FaceInstance? = nil
    ) throws -> PixelBuffer {
        var layer = Layer(.hair(color: color))
        layer.opacities = [AnimatableValue(opacity)]
        let mask = Mask(name: "Dye", author: nil, license: nil, layers: [layer], folder: "/")
        var picture = try PixelBuffer(width: portrait.pixels.width, height: portrait.pixels.height, format: format)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let pixel = portrait.pixels[x, y]
                picture.withUnsafeMutableBytes { [stride = picture.bytesPerRow] bytes in
                    if format == .rgba16 {
                        bytes.storeBytes(of: 257 &* pixel, toByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
                    } else {
                        bytes.storeBytes(
                            of: SIMD4<UInt8>(truncatingIfNeeded: pixel), toByteOffset: y * stride + 4 * x,
                            as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
        var worn = [WornMask(mask, on: portrait.instance)]
        if let other {
            worn.append(WornMask(Mask(name: "", author: nil, license: nil, layers: [], folder: "/"), on: other))
        }
        try HairDyer(.standard).retouch(&picture, before: DrawList(), on: worn, at: nil)
        return picture
    }

    /// Brown hair becomes grey and lighter; wall, face and clothes stay as they are.
    @Test(arguments: [PixelFormat.rgba8, .rgba16]) func hairAloneBecomesGrey(_ format: PixelFormat) throws {
        let portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02))
        let result = try dyed(portrait, SIMD3(0.86, 0.85, 0.84), format: format)
        let scale: Float = format == .rgba16 ? 257 : 1
        var (grey, hair, others) = (0, 0, 0)
        for y in 0..<result.height {
            for x in 0..<result.width {
                let before = SIMD4<Float>(portrait.pixels[x, y])
                let after = SIMD4<Float>(result[x, y]) / scale
                let isHair = before.x < 120 && before.x > before.z + 15 && y < 200
                let change = abs(after.y - before.y)
                if isHair {
                    hair += 1
                    if after.y > before.y + 30, abs(after.x - after.z) < 14 { grey += 1 }
                } else if before.z > before.x + 30 || y > 200 && abs(Float(x) - 240) < 60, change > 20 {
                    others += 1
                }
            }
        }
        #expect(hair > 2000, "the drawing has hair")
        #expect(grey > hair * 7 / 10, "\(grey) of \(hair)")
        #expect(others < hair / 20, "\(others)")
    }

    /// Green in place of everything, but only where hair has been dyed before.
    private final class Green: FrameEffect {
        let undyed: PixelBuffer
        private(set) var dyed = 0

        init(_ undyed: consuming PixelBuffer) { self.undyed = undyed }

        func interrupt() {}
        func apply(to picture: inout PixelBuffer) throws {
            for y in 0..<200 {
                for x in 0..<picture.width where picture[x, y] != undyed[x, y] { dyed += 1 }
            }
            picture.fill(SIMD4(0, 255, 0, 255))
        }
    }

    /// Hair is the camera's: what is shown behind it, people perhaps, keeps its colours.
    @Test func backgroundsAreNotDyed() throws {
        let portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02))
        let mask = Mask(
            name: "Dye", author: nil, license: nil, layers: [Layer(.hair(color: SIMD3(0.86, 0.85, 0.84)))], folder: "/")
        let (reference, mesh) = (try Repository.referenceFace(), try Repository.mesh())
        var compositor = FaceCompositor(mask: mask, reference: reference, mesh: mesh)
        compositor.effects = try FrameEffects(nil, networks: .standard)
        let green = Green(try portrait.pixels.copy())
        compositor.effects.chosen = green
        var others = 0
        try RenderThread(softwareFor: reference, mesh: mesh).perform {
            let result = try compositor.masked(
                try portrait.pixels.copy(), on: [portrait.instance], encoding: .video, with: $0)
            for y in 0..<result.height {
                for x in 0..<result.width where result[x, y] != SIMD4(0, 255, 0, 255) { others += 1 }
            }
        }
        #expect(green.dyed > 2000 && others == 0, "\(green.dyed), \(others)")
    }

    @Test func opacityIsHowFarItIsDyed() throws {
        let portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02))
        let whole = try dyed(portrait, SIMD3(1, 1, 1))
        let half = try dyed(portrait, SIMD3(1, 1, 1), opacity: 0.5)
        let none = try dyed(portrait, SIMD3(1, 1, 1), opacity: 0)
        var sums = (whole: 0, half: 0)
        for y in 0..<200 {
            for x in 0..<none.width {
                #expect(none[x, y] == portrait.pixels[x, y])
                sums.whole += Int(whole[x, y].y) - Int(none[x, y].y)
                sums.half += Int(half[x, y].y) - Int(none[x, y].y)
            }
        }
        #expect(sums.whole > 100_000)
        #expect(abs(2 * sums.half - sums.whole) < sums.whole / 10, "\(sums)")
    }

    /// How much lighter what hangs beside the neck onto the chest becomes, what is in the middle of the chest, and what is on a
    /// shoulder.
    /// - Parameter sleeve: so far from the middle, below the neck, clothes look like hair, in pixels.
    private func changesBelow(
        shirt: SIMD3<Float>, sleeve: Int = 0
    ) throws -> (hair: Float, shirt: Float, shoulder: Float) {
        var portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02), shirt: shirt)
        for y in 200..<480 {
            portrait.pixels.withMutableRow(y) { row in
                for x in row.indices where (70..<(y > 390 ? max(108, sleeve) : 108)).contains(abs(x - 240)) {
                    let strand = UInt8((x * 7) % 12)
                    row[x] = SIMD4(82 + strand, 56 + strand, 38 + strand, 255)
                }
            }
        }
        let result = try dyed(portrait, SIMD3(0.86, 0.85, 0.84))
        func change(_ columns: Range<Int>, _ rows: Range<Int>) -> Float {
            var sum = 0
            for y in rows {
                for x in columns { sum += Int(result[x, y].y) - Int(portrait.pixels[x, y].y) }
            }
            return Float(sum) / Float(columns.count * rows.count)
        }
        return (
            (change(140..<162, 440..<476) + change(318..<340, 440..<476)) / 2, change(210..<270, 440..<476),
            change(385..<403, 440..<476)
        )
    }

    @Test func longHairIsDyedToItsEnd() throws {
        let changes = try changesBelow(shirt: SIMD3(0.1, 0.3, 0.32))
        #expect(changes.hair > 30, "\(changes)")
        #expect(abs(changes.shirt) < 3, "\(changes)")
    }

    /// The outer edge of hair goes on downwards.
    @Test func shouldersOfTheColorOfHairStay() throws {
        let changes = try changesBelow(shirt: SIMD3(0.1, 0.3, 0.32), sleeve: 166)
        #expect(changes.hair > 30, "\(changes)")
        #expect(abs(changes.shoulder) < 3, "\(changes)")
    }

    @Test func clothesOfTheColorOfHairStay() throws {
        let changes = try changesBelow(shirt: SIMD3(0.09, 0.045, 0.02))
        #expect(abs(changes.shirt) < 3, "\(changes)")
    }

    /// Hair that goes on where it may be somebody else's would be grey to mid-length: its roots are dyed alone.
    @Test func hairThatIsNotKnownToItsEndIsDyedAtItsRoots() throws {
        var portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02), shirt: SIMD3(0.1, 0.3, 0.32))
        for y in 200..<480 {
            portrait.pixels.withMutableRow(y) { row in
                for x in row.indices where (70..<125).contains(abs(x - 240)) {
                    let strand = UInt8((x * 7) % 12)
                    row[x] = SIMD4(82 + strand, 56 + strand, 38 + strand, 255)
                }
            }
        }
        let column = (0..<200).map { portrait.pixels[240, $0] }
        let edge = try #require(column.lastIndex { $0.x < 120 && $0.x > $0.z + 15 })
        /// How much lighter hair becomes at the hairline, and beside the mouth, on the far side of the other face.
        func changes(beside other: FaceInstance?) throws -> (root: Float, length: Float) {
            let result = try dyed(portrait, SIMD3(0.86, 0.85, 0.84), beside: other)
            func change(_ columns: Range<Int>, _ rows: Range<Int>) -> Float {
                var sum = 0
                for y in rows {
                    for x in columns { sum += Int(result[x, y].y) - Int(portrait.pixels[x, y].y) }
                }
                return Float(sum) / Float(columns.count * rows.count)
            }
            return (change(220..<260, edge - 8..<edge - 4), change(138..<158, 320..<350))
        }
        let landmarks = portrait.instance.face.landmarks.mapped { $0 + Point(170, 0) }
        let neighbour = FaceInstance(
            face: Face(landmarks: landmarks, reference: try Repository.referenceFace()),
            trackID: portrait.instance.trackID + 1)
        let (alone, beside) = (try changes(beside: nil), try changes(beside: neighbour))
        #expect(alone.root > 40 && alone.length > 40, "\(alone)")
        #expect(beside.root > 0.5 * alone.root && beside.length < 0.2 * alone.length, "\(beside), \(alone)")
    }

    /// Single strands of a fringe, thinner than the cells in which hair is looked for, on the forehead.
    @Test func strandsOnTheForeheadAreDyed() throws {
        var portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02))
        let columns = stride(from: 210, to: 270, by: 15)
        // The lowest hair above the forehead.
        let column = (0..<200).map { portrait.pixels[240, $0] }
        let edge = try #require(column.lastIndex { $0.x < 120 && $0.x > $0.z + 15 })
        let rows = edge + 4..<edge + 14
        for y in edge - 2..<rows.upperBound {
            portrait.pixels.withMutableRow(y) { row in
                for x in columns { (row[x], row[x + 1]) = (SIMD4(84, 58, 40, 255), SIMD4(84, 58, 40, 255)) }
            }
        }
        let result = try dyed(portrait, SIMD3(0.86, 0.85, 0.84))
        func change(_ offset: Int) -> Float {
            var sum = 0
            for y in rows {
                for x in columns { sum += Int(result[x + offset, y].y) - Int(portrait.pixels[x + offset, y].y) }
            }
            return Float(sum) / Float(4 * rows.count)
        }
        #expect(change(0) > 60 && abs(change(4)) < change(0) / 3, "strands \(change(0)), skin \(change(4))")
    }

    /// Where the wall is as dark as hair, nobody sees where hair ends: the dye fades out before, and leaves no fog on the wall.
    @Test func dyeFadesOutBeforeADarkWall() throws {
        /// How much lighter the upper rim of hair becomes, and the hair that is next to the forehead.
        func changes(isDark: Bool) throws -> (rim: Float, forehead: Float) {
            var portrait = try portrait(hair: SIMD3(0.09, 0.045, 0.02))
            let isHair = { (pixel: SIMD4<UInt16>) in pixel.x < 120 && pixel.x > pixel.z + 15 }
            var rows: ClosedRange<Int>?
            for y in 0..<200 where isHair(portrait.pixels[240, y]) {
                rows = (rows?.lowerBound ?? y)...y
            }
            if isDark {
                for y in 0..<480 {
                    portrait.pixels.withMutableRow(y) { row in
                        for x in row.indices where row[x].z > row[x].x &+ 30 { row[x] = SIMD4(74, 60, 50, 255) }
                    }
                }
            }
            let result = try dyed(portrait, SIMD3(0.86, 0.85, 0.84))
            let (first, last) = (try #require(rows).lowerBound, try #require(rows).upperBound)
            func change(_ rows: Range<Int>) -> Float {
                var sum = 0
                for y in rows {
                    for x in 220..<260 { sum += Int(result[x, y].y) - Int(portrait.pixels[x, y].y) }
                }
                return Float(sum) / Float(40 * rows.count)
            }
            return (change(first + 4..<first + 10), change(last - 8..<last - 4))
        }
        let (blue, dark) = (try changes(isDark: false), try changes(isDark: true))
        #expect(blue.rim > 40 && dark.rim < blue.rim / 2, "\(blue), \(dark)")
        #expect(dark.forehead > 2 * dark.rim, "\(blue), \(dark)")
    }

    /// What no hair of a person is keeps its colour.
    private func expectNoChange(hair: SIMD3<Float>, dye: SIMD3<Float>) throws {
        let portrait = try portrait(hair: hair)
        let result = try dyed(portrait, dye)
        var changed = 0
        for y in 0..<result.height {
            for x in 0..<result.width where abs(Int(result[x, y].y) - Int(portrait.pixels[x, y].y)) > 20 {
                changed += 1
            }
        }
        #expect(changed < 40, "\(changed)")
    }

    /// Lamps and skies on a bald scalp are lighter and paler than skin, as white hair is.
    @Test func shiningScalpsStay() throws {
        try expectNoChange(hair: SIMD3(0.89, 0.79, 0.73), dye: SIMD3(0.2, 0.2, 0.2))
    }

    /// Green is worn, not grown.
    @Test func coloredHatsStay() throws {
        try expectNoChange(hair: SIMD3(0.02, 0.30, 0.05), dye: SIMD3(0.86, 0.85, 0.84))
    }
}
