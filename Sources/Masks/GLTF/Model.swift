import Files
import Pixels

/// A 3-D model as it is drawn: triangles with materials. Coordinates are glTF's: right-handed, y up, the model's
/// front towards +z; the unit is the model's own. Immutable and shared; renderers may keep what they derive from it by
/// identity.
package final class Model: Sendable {
    package let path: FilePath
    package let vertices: [ModelVertex]
    /// Three per triangle, counter-clockwise seen from the front; each below the count of vertices.
    package let indices: [UInt32]
    /// Consecutive parts of `indices`.
    package let parts: [ModelPart]
    package let materials: [ModelMaterial]
    package let pictures: [ModelPicture]
    /// The moving parts; nil: the model is rigid.
    package let rig: ModelRig?
    /// The smallest box around all vertices that triangles use.
    package let bounds: ModelBounds

    /// - Parameter vertices: at rest.
    package init(
        path: FilePath, vertices: [ModelVertex], indices: [UInt32], parts: [ModelPart], materials: [ModelMaterial],
        pictures: [ModelPicture], rig: ModelRig? = nil
    ) {
        precondition(indices.allSatisfy { Int($0) < vertices.count } && indices.count % 3 == 0)
        precondition(
            parts.allSatisfy { materials.indices.contains($0.material) && $0.indices.upperBound <= indices.count })
        precondition(materials.flatMap(\.textures).allSatisfy { pictures.indices.contains($0.picture) })
        self.path = path
        self.vertices = vertices
        self.indices = indices
        self.parts = parts
        self.materials = materials
        self.pictures = pictures
        self.rig = rig
        bounds = ModelBounds(vertices, indices)
    }

    package var triangleCount: Int { indices.count / 3 }
}

/// A vertex of a model in 64 bytes, as renderers upload it.
package struct ModelVertex: Equatable, Sendable {
    /// x, y, z, and u on the textures.
    private var positionAndU: SIMD4<Float>
    /// Of length 1, and v on the textures.
    private var normalAndV: SIMD4<Float>
    /// The direction of u in space, of length 1, and in w the sign of the bitangent (glTF 2.0, 3.7.2.1); all 0 if the
    /// material has no normal texture.
    package var tangent: SIMD4<Float>
    /// Multiplies the base colour; linear red, green, blue and alpha.
    package var color: SIMD4<Float>

    package init(
        position: SIMD3<Float>, normal: SIMD3<Float>, textureCoordinate: SIMD2<Float> = .zero,
        tangent: SIMD4<Float> = .zero, color: SIMD4<Float> = SIMD4(repeating: 1)
    ) {
        positionAndU = SIMD4(position, textureCoordinate.x)
        normalAndV = SIMD4(normal, textureCoordinate.y)
        self.tangent = tangent
        self.color = color
    }

    package var position: SIMD3<Float> {
        get { SIMD3(positionAndU.x, positionAndU.y, positionAndU.z) }
        set { positionAndU = SIMD4(newValue, positionAndU.w) }
    }

    package var normal: SIMD3<Float> {
        get { SIMD3(normalAndV.x, normalAndV.y, normalAndV.z) }
        set { normalAndV = SIMD4(newValue, normalAndV.w) }
    }

    /// The first row of a texture is at v = 0.
    package var textureCoordinate: SIMD2<Float> { SIMD2(positionAndU.w, normalAndV.w) }
}

/// Triangles of one material.
package struct ModelPart: Equatable, Sendable {
    package var material: Int
    /// In `Model.indices`; a multiple of three.
    package var indices: Range<Int>

    package init(material: Int, indices: Range<Int>) {
        self.material = material
        self.indices = indices
    }
}

/// A box in the coordinates of a model.
package struct ModelBounds: Equatable, Sendable {
    package private(set) var low = SIMD3<Float>.zero
    package private(set) var high = SIMD3<Float>.zero

    init() {}

    fileprivate init(_ vertices: [ModelVertex], _ indices: [UInt32]) {
        guard let first = indices.first else { return }
        (low, high) = (vertices[Int(first)].position, vertices[Int(first)].position)
        for index in indices {
            low = pointwiseMin(low, vertices[Int(index)].position)
            high = pointwiseMax(high, vertices[Int(index)].position)
        }
    }

    mutating func formUnion(_ place: SIMD3<Float>) {
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
    }

    package var size: SIMD3<Float> { high - low }
    package var center: SIMD3<Float> { (low + high) / 2 }
}

/// A picture inside a model: `rgba8`.
package final class ModelPicture: Sendable {
    package let pixels: PixelBuffer

    package init(pixels: consuming PixelBuffer) { self.pixels = pixels }
}
