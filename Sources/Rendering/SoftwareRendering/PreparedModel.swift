import CRasterizer
import GLTF
import Pixels

/// A model with its textures in the rasteriser's form.
final class PreparedModel {
    /// Kept alive: it is found by its identity.
    let model: Model
    private(set) var materials: [crasterizer_material]
    /// The number of the last picture that it was drawn in. In the object, so that noting a use allocates nothing.
    fileprivate var lastUse = 0
    private let levels: [[Texels]]
    private let textures: [UnsafeMutableBufferPointer<crasterizer_texture>]

    init(_ model: Model) throws(OutOfMemory) {
        self.model = model
        var levels: [[Texels]] = []
        for picture in model.pictures { levels.append(try Self.levels(of: picture.pixels)) }
        self.levels = levels
        textures = levels.map { levels in
            let textures = UnsafeMutableBufferPointer<crasterizer_texture>.allocate(capacity: levels.count)
            _ = textures.initialize(from: levels.map(\.texture))
            return textures
        }
        materials = []
        materials = model.materials.map { material($0) }
    }

    deinit { for texture in textures { texture.deallocate() } }

    private static func levels(of pixels: borrowing PixelBuffer) throws(OutOfMemory) -> [Texels] {
        var levels: [Texels] = []
        var picture = try pixels.copy()
        while true {
            let texels = try Texels(width: picture.width, height: picture.height)
            try texels.copy(picture, picture.bounds)
            levels.append(texels)
            guard min(picture.width, picture.height) > 1 else { return levels }
            picture = try picture.halved()
        }
    }

    private func texture(_ texture: ModelTexture?) -> crasterizer_scene_texture {
        guard let texture else { return crasterizer_scene_texture() }
        let levels = textures[texture.picture]
        return crasterizer_scene_texture(
            levels: levels.baseAddress, level_count: Int32(levels.count), wrap_u: texture.horizontal.rawValue,
            wrap_v: texture.vertical.rawValue)
    }

    private func material(_ material: ModelMaterial) -> crasterizer_material {
        let (base, emissive) = (material.baseColor, material.emissive)
        var cutoff: Float = -1
        if case .mask(let value) = material.transparency { cutoff = value }
        return crasterizer_material(
            base_color: (base.x, base.y, base.z, base.w), emissive: (emissive.x, emissive.y, emissive.z),
            metallic: material.metallic, roughness: material.roughness, normal_scale: material.normalScale,
            occlusion_strength: material.occlusionStrength, cutoff: cutoff,
            blends: material.transparency == .blend, base_color_texture: texture(material.baseColorTexture),
            metallic_roughness_texture: texture(material.metallicRoughnessTexture),
            normal_texture: texture(material.normalTexture), occlusion_texture: texture(material.occlusionTexture),
            emissive_texture: texture(material.emissiveTexture))
    }
}

/// Models that were drawn lately.
struct PreparedModels {
    private var models: [ObjectIdentifier: PreparedModel] = [:]
    private var pictures = 0

    /// Models that so many pictures did not show are forgotten.
    private static let longestRest = 300

    mutating func beginPicture() {
        guard !models.isEmpty else { return }
        pictures += 1
        if pictures % Self.longestRest == 0 {
            models = models.filter { $0.value.lastUse > pictures - Self.longestRest }
        }
    }

    mutating func prepared(_ model: Model) throws(OutOfMemory) -> PreparedModel {
        let key = ObjectIdentifier(model)
        if let known = models[key] {
            known.lastUse = pictures
            return known
        }
        let prepared = try PreparedModel(model)
        prepared.lastUse = pictures
        models[key] = prepared
        return prepared
    }
}
