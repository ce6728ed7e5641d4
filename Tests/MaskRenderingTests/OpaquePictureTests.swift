import FaceGeometry
import ImageFiles
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Opaque sRGB pictures, which all video and most photographs are, take a path of their own: layers that OpenGL's
/// fixed-function blending can draw go straight to the picture. These tests compare pictures at full size.
@Suite struct OpaquePictureTests {
    let reference: ReferenceFace
    let renderer: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        renderer = try sharedRenderer.get()
    }

    /// A mask on a synthetic face, in 8-bit RGBA.
    private func masked(_ name: String, _ mask: String, isOpaque: Bool) throws -> PixelBuffer {
        let sample = try #require(Sample.all.first { $0.name == name })
        let photograph = try PictureReader.read("\(Repository.root)/samples/\(name).jpg")
        var picture = try PixelBuffer(width: Sample.width, height: Sample.height, format: .rgba8)
        for y in 0..<Sample.height {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4<UInt8>(truncatingIfNeeded: photograph.pixels[x, y]) }
            }
        }
        let face = Face(landmarks: sample.drawing(reference: reference).landmarks, reference: reference)
        let loaded = try Repository.mask(mask)
        let people = [FaceInstance(face: face, trackID: 1)]
        try renderer.perform {
            try $0.draw(loaded, on: people, at: 0.3, in: &picture, encoding: isOpaque ? .video : .init())
        }
        return picture
    }

    /// The path for opaque pictures draws the same as the one for all pictures.
    @Test(arguments: try Repository.maskNames().prefix(SlowTests.areWanted ? 100 : 6))
    func bothPathsDrawTheSame(_ mask: String) throws {
        let difference = try PictureDifference(
            masked("ada", mask, isOpaque: true), masked("ada", mask, isOpaque: false))
        // Each layer is rounded to 8 bits once more or less; single pixels at sharp edges differ by more.
        #expect(
            difference.share(above: 3) < 0.0003, "largest: \(difference.largest), histogram: \(difference.histogram)")
    }

    /// The part of a face with an eye, the nose, half of the mouth and the edge of the mask.
    private static let crop = (x: 160, y: 250, width: 176, height: 288)

    @Test(arguments: ["skull", "tiger", "makeup", "wolf"]) func masksAtFullSize(_ mask: String) throws {
        let whole = try masked("ada", mask, isOpaque: true)
        let crop = Self.crop
        var part = try PixelBuffer(width: crop.width, height: crop.height, format: .rgba8)
        for y in 0..<crop.height {
            part.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4<UInt8>(truncatingIfNeeded: whole[crop.x + x, crop.y + y]) }
            }
        }
        try GoldenPicture().check(part, name: "opaque-\(mask)")
    }
}
