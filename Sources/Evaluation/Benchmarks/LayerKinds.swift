import FaceGeometry
import Masks
import Pixels

/// Masks with one kind of layer each, for `RenderBenchmark`.
struct LayerKinds {
    struct Kind {
        let name: String
        let mask: Mask
        /// The number of faces that wear it.
        var people = 1
    }

    let reference: ReferenceFace

    func all() throws -> [Kind] {
        let texture = try pattern()
        func warp(_ change: (inout Layer) -> Void = { _ in }) -> Layer {
            var layer = Layer(
                .warp(
                    WarpLayer(
                        picture: .texture(texture), textureCoordinates: reference.vertices,
                        openings: Set(FaceMesh.Opening.allCases))))
            change(&layer)
            return layer
        }
        let live = Layer(.warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: [])))
        let swap = Layer(.warp(WarpLayer(picture: .otherFace, textureCoordinates: reference.vertices, openings: [])))
        let sticker = Layer(.sticker(StickerLayer(picture: .texture(texture), anchor: .nose, width: 0.5)))
        let deform = Layer(.deform(Deformation([.eyes: AnimatableValue(1)])))
        let lit = warp { $0.light = LightMatching(shading: 0.6, color: 0.5) }
        let detailed = warp { $0.light = LightMatching(shading: 0.6, detail: 0.3, color: 0.5) }
        return [
            kind("warp", [warp()]),
            kind("warp, multiply", [warp { $0.blendMode = .multiply }]),
            kind("warp, overlay", [warp { $0.blendMode = .overlay }]),
            kind("warp, light", [lit]),
            kind("warp, light and detail", [detailed]),
            kind("sticker", [sticker]),
            kind("deform and live face", [deform, live]),
            kind("two traded faces", [swap], people: 2),
            kind("twelve faces, light", [lit], people: 12),
        ]
    }

    private func kind(_ name: String, _ layers: [Layer], people: Int = 1) -> Kind {
        Kind(
            name: name, mask: Mask(name: "", author: nil, license: nil, layers: layers, folder: ""), people: people)
    }

    /// An opaque texture without uniform areas.
    private func pattern() throws -> Texture {
        var pixels = try PixelBuffer(width: 1024, height: 1024, format: .rgba8)
        for y in 0..<1024 {
            pixels.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(x / 4), UInt8(y / 4), UInt8((x ^ y) & 255), 255) }
            }
        }
        return Texture(path: "pattern", pixels: pixels)
    }
}
