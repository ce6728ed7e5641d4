import FaceGeometry
import GLTF
import JSON
import ModelBuilder
import PictureBuilders
import TestSupport
import Testing

/// What is read from whole glTF files.
@Suite struct GLTFReaderTests {
    private func read(_ builder: ModelBuilder) throws -> GLTFReader.Result {
        try GLTFReader.read(builder.file, path: "test.glb")
    }

    @Test func aSquareIsRead() throws {
        let model = try read(ModelBuilder()).model
        #expect(model.triangleCount == 2 && model.parts.count == 1)
        // Without normals it is flat: its triangles share no vertices.
        #expect(model.vertices.count == 6)
        #expect(model.vertices.allSatisfy { $0.normal == SIMD3(0, 0, 1) && $0.color == SIMD4(1, 1, 1, 1) })
        #expect(model.vertices[0].position == SIMD3(-1, -1, 0) && model.vertices[2].position == SIMD3(1, 1, 0))
        #expect(model.vertices[2].textureCoordinate == SIMD2(1, 0))
        #expect(model.bounds.low == SIMD3(-1, -1, 0) && model.bounds.high == SIMD3(1, 1, 0))
        #expect(model.materials[model.parts[0].material] == ModelMaterial())
    }

    @Test func nodesMoveTurnAndScale() throws {
        // Twice as wide, then a quarter turn about y (x goes to −z), then up by 5.
        let node = ",$scale$:[2,1,1],$rotation$:[0,0.70710678,0,0.70710678],$translation$:[0,5,0]"
        let model = try read(ModelBuilder(node: node)).model
        #expect((model.vertices[0].position - SIMD3(0, 4, 2)).length < 1e-5)
        #expect((model.vertices[0].normal - SIMD3(1, 0, 0)).length < 1e-5)
        let matrix = ",$matrix$:[0,0,-2,0, 0,1,0,0, 1,0,0,0, 0,5,0,1]"
        let same = try read(ModelBuilder(node: matrix)).model
        for (a, b) in zip(model.vertices, same.vertices) { #expect((a.position - b.position).length < 1e-5) }
    }

    @Test func aMirroredMeshKeepsItsFront() throws {
        let model = try read(ModelBuilder(node: ",$scale$:[-1,1,1]")).model
        let corners = (0..<3).map { model.vertices[Int(model.indices[$0])] }
        let normal = (corners[1].position - corners[0].position).cross(corners[2].position - corners[0].position)
        #expect(normal.z > 0 && corners.allSatisfy { $0.normal.z > 0 })
    }

    @Test func childrenInheritTransforms() throws {
        let builder = ModelBuilder(node: ",$translation$:[1,0,0]")
        var nested = builder
        nested.document = builder.document.replacing(
            "$nodes$:[{$mesh$:0,$translation$:[1,0,0]}]",
            with: "$nodes$:[{$children$:[1],$scale$:[3,3,3]},{$mesh$:0,$translation$:[1,0,0]}]")
        #expect(try read(nested).model.vertices[0].position == SIMD3(0, -3, 0))
    }

    @Test func materialsAndTexturesAreRead() throws {
        let result = try read(.textured(WholePictures.png(metadata: false)))
        let material = try #require(result.model.materials.first)
        #expect(material.baseColor == SIMD4(1, 0.5, 0.25, 0.75))
        #expect(material.metallic == 0.5 && material.roughness == 0.25 && material.normalScale == 0.5)
        #expect(material.transparency == .mask(cutoff: 0.3) && material.isDoubleSided)
        #expect(material.emissive == SIMD3(0.1, 0.2, 0.3) && material.occlusionStrength == 0.5)
        #expect(material.baseColorTexture == ModelTexture(picture: 0, horizontal: .clamp, vertical: .mirror))
        // One picture, however often it is used.
        #expect(result.model.pictures.count == 1 && result.notices.isEmpty)
        // A normal texture needs tangents: u grows with x, v against y.
        #expect(result.model.vertices.allSatisfy { $0.tangent == SIMD4(1, 0, 0, -1) })
    }

    @Test func everythingMayBeInsideJSON() throws {
        let builder = ModelBuilder()
        let text = builder.document.replacing("$buffers$:[{", with: "$buffers$:[{$uri$:$\(dataURI(builder.binary))$,")
            .replacing("$", with: "\"")
        let model = try GLTFReader.read(Array(text.utf8), path: "test.gltf").model
        #expect(model.triangleCount == 2 && model.vertices[2].position == SIMD3(1, 1, 0))
    }

    @Test func stripsFansAndIntegersAreRead() throws {
        // A strip of the corners 0, 1, 2, 0, 2, 3 has four triangles.
        #expect(try read(ModelBuilder(primitive: ",$mode$:5")).model.triangleCount == 4)
        #expect(try read(ModelBuilder(primitive: ",$mode$:6")).model.triangleCount == 4)
        // Normalised bytes as positions (KHR_mesh_quantization).
        var bytes = ModelBuilder()
        bytes.document = bytes.document.replacing(
            "5126,$count$:4,$type$:$VEC3$", with: "5120,$normalized$:true,$count$:4,$type$:$VEC3$")
        bytes.binary.replaceSubrange(0..<12, with: [129, 127, 0, 127, 129, 0, 127, 127, 0, 0, 0, 0])
        #expect(try read(bytes).model.vertices[0].position == SIMD3(-1, 1, 0))
    }

    @Test func omissionsAreReported() throws {
        let root = ",$extensionsUsed$:[$KHR_lights_punctual$]"
        var builder = ModelBuilder(root: root)
        builder.document = builder.document.replacing("$primitives$:[", with: "$primitives$:[{$mode$:0},")
        let notices = try read(builder).notices
        #expect(notices.map(\.pointer) == ["/extensionsUsed/0", "/meshes/0/primitives/0"])
    }

    private func dataURI(_ bytes: [UInt8]) -> String {
        "data:application/octet-stream;base64," + Base64.text(bytes)
    }
}
