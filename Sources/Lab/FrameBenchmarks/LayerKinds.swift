import FaceGeometry
import GLTF
import Glibc
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
        let smooth = warp { $0.makeup = Makeup(smoothing: 0.6) }
        let pigment = warp { $0.makeup = Makeup(color: SIMD3(0.6, 0.2, 0.25)) }
        return [
            kind("warp", [warp()]),
            kind("warp, multiply", [warp { $0.blendMode = .multiply }]),
            kind("warp, overlay", [warp { $0.blendMode = .overlay }]),
            kind("warp, light", [lit]),
            kind("warp, light and detail", [detailed]),
            kind("makeup, smoothing", [smooth]),
            kind("makeup, pigment", [pigment]),
            kind("sticker", [sticker]),
            kind("deform and live face", [deform, live]),
            kind("two traded faces", [swap], people: 2),
            kind("twelve faces, light", [lit], people: 12),
            kind("prop, \(Self.propTriangles) triangles", [prop()]),
        ]
    }

    private static let propTriangles = 30_000

    /// A polished ball around the head, open in front of the face.
    private func prop() -> Layer {
        let (rows, columns) = (100, Self.propTriangles / 200)
        let vertices = (0...rows).flatMap { row in
            (0...columns).map { column -> ModelVertex in
                let polar = 0.5 + 2.6 * Float(row) / Float(rows)
                let angle = 2 * Float.pi * Float(column) / Float(columns)
                let normal = SIMD3(sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar))
                return ModelVertex(position: normal, normal: normal)
            }
        }
        let indices = (0..<rows).flatMap { row in
            (0..<columns).flatMap { column -> [UInt32] in
                let first = UInt32(row * (columns + 1) + column)
                let below = first + UInt32(columns + 1)
                return [first, below, first + 1, first + 1, below, below + 1]
            }
        }
        var material = ModelMaterial()
        material.roughness = 0.3
        material.isDoubleSided = true
        let model = Model(
            path: "ball", vertices: vertices, indices: indices,
            parts: [ModelPart(material: 0, indices: 0..<indices.count)], materials: [material], pictures: [])
        return Layer(.prop(PropLayer(model: model, anchor: .eyes, position: SIMD3(0, 0, -0.4), width: 2)))
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
