/// Makes glTF files, whole and broken, for tests and as seeds of fuzzing.
package struct ModelBuilder: Sendable {
    /// The JSON, with `$` for a quotation mark in it.
    package var document: String
    package var binary: [UInt8]

    package init(document: String, binary: [UInt8]) {
        (self.document, self.binary) = (document, binary)
    }

    /// A square of two triangles from (−1, −1, 0) to (1, 1, 0) that faces +z, with texture coordinates.
    /// - Parameters: are put into the document: members of the objects, each with a leading comma.
    package init(
        node: String = "", primitive: String = "", accessor: String = "", root: String = "", extra: [UInt8] = []
    ) {
        let positions: [Float] = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]
        let coordinates: [Float] = [0, 1, 1, 1, 1, 0, 0, 0]
        let corners: [UInt16] = [0, 1, 2, 0, 2, 3]
        binary = (positions + coordinates).flatMap { Self.bytes($0.bitPattern) }
        binary += corners.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        binary += extra
        document = """
            {$asset$:{$version$:$2.0$},$scene$:0,$scenes$:[{$nodes$:[0]}],$nodes$:[{$mesh$:0\(node)}],\
            $meshes$:[{$primitives$:[{$attributes$:{$POSITION$:0,$TEXCOORD_0$:1},$indices$:2\(primitive)}]}],\
            $accessors$:[{$bufferView$:0,$componentType$:5126,$count$:4,$type$:$VEC3$\(accessor)},\
            {$bufferView$:1,$componentType$:5126,$count$:4,$type$:$VEC2$},\
            {$bufferView$:2,$componentType$:5123,$count$:6,$type$:$SCALAR$}],\
            $bufferViews$:[{$buffer$:0,$byteLength$:48},{$buffer$:0,$byteOffset$:48,$byteLength$:32},\
            {$buffer$:0,$byteOffset$:80,$byteLength$:12},{$buffer$:0,$byteOffset$:92,$byteLength$:\(extra.count)}],\
            $buffers$:[{$byteLength$:\(92 + extra.count)}]\(root)}
            """
    }

    /// Its bytes as `.glb`.
    package var file: [UInt8] {
        var text = Array(document.utf8).map { $0 == UInt8(ascii: "$") ? UInt8(ascii: "\"") : $0 }
        text += [UInt8](repeating: UInt8(ascii: " "), count: (4 - text.count % 4) % 4)
        let content = binary + [UInt8](repeating: 0, count: (4 - binary.count % 4) % 4)
        let length = 12 + 8 + text.count + 8 + content.count
        return Self.bytes(0x4654_6C67) + Self.bytes(2) + Self.bytes(UInt32(length)) + Self.bytes(UInt32(text.count))
            + Self.bytes(0x4E4F_534A) + text + Self.bytes(UInt32(content.count)) + Self.bytes(0x004E_4942) + content
    }

    /// Little-endian.
    package static func bytes(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }

    /// With a material with all kinds of textures, of which `picture` is the only image: PNG or JPEG.
    package static func textured(_ picture: [UInt8]) -> ModelBuilder {
        let texture = "{$index$:0}"
        return ModelBuilder(
            primitive: ",$material$:0",
            root: """
                ,$materials$:[{$pbrMetallicRoughness$:{$baseColorFactor$:[1,0.5,0.25,0.75],$baseColorTexture$:\(texture),\
                $metallicRoughnessTexture$:\(texture),$metallicFactor$:0.5,$roughnessFactor$:0.25},\
                $normalTexture$:{$index$:0,$scale$:0.5},$occlusionTexture$:{$index$:0,$strength$:0.5},\
                $emissiveTexture$:\(texture),$emissiveFactor$:[0.1,0.2,0.3],$alphaMode$:$MASK$,$alphaCutoff$:0.3,\
                $doubleSided$:true}],$textures$:[{$source$:0,$sampler$:0}],$images$:[{$bufferView$:3,$mimeType$:$image/png$}],\
                $samplers$:[{$wrapS$:33071,$wrapT$:33648}]
                """,
            extra: picture)
    }
}
