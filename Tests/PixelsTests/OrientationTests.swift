import Pixels
import TestSupport
import Testing

@Suite struct OrientationTests {
    /// A picture whose pixels say where they are, stored as a camera held in each way would store it, comes out
    /// upright.
    @Test(arguments: Orientation.allCases) func turnsUpright(_ orientation: Orientation) throws {
        let upright = try gradient(70, 131)
        let (width, height) = orientation.swapsAxes ? (131, 70) : (70, 131)
        var stored = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let place = orientation.source(x: x, y: y, width: width, height: height)
                let pixel = SIMD4<UInt8>(truncatingIfNeeded: upright[x, y])
                stored.withMutableRow(place.y) { $0[place.x] = pixel }
            }
        }
        let turned = try stored.turnedUpright(from: orientation)
        #expect(try PictureDifference(turned, upright).largest == 0)
    }

    /// What the standard says of each value: which corner of the stored picture is the top left one of the scene.
    @Test func cornersAreThoseOfTheStandard() {
        func corner(_ orientation: Orientation) -> [Int] {
            let place = orientation.source(x: 0, y: 0, width: 10, height: 20)
            return [place.x, place.y]
        }
        #expect(corner(.upright) == [0, 0])
        #expect(corner(.mirrored) == [9, 0])
        #expect(corner(.upsideDown) == [9, 19])
        #expect(corner(.mirroredUpsideDown) == [0, 19])
        #expect(corner(.transposed) == [0, 0])
        #expect(corner(.turnRight) == [0, 19])
        #expect(corner(.transversed) == [9, 19])
        #expect(corner(.turnLeft) == [9, 0])
    }

    @Test func sixteenBitsSurvive() throws {
        var picture = try PixelBuffer(width: 3, height: 2, format: .rgba16)
        picture.withUnsafeMutableBytes { $0.storeBytes(of: SIMD4<UInt16>(1, 258, 65535, 7), as: SIMD4<UInt16>.self) }
        let turned = try picture.turnedUpright(from: .turnRight)
        #expect(turned[1, 0] == SIMD4(1, 258, 65535, 7))
    }
}
