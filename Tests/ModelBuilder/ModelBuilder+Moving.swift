extension ModelBuilder {
    /// Tables of a moving model, which `Channel.output` and members of the document may name.
    package enum Table: Int, Sendable {
        /// 0, 1 and 2 seconds.
        case times = 3
        /// (0, 0, 0), (0, 1, 0) and (0, 1, 4).
        case translations
        /// About y: 0°, 90° and 180°.
        case rotations
        /// 0, 1 and 0.
        case morphWeights
        /// From 0 to (1, 0, 0) and back, at rest at each key.
        case spline
        case joints
        case jointWeights
        /// To joints at (0, 0, 0) and (0, 1, 0).
        case inverseBindMatrices
        /// (0, 0, 1) for each vertex.
        case displacements
    }

    /// What an animation changes.
    package struct Channel: Sendable {
        let node: Int
        let path: String
        let output: Table
        let interpolation: String

        package init(_ node: Int, _ path: String, _ output: Table, _ interpolation: String = "LINEAR") {
            (self.node, self.path, self.output, self.interpolation) = (node, path, output, interpolation)
        }
    }

    /// The square, as node 0, with two more nodes: 1, and its child 2 at (0, 1, 0). One animation, "move".
    /// - Parameters:
    ///   - skinned: the lower vertices follow node 1, the upper ones node 2.
    ///   - morphed: the square has one morph target.
    package static func moving(_ channels: [Channel], skinned: Bool = false, morphed: Bool = false) -> ModelBuilder {
        let content = contents
        var places: [(offset: Int, bytes: [UInt8])] = []
        var extra: [UInt8] = []
        for bytes in content.map(\.bytes) {
            places.append((extra.count, bytes))
            extra += bytes
        }
        var builder = ModelBuilder(
            node: skinned ? ",$skin$:0" : "", primitive: morphed ? ",$targets$:[{$POSITION$:11}]" : "", extra: extra)
        let accessors = zip(content, places).map { content, place in
            ",{$bufferView$:3,$byteOffset$:\(place.offset),$componentType$:\(content.component),"
                + "$count$:\(content.count),$type$:$\(content.type)$}"
        }
        let skin = ",$skins$:[{$joints$:[1,2],$inverseBindMatrices$:10}]"
        let list = channels.enumerated().map { "{$sampler$:\($0),$target$:{$node$:\($1.node),$path$:$\($1.path)$}}" }
        let samplers = channels.map {
            "{$input$:3,$output$:\($0.output.rawValue),$interpolation$:$\($0.interpolation)$}"
        }
        let animation =
            ",$animations$:[{$name$:$move$,$channels$:[\(list.joined(separator: ","))],"
            + "$samplers$:[\(samplers.joined(separator: ","))]}]"
        builder.document = builder.document
            .replacing("$count$:6,$type$:$SCALAR$}]", with: "$count$:6,$type$:$SCALAR$}\(accessors.joined())]")
            .replacing("$scenes$:[{$nodes$:[0]}]", with: "$scenes$:[{$nodes$:[0,1]}]")
            .replacing("}],$meshes$:", with: "},{$children$:[2]},{$translation$:[0,1,0]}],$meshes$:")
            .replacing(
                "$TEXCOORD_0$:1", with: "$TEXCOORD_0$:1" + (skinned ? ",$JOINTS_0$:8,$WEIGHTS_0$:9" : ""))
        builder.document.removeLast()
        builder.document += (skinned ? skin : "") + animation + "}"
        return builder
    }

    /// The square with a morph target of this name, which moves it by (0, 0, 1), and without an animation.
    package static func expressive(_ name: String) -> ModelBuilder {
        var builder = moving([.init(1, "translation", .translations)], morphed: true)
        let extras = "],$extras$:{$targetNames$:[$\(name)$]}}],$accessors$"
        builder.document = builder.document.replacing("]}],$accessors$", with: extras)
        guard let place = builder.document.firstRange(of: ",$animations$") else { return builder }
        builder.document = builder.document[..<place.lowerBound] + "}"
        return builder
    }

    /// The square on the last of some nodes in a row, each 0.1 above the one before; the first is named "root".
    package static func chain(_ count: Int) -> ModelBuilder {
        var builder = ModelBuilder()
        let nodes = (1..<count).map {
            ",{$translation$:[0,0.1,0]" + ($0 + 1 < count ? ",$children$:[\($0 + 1)]}" : ",$mesh$:0}")
        }
        builder.document = builder.document.replacing(
            "$nodes$:[{$mesh$:0}]", with: "$nodes$:[{$name$:$root$,$children$:[1]}\(nodes.joined())]")
        return builder
    }

    private struct Content {
        let count: Int
        let type: String
        let component: Int
        let bytes: [UInt8]
    }

    /// In the order of `Table`.
    private static var contents: [Content] {
        func floats(_ type: String, _ columns: Int, _ numbers: [Float]) -> Content {
            Content(
                count: numbers.count / columns, type: type, component: 5126,
                bytes: numbers.flatMap { bytes($0.bitPattern) })
        }
        let half = Float(0.5).squareRoot()
        let (rest, point): ([Float], [Float]) = ([0, 0, 0], [1, 0, 0])
        let identity: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
        return [
            floats("SCALAR", 1, [0, 1, 2]), floats("VEC3", 3, [0, 0, 0, 0, 1, 0, 0, 1, 4]),
            floats("VEC4", 4, [0, 0, 0, 1, 0, half, 0, half, 0, 1, 0, 0]), floats("SCALAR", 1, [0, 1, 0]),
            floats("VEC3", 3, rest + rest + rest + rest + point + rest + rest + rest + rest),
            Content(
                count: 4, type: "VEC4", component: 5121, bytes: [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
            floats("VEC4", 4, [1, 0, 0, 0, 2, 0, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0]),
            floats("MAT4", 16, identity + [0, 0, 0, 1] + identity + [0, -1, 0, 1]),
            floats("VEC3", 3, [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
        ]
    }
}
