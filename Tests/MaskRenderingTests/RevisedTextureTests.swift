import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import TestSupport
import Testing

/// Textures that change in part, while somebody paints on them.
@Suite struct RevisedTextureTests {
    private let reference: ReferenceFace
    private let mesh: FaceMesh

    init() throws {
        reference = try Repository.referenceFace()
        mesh = try Repository.mesh()
    }

    private func renderer(inSoftware: Bool) throws -> RenderThread {
        inSoftware
            ? RenderThread(softwareFor: reference, mesh: mesh)
            : RenderThread(shaders: try Repository.shaders(), reference: reference, mesh: mesh)
    }

    private func instance(scale: Float, offset: Point) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { offset + scale * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
    }

    private func texture(_ width: Int, _ height: Int) throws -> Texture {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x ^ y) & 255), 255)
                }
            }
        }
        return Texture(path: "a.png", pixels: pixels)
    }

    /// - Parameter isTold: whether the revision says what it changes, or something else.
    private func erased(_ texture: Texture, _ area: PixelRectangle, isTold: Bool = true) throws -> Texture {
        var pixels = try texture.pixels.copy()
        for y in area.y..<area.y + area.height {
            pixels.withMutableRow(y) { row in
                for x in area.x..<area.x + area.width { row[x].w = UInt8((x + texture.revision) & 63) }
            }
        }
        return Texture(
            texture, pixels: pixels, changed: isTold ? area : PixelRectangle(x: 0, y: 0, width: 1, height: 1))
    }

    private func drawn(_ texture: Texture, asSticker: Bool, scale: Float, on thread: RenderThread) throws -> PixelBuffer
    {
        let content: Layer.Content =
            asSticker
            ? .sticker(StickerLayer(picture: .texture(texture), anchor: .nose, width: 0.9))
            : .warp(
                WarpLayer(
                    picture: .texture(texture), textureCoordinates: reference.vertices, openings: [.eyes, .mouth]))
        let mask = Mask(name: "a", author: nil, license: nil, layers: [Layer(content)], folder: "")
        var picture = try gradient(300, 300)
        let list = MaskComposer(reference: reference, mesh: mesh)
            .drawList(mask, on: [instance(scale: scale, offset: Point(20, 20))], in: picture)
        try thread.perform { try $0.execute(list, in: &picture, encoding: .video) }
        return picture
    }

    @Test(arguments: [true, false], SlowTests.areWanted ? [true, false] : [false]) func onlyWhatHasChangedIsMadeAgain(
        _ inSoftware: Bool, _ asSticker: Bool
    ) throws {
        // Sizes that are no powers of two, smaller than the least side of baked textures, and larger than the face.
        for (width, height, scale) in [(1000, 777, Float(250)), (333, 517, 120), (90, 101, 260)] {
            let thread = try renderer(inSoftware: inSoftware)
            var texture = try texture(width, height)
            func part(_ x: Float, _ y: Float, _ side: Float) -> PixelRectangle {
                let (width, height) = (Float(width), Float(height))
                return PixelRectangle(
                    x: Int(x * width), y: Int(y * height), width: Int(side * width), height: Int(side * height))
            }
            let first = try drawn(texture, asSticker: asSticker, scale: scale, on: thread)
            for area in [part(0.3, 0.3, 0.2), part(0.55, 0.52, 0.1), part(0, 0, 1), part(0.41, 0.43, 0.03)] {
                texture = try erased(texture, area)
                let updated = try drawn(texture, asSticker: asSticker, scale: scale, on: thread)
                let anew = try drawn(
                    texture, asSticker: asSticker, scale: scale, on: renderer(inSoftware: inSoftware))
                let difference = try PictureDifference(updated, anew)
                #expect(difference.largest <= 1, "\(width) × \(height), \(area): \(difference.histogram)")
                #expect(try PictureDifference(updated, first).largest > 30)
            }
            // What is not told is not made again.
            let before = try drawn(texture, asSticker: asSticker, scale: scale, on: thread)
            let untold = try erased(texture, part(0.4, 0.4, 0.2), isTold: false)
            let stale = try drawn(untold, asSticker: asSticker, scale: scale, on: thread)
            #expect(try PictureDifference(stale, before).largest <= 1)
        }
    }
}
