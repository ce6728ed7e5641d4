import FaceGeometry
import Graphics
import ImageFiles
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Threads

/// Colours of pictures that are not plain sRGB, large and absent faces, and errors.
extension MaskRendererTests {
    // MARK: Colour

    @Test func greyPicturesTakeTheLuminance() throws {
        let mask = try plainMask(SIMD4(255, 0, 0, 255))
        var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
        let face = try face()
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture, encoding: .init(isGrey: true)) }
        // Rec. 709: 0.2126 in linear light is 127 of 255.
        let pixel = picture[270, 300]
        #expect(pixel.x == pixel.y && pixel.y == pixel.z)
        #expect(abs(Int(pixel.x) - 127) <= 1, "\(pixel)")
    }

    @Test func transparentPicturesAreCoveredInTheRightShare() throws {
        let mask = try plainMask(SIMD4(255, 0, 0, 255), opacity: 0.5)
        var picture = try plain(540, 540, SIMD4(0, 0, 255, 0))
        let face = try face()
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        // Over nothing the mask keeps its colour and its own transparency.
        #expect(picture[270, 300].x == 255 && picture[270, 300].z == 0)
        #expect(abs(Int(picture[270, 300].w) - 128) <= 1)
    }

    @Test func colorsAreTakenToThePicturesOwnSpace() throws {
        let mask = try plainMask(SIMD4(255, 0, 0, 255))
        var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
        let face = try face()
        let swap: [Float] = [0, 1, 0, 1, 0, 0, 0, 0, 1]
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture, encoding: .init(matrixFromSRGB: swap)) }
        #expect(picture[270, 300] == SIMD4(0, 255, 0, 255))
    }

    @Test func layersLieOneOverAnother() throws {
        let mask = try plainMask(SIMD4(255, 255, 255, 255), opacity: 0.5, layers: 2)
        var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
        let face = try face()
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        // Three quarters.
        #expect(abs(Int(picture[270, 300].x) - 191) <= 1)
    }

    // MARK: Sizes and places

    /// A face larger than a tile is drawn in pieces, without a trace of them.
    @Test func largeFacesAreDrawnInPieces() throws {
        let mask = try plainMask(SIMD4(255, 255, 255, 255), opacity: 0.5)
        var picture = try plain(2600, 2600, SIMD4(0, 0, 0, 255))
        let face = try face(scale: 2580)
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        for x in 1000..<2000 { #expect((127...128).contains(picture[x, 1100].x)) }
        for y in 1200..<2100 { #expect((127...128).contains(picture[1100, y].x)) }
    }

    /// A face that is larger than OpenGL's textures: a layer that shows the face itself is left out, and the others drawn.
    @Test func facesTooLargeForATextureLoseOnlyTheLayersThatShowThem() throws {
        let context = ThreadConfined { try OffscreenContext() }
        var limit = 0
        try context.perform { limit = $0.largestTextureSide }
        let live = Layer(.warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: [])))
        let mask = try plainMask(SIMD4(255, 0, 0, 255))
        let both = Mask(name: "both", author: nil, license: nil, layers: [live] + mask.layers, folder: "")
        let face = try face(scale: 2 * Float(limit), offset: Point(-0.5 * Float(limit), -0.9 * Float(limit)))
        var expected = try plain(limit + 600, 40, SIMD4(0, 0, 0, 255))
        var picture = try expected.copy()
        try renderer.perform {
            try $0.draw(mask, on: [face], in: &expected)
            try $0.draw(both, on: [face], in: &picture)
        }
        #expect(expected[limit / 2, 20].x == 255)
        #expect(try PictureDifference(expected, picture).largest == 0)
    }

    @Test func facesOutsideThePictureAreNoCrash() throws {
        let mask = try plainMask(SIMD4(255, 255, 255, 255))
        let before = try gradient(100, 100)
        var picture = try before.copy()
        for offset in [Point(-5000, 0), Point(0, 5000), Point(1e20, -1e20), Point(-300, -300)] {
            let face = try face(scale: 200, offset: offset)
            try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        }
        #expect(try PictureDifference(before, picture).largest == 0)
        let partly = try face(scale: 200, offset: Point(-100, -100))
        try renderer.perform { try $0.draw(mask, on: [partly], in: &picture) }
        #expect(try PictureDifference(before, picture).largest > 0)
    }

    @Test func aMirroredMeshIsNotDrawn() throws {
        // All triangles turned away: nothing to see.
        let mask = try plainMask(SIMD4(255, 255, 255, 255))
        let landmarks = reference.landmarks.mapped { Point(520 - 500 * $0.x, 10 + 500 * $0.y) }
        let face = Face(landmarks: landmarks, reference: reference)
        let before = try gradient(540, 540)
        var picture = try before.copy()
        try renderer.perform { try $0.draw(mask, on: [face], in: &picture) }
        #expect(try PictureDifference(before, picture).largest == 0)
    }

    // MARK: Errors

    @Test func aBrokenShaderIsNamedWithTheDriversWords() throws {
        let sources = ShaderSources(
            vertex: "#version 330 core\nvoid main() { nonsense; }", vertexPath: "shaders/Broken.vert",
            fragment: try Repository.shaders("WarpLayer").fragment, fragmentPath: "shaders/WarpLayer.frag")
        let broken = RenderThread(
            shaders: MaskShaders(
                warpLayer: sources, layerTexture: try Repository.shaders("LayerTexture"),
                propSurface: try Repository.shaders("PropSurface")),
            reference: reference, mesh: try Repository.mesh())
        #expect { try broken.perform { _ in } } throws: { "\($0)".contains("shaders/Broken.vert: does not compile") }
    }

    /// A second context comes and goes without harm to the first.
    @Test func contextsDoNotDisturbEachOther() throws {
        let mask = try plainMask(SIMD4(255, 0, 0, 255))
        let face = try face()
        for _ in 0..<5 {
            let other = RenderThread(
                shaders: try Repository.shaders(), reference: reference, mesh: try Repository.mesh())
            for thread in [other, renderer] {
                var picture = try plain(540, 540, SIMD4(0, 0, 0, 255))
                try thread.perform { try $0.draw(mask, on: [face], in: &picture) }
                #expect(picture[270, 300].x == 255)
            }
        }
    }

    @Test func anErrorInsideTheWorkReachesTheCallerAndTheThreadLivesOn() throws {
        #expect(throws: OutOfMemory.self) { try renderer.perform { _ in throw OutOfMemory.test } }
        var ran = false
        try renderer.perform { _ in ran = true }
        #expect(ran)
    }
}
