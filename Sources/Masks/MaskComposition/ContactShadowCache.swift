import FaceGeometry
import GLTF
import Masks
import Pixels

/// Keeps the shadows of props, which cost some milliseconds, for as long as they stand where they do.
final class ContactShadowCache {
    private struct Entry {
        weak var model: Model?
        let modelToHead: AffineTransform3D
        let shadow: ContactShadow
    }

    private var entries: [Entry] = []
    /// A mask has a few props; while an editor moves one, every place would leave an entry.
    private static let limit = 16
    private let positions: [SIMD3<Float>]
    private let triangles: [Triangle]
    private let reference: ReferenceFace
    /// Shadows on skin are not black: light goes through it.
    let texture: Texture?

    init(_ refined: RefinedMesh, canonicalUV: [Point], reference: ReferenceFace) {
        let depths = refined.interpolated(reference.depths)
        positions = zip(canonicalUV, depths).map {
            HeadCamera.position(canonical: $0, depth: $1, reference: reference)
        }
        triangles = refined.triangles(openings: [])
        self.reference = reference
        guard var pixels = try? PixelBuffer(width: 4, height: 4, format: .rgba8) else {
            texture = nil
            return
        }
        pixels.fill(SIMD4(28, 12, 8, 255))
        texture = Texture(path: "", pixels: pixels)
    }

    /// The texture of a shadow, for the whole face; nil where no memory is available.
    private(set) lazy var warp = texture.map {
        WarpLayer(picture: .texture($0), textureCoordinates: reference.vertices, openings: [])
    }

    func shadow(of prop: PropLayer) -> ContactShadow {
        let modelToHead = prop.modelToHead(reference)
        if let known = entries.first(where: { $0.model === prop.model && $0.modelToHead == modelToHead }) {
            return known.shadow
        }
        let shadow = ContactShadow(of: prop, on: positions, triangles: triangles, reference: reference)
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(Entry(model: prop.model, modelToHead: modelToHead, shadow: shadow))
        return shadow
    }
}
