/// A surface in the metallic-roughness model of glTF 2.0 (3.9). Colours are linear red, green and blue.
package struct ModelMaterial: Equatable, Sendable {
    /// The effect of the base colour's alpha.
    package enum Transparency: Equatable, Sendable {
        case opaque
        /// Below the cut-off nothing is drawn, elsewhere the surface is opaque.
        case mask(cutoff: Float)
        /// The background shines through.
        case blend
    }

    /// As the file names it; empty: it has no name.
    package var name = ""
    /// With alpha, each 0…1; multiplied by the texture and the vertices' colours.
    package var baseColor = SIMD4<Float>(repeating: 1)
    /// sRGB-encoded, straight alpha.
    package var baseColorTexture: ModelTexture?
    /// 0…1; multiplied by the texture's blue.
    package var metallic: Float = 1
    /// 0…1; multiplied by the texture's green.
    package var roughness: Float = 1
    package var metallicRoughnessTexture: ModelTexture?
    /// Directions in tangent space, 0…1 for −1…1.
    package var normalTexture: ModelTexture?
    /// Multiplies x and y of the normal texture.
    package var normalScale: Float = 1
    /// Red: how much soft light arrives.
    package var occlusionTexture: ModelTexture?
    /// 0…1.
    package var occlusionStrength: Float = 1
    /// 0…1 each; multiplied by the texture.
    package var emissive = SIMD3<Float>.zero
    /// sRGB-encoded.
    package var emissiveTexture: ModelTexture?
    package var transparency = Transparency.opaque
    /// Whether triangles that face away are drawn, with their normals turned.
    package var isDoubleSided = false

    package init() {}

    /// All textures that it uses.
    var textures: [ModelTexture] {
        [baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture].compactMap { $0 }
    }
}

/// How a picture is laid on a surface.
package struct ModelTexture: Equatable, Sendable {
    /// The treatment of coordinates beyond 0…1.
    package enum Wrapping: Int32, Sendable {
        case `repeat` = 0
        case clamp = 1
        case mirror = 2
    }

    /// An index into `Model.pictures`.
    package var picture: Int
    package var horizontal = Wrapping.repeat
    package var vertical = Wrapping.repeat

    package init(picture: Int, horizontal: Wrapping = .repeat, vertical: Wrapping = .repeat) {
        self.picture = picture
        self.horizontal = horizontal
        self.vertical = vertical
    }
}
