import ImageFiles
import Pixels

/// Materials and their pictures.
extension GLTFReader {
    mutating func material(_ index: Int) throws(ModelError) -> ModelMaterial {
        let object = try root.element("materials", index)
        var material = ModelMaterial()
        material.name = (try? object.string("name")) ?? ""
        if let surface = try object.object("pbrMetallicRoughness") {
            material.baseColor = SIMD4(
                try surface.numbers("baseColorFactor", count: 4, in: 0...1) ?? [1, 1, 1, 1])
            material.metallic = try surface.number("metallicFactor", default: 1, in: 0...1)
            material.roughness = try surface.number("roughnessFactor", default: 1, in: 0...1)
            material.baseColorTexture = try texture("baseColorTexture", of: surface)?.texture
            material.metallicRoughnessTexture = try texture("metallicRoughnessTexture", of: surface)?.texture
        }
        if let (texture, info) = try texture("normalTexture", of: object) {
            material.normalTexture = texture
            material.normalScale = try info.number("scale", default: 1, in: -100...100)
        }
        if let (texture, info) = try texture("occlusionTexture", of: object) {
            material.occlusionTexture = texture
            material.occlusionStrength = try info.number("strength", default: 1, in: 0...1)
        }
        material.emissiveTexture = try texture("emissiveTexture", of: object)?.texture
        material.emissive = SIMD3(try object.numbers("emissiveFactor", count: 3, in: 0...1) ?? [0, 0, 0])
        switch try object.string("alphaMode") ?? "OPAQUE" {
        case "OPAQUE": material.transparency = .opaque
        case "MASK": material.transparency = .mask(cutoff: try object.number("alphaCutoff", default: 0.5, in: 0...1e6))
        case "BLEND": material.transparency = .blend
        case let other: throw ModelError(.damaged, at: object.place("alphaMode"), "cannot be \"\(other.prefix(20))\"")
        }
        material.isDoubleSided = try object.bool("doubleSided")
        return material
    }

    /// Nil where none exists, and where it is left out. Its picture is an index into the document's images until
    /// `usedPictures`.
    private mutating func texture(
        _ key: String, of object: GLTFObject
    ) throws(ModelError) -> (texture: ModelTexture, info: GLTFObject)? {
        guard let info = try object.object(key) else { return nil }
        guard try info.index("texCoord") ?? 0 == 0 else {
            note(at: info.pointer, "a texture with a second set of coordinates is left out")
            return nil
        }
        let texture = try root.element("textures", try info.index("index") ?? 0)
        guard let picture = try texture.index("source") else {
            note(at: texture.pointer, "a texture without a PNG or JPEG picture is left out")
            return nil
        }
        var result = ModelTexture(picture: picture)
        if let index = try texture.index("sampler") {
            let sampler = try root.element("samplers", index)
            result.horizontal = Self.wrapping(try sampler.index("wrapS"))
            result.vertical = Self.wrapping(try sampler.index("wrapT"))
        }
        return (result, info)
    }

    private static func wrapping(_ code: Int?) -> ModelTexture.Wrapping {
        switch code {
        case 33071: .clamp
        case 33648: .mirror
        default: .repeat
        }
    }

    /// The materials with the pictures that those in use refer to.
    func usedPictures() throws(ModelError) -> ([ModelMaterial], [ModelPicture]) {
        let used = Set(geometry.parts.map(\.material))
        var (materials, pictures) = (materials, [ModelPicture]())
        var places: [Int: Int] = [:]
        var pixelsLeft = limits.pixels
        for index in materials.indices {
            // Pictures that nothing shows are not read.
            guard used.contains(index) else {
                materials[index] = ModelMaterial()
                continue
            }
            for texture in [
                \ModelMaterial.baseColorTexture, \.metallicRoughnessTexture, \.normalTexture, \.occlusionTexture,
                \.emissiveTexture,
            ] {
                guard let image = materials[index][keyPath: texture]?.picture else { continue }
                if places[image] == nil {
                    guard pictures.count < ModelLimits.maximumPictures else {
                        throw ModelError(
                            .tooLarge, at: "/images", "more than \(ModelLimits.maximumPictures) are used, the limit")
                    }
                    let picture = try picture(image, pixelsLeft: &pixelsLeft)
                    places[image] = pictures.count
                    pictures.append(picture)
                }
                materials[index][keyPath: texture]?.picture = places[image] ?? 0
            }
        }
        return (materials, pictures)
    }

    private func picture(_ index: Int, pixelsLeft: inout Int) throws(ModelError) -> ModelPicture {
        let image = try root.element("images", index)
        let bytes: [UInt8]
        if let uri = try image.string("uri") {
            bytes = try GLTFBuffers.data(uri, at: image.place("uri")).bytes
        } else {
            guard let view = try image.index("bufferView") else {
                throw ModelError(.damaged, at: image.pointer, "has no content")
            }
            bytes = Array(try buffers.view(view).bytes)
        }
        do {
            let name = "\(path), \(image.pointer)"
            let picture = try PictureReader.read(
                bytes, for: .texture, path: name, maximumSide: ModelLimits.maximumPictureSide)
            pixelsLeft -= picture.pixels.width * picture.pixels.height
            guard pixelsLeft >= 0 else {
                throw ModelError(
                    .tooLarge, at: image.pointer,
                    "with it the pictures have more than \(limits.pixels >> 20) million pixels, the limit")
            }
            return ModelPicture(pixels: try picture.pixels.withEightBits())
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(.picture, at: image.pointer, "\(error)")
        }
    }
}
