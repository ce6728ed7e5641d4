import FaceGeometry
import Files
import Foundation
import Masks
import ModelBuilder
import Pixels
import TestSupport
import Testing

/// Every problem that a mask can have, and that a good one has none.
@Suite struct MaskCheckTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problems(longestReading: Duration = .seconds(60)) throws -> [MaskProblem] {
        let loader = MaskLoader(reference: try Repository.referenceFace(), longestReading: longestReading)
        let reading = loader.read(PackageFiles(folder: folder.path))
        return MaskCheck(mesh: try Repository.mesh(), reference: try Repository.referenceFace()).problems(
            reading, names: try folder.names().map { FilePath($0) }
        ).listed
    }

    /// A sheet in one colour with a soft round edge.
    /// - Parameter background: what its half-transparent pixels are mixed with; nil: nothing.
    private static func disc(_ side: Int, background: Double? = nil, height: Int? = nil) -> [UInt8] {
        let color = [200.0, 120, 40]
        let rows = (0..<(height ?? side)).map { y in
            (0..<side).flatMap { x -> [UInt8] in
                let (dx, dy) = (Double(x) - Double(side) / 2, Double(y) - Double(side) / 2)
                let alpha = min(1, max(0, (Double(side) / 2.5 - (dx * dx + dy * dy).squareRoot()) / 3 + 0.5))
                let mixed = color.map { channel in
                    UInt8(background.map { channel * alpha + $0 * (1 - alpha) } ?? channel)
                }
                return mixed + [UInt8(255 * alpha)]
            }
        }
        return PNGBuilder(width: side, height: height ?? side, colorType: 6, rows: rows).bytes
    }

    private static let sheet = disc(512)

    private static func points(
        scale: Float = 512, _ change: (inout [Point]) -> Void = { _ in }
    ) throws -> String {
        var points = try Repository.referenceFace().vertices.map { scale * $0 }
        change(&points)
        return PointsFile.text(points)
    }

    /// A manifest of one warp, with `layer` in it.
    private static func manifest(_ layer: String, head: String = #""author": "me", "license": "CC0-1.0""#) -> String {
        #"{"format": 1, "name": "Test", \#(head), "layers": [{\#(layer)}]}"#
    }

    private static let warp = #""type": "warp", "texture": "t.png""#

    private func write(_ manifest: String) throws { try folder.write(manifest, "mask.json") }

    @Test func aGoodMaskHasNoProblem() throws {
        try folder.write(Self.sheet, "t.png")
        try folder.write("<svg/>", "t.svg")
        try folder.write("thanks", "README.md")
        try write(Self.manifest(Self.warp))
        #expect(try problems() == [])
    }

    /// Writes a package that has this problem.
    /// - Returns: whether there is an example here.
    private func writeExample(of code: MaskProblem.Code) throws -> Bool {
        let warp = Self.warp
        switch code {
        case .manifestUnreadable: break
        case .manifestNotJSON: try write(#"{"format": 1,}"#)
        case .formatUnknown: try write(#"{"format": 2, "name": "x", "new": 1}"#)
        case .unknownKey: try write(Self.manifest(warp + #", "opactiy": 1"#))
        case .missingKey: try write(Self.manifest(#""type": "sticker", "texture": "t.png", "width": 0.5"#))
        case .wrongType: try write(Self.manifest(warp + #", "opacity": "1""#))
        case .emptyValue: try write(Self.manifest(#""type": "group", "layers": []"#))
        case .outOfRange: try write(Self.manifest(warp + #", "feather": 2"#))
        case .unknownWord: try write(Self.manifest(warp + #", "blend": "nromal""#))
        case .conflictingKeys: try write(Self.manifest(warp + #", "live": "face""#))
        case .tooManyLayers:
            let layers = [String](repeating: "{\(warp)}", count: 65).joined(separator: ", ")
            try write(Self.manifest(#""type": "group", "layers": [\#(layers)]"#))
        case .groupsTooDeep:
            var layer = warp
            for _ in 0..<9 { layer = #""type": "group", "layers": [{\#(layer)}]"# }
            try write(Self.manifest(layer))
        case .neverShown: try write(Self.manifest(warp + #", "when": ["smiling", "not smiling"]"#))
        case .underUnused:
            let sticker = #""type": "sticker", "texture": "t.png", "anchor": "nose", "width": 1"#
            try write(Self.manifest(sticker, head: #""author": "me", "license": "CC0-1.0", "under": ["hair"]"#))
        case .missingAuthor: try write(Self.manifest(warp, head: #""license": "CC0-1.0""#))
        case .missingLicense: try write(Self.manifest(warp, head: #""author": "me""#))
        case .licenseUnknown: try write(Self.manifest(warp, head: #""author": "me", "license": "CC BY 4.0""#))
        case .likenessUnasked:
            try write(
                Self.manifest(warp, head: #""author": "me", "license": "CC0-1.0", "likeness": "unasked""#))
        case .fileOutside: try write(Self.manifest(warp + #", "landmarks": "../face.pts""#))
        case .fileMissing: try write(Self.manifest(warp + #", "landmarks": "no.pts""#))
        case .fileUnreadable:
            try FileManager.default.createDirectory(
                atPath: folder.path + "/f.pts", withIntermediateDirectories: true)
            try write(Self.manifest(warp + #", "landmarks": "f.pts""#))
        case .unusedFile:
            try folder.write(Self.disc(16), "old.png")
            try write(Self.manifest(warp))
        case .textureUnreadable:
            try folder.write("no picture", "t.png")
            try write(Self.manifest(warp))
        case .textureTooLarge:
            try folder.write(PNGBuilder(width: 9000, height: 9000, colorType: 6, rows: [[0]]).bytes, "t.png")
            try write(Self.manifest(warp))
        case .texturesTooLarge:
            // Small files that become large.
            let row = [UInt8](repeating: 0, count: 8192 / 8)
            let large = PNGBuilder(
                width: 8192, height: 8192, colorType: 0, bitDepth: 1, rows: [[UInt8]](repeating: row, count: 8192)
            ).bytes
            let layers = try (0..<3).map { index in
                try folder.write(large, "\(index).png")
                return #"{"type": "warp", "texture": "\#(index).png"}"#
            }
            try write(Self.manifest(#""type": "group", "layers": [\#(layers.joined(separator: ", "))]"#))
        case .picturesTooSlow: try write(Self.manifest(warp))
        case .textureTooSmall:
            try folder.write(Self.disc(256), "t.png")
            try write(Self.manifest(warp))
        case .textureEmpty:
            let row = [UInt8](repeating: 0, count: 4 * 512)
            try folder.write(
                PNGBuilder(width: 512, height: 512, colorType: 6, rows: [[UInt8]](repeating: row, count: 512)).bytes,
                "t.png")
            try write(Self.manifest(warp))
        case .textureNotSquare:
            try folder.write(Self.disc(512, height: 640), "t.png")
            try write(Self.manifest(warp))
        case .textureEdge:
            try folder.write(Self.disc(512, background: 0), "t.png")
            try write(Self.manifest(warp))
        case .animationUnreadable:
            try folder.write("no film", "a.gif")
            try write(Self.manifest(#""type": "warp", "animation": {"file": "a.gif"}"#))
        case .animationTooLarge:
            let names = [String](repeating: #""t.png""#, count: 241).joined(separator: ", ")
            try write(Self.manifest(#""type": "warp", "animation": {"frames": [\#(names)]}"#))
        case .frameSizes:
            try folder.write(Self.disc(500), "u.png")
            try write(Self.manifest(#""type": "warp", "animation": {"frames": ["t.png", "u.png"]}"#))
        case .landmarksUnreadable:
            try folder.write("version: 1\nn_points: 68\n{\n1 2 3\n}", "f.pts")
            try write(Self.manifest(warp + #", "landmarks": "f.pts""#))
        case .landmarksCount:
            try folder.write("version: 1\n{\n1 2\n}", "f.pts")
            try write(Self.manifest(warp + #", "landmarks": "f.pts""#))
        case .landmarksOutside:
            try folder.write(Self.points { $0[8].y = 600 }, "f.pts")
            try write(Self.manifest(warp + #", "landmarks": "f.pts""#))
        case .landmarksFolded:
            try folder.write(Self.points { $0.swapAt(30, 2) }, "f.pts")
            try write(Self.manifest(warp + #", "landmarks": "f.pts""#))
        default: return try writeModel(with: code)
        }
        return true
    }

    /// Writes a package whose model has this problem.
    private func writeModel(with code: MaskProblem.Code) throws -> Bool {
        let builder: ModelBuilder
        switch code {
        case .modelDamaged: builder = ModelBuilder(document: "{}", binary: [])
        case .modelTooLarge:
            builder = ModelBuilder(
                accessor: ",$x$:0", root: ",$images$:[" + String(repeating: " ", count: 5 << 20) + "]")
        case .modelExternal:
            builder = ModelBuilder(
                document: ModelBuilder().document.replacing("$buffers$:[{", with: "$buffers$:[{$uri$:$a.bin$,"),
                binary: [])
        case .modelCyclic: builder = ModelBuilder(node: ",$children$:[0]")
        case .modelNumber: builder = ModelBuilder(node: ",$scale$:[1e9,1,1]")
        case .modelUnsupported: builder = ModelBuilder(accessor: ",$sparse$:{}")
        case .modelEmpty: builder = ModelBuilder(primitive: ",$mode$:1")
        case .modelPicture: builder = .textured([1, 2, 3])
        case .modelReduced: builder = ModelBuilder(root: ",$extensionsUsed$:[$KHR_lights_punctual$]")
        case .morphUnmoved: builder = .expressive("tongueOut")
        case .tooManySwinging:
            // Four models of 17 nodes in a row.
            try folder.write(ModelBuilder.chain(17).file, "m.glb")
            let layer =
                #"{"type": "prop", "model": "m.glb", "anchor": "nose", "width": 1, "swing": [{"node": "root"}]}"#
            let four = [String](repeating: layer, count: 4).joined(separator: ", ")
            try write(Self.manifest(#""type": "group", "layers": [\#(four)]"#))
            return true
        case .animationUnused: builder = .moving([.init(0, "translation", .translations)])
        case .modelDetailed:
            // One triangle sixty thousand times.
            let corners: [UInt8] = [0, 0, 1, 0, 2, 0]
            var detailed = ModelBuilder(extra: Array(repeatElement(corners, count: 60_002).joined()))
            detailed.document = detailed.document.replacing(
                "$bufferView$:2,$componentType$:5123,$count$:6",
                with: "$bufferView$:3,$componentType$:5123,$count$:\(3 * 60_002)")
            builder = detailed
        default: return false
        }
        try folder.write(builder.file, "m.glb")
        try write(Self.manifest(#""type": "prop", "model": "m.glb", "anchor": "nose", "width": 1"#))
        return true
    }

    @Test(arguments: MaskProblem.Code.allCases.filter { !isOfArchives($0) })
    func eachProblemIsFound(_ code: MaskProblem.Code) throws {
        try folder.write(Self.sheet, "t.png")
        #expect(try writeExample(of: code), "has no example")
        let found = try problems(longestReading: .seconds(code == .picturesTooSlow ? 0 : 60))
        #expect(found.contains { $0.code == code }, "\(found)")
        // Nothing else of weight; a file of the example may be unused because of the problem.
        #expect(
            found.allSatisfy { $0.code == code || $0.code.severity == .warning }
                || code == .conflictingKeys, "\(found)")
        #expect(found.filter { $0.code == code }.allSatisfy { $0.path.hasPrefix(folder.path) })
    }

    private static func isOfArchives(_ code: MaskProblem.Code) -> Bool { code.rawValue.hasPrefix("archive-") }

    /// No code is without an example: those of archives are in `MaskArchiveTests`.
    @Test func everyCodeHasAnExample() {
        let ofArchives = Set(MaskArchiveTests.hostile.map(\.0)).union(MaskArchiveTests.otherCodes)
        #expect(ofArchives == Set(MaskProblem.Code.allCases.filter(Self.isOfArchives)))
        for code in MaskProblem.Code.allCases {
            #expect(code.meaning.hasSuffix(".") && code.remedy.hasSuffix(".") && !code.meaning.contains("|"))
        }
    }

    @Test func allProblemsAreToldAtOnce() throws {
        try folder.write(Self.disc(128, background: 255), "t.png")
        try folder.write(Self.disc(16), "old.png")
        try write(
            #"{"format": 1, "nmae": "x", "layers": [{"type": "wrap"}, {\#(Self.warp), "opacity": 7, "x": 1}]}"#)
        let found = try problems()
        #expect(
            found.map(\.code) == [
                .unknownKey, .missingKey, .unknownWord, .unknownKey, .outOfRange, .missingAuthor, .missingLicense,
                .textureTooSmall, .unusedFile, .textureEdge,
            ], "\(found.map(\.code))")
        #expect(
            found.prefix(5).map(\.pointer) == ["/nmae", "", "/layers/0/type", "/layers/1/x", "/layers/1/opacity"])
        guard case .pixel(let x, let y) = found.last?.place else {
            Issue.record("the edge has no place")
            return
        }
        #expect((8...24).contains(y) && (30...98).contains(x))
        #expect(found.last?.reason.contains("white") == true)
    }

    /// Straight edges are fine, whatever the colours; so are textures painted the other way round.
    @Test func correctMasksHaveNoProblems() throws {
        for color in [UInt8(0), 90, 255] {
            let rows = (0..<512).map { (y: Int) -> [UInt8] in
                (0..<512).flatMap { x -> [UInt8] in [color, 255 - color, UInt8(y / 2), UInt8(min(255, x / 2))] }
            }
            try folder.write(PNGBuilder(width: 512, height: 512, colorType: 6, rows: rows).bytes, "t.png")
            try write(Self.manifest(Self.warp))
            #expect(try problems() == [])
        }
        try folder.write(Self.points { for index in $0.indices { $0[index].x = 512 - $0[index].x } }, "f.pts")
        try write(Self.manifest(Self.warp + #", "landmarks": "f.pts""#))
        #expect(try problems() == [])
    }

    /// However many other warnings there are, this one is listed; and who has agreed is no problem.
    @Test func aPersonWhoWasNotAskedIsNeverLeftOut() throws {
        try folder.write(Self.sheet, "t.png")
        for (likeness, isWarned) in [("unasked", true), ("agreed", false)] {
            let layers = [String](repeating: "{\(Self.warp), \"opacity\": 0}", count: 30).joined(separator: ",")
            try write(
                #"{"format": 1, "name": "x", "author": "a", "license": "MIT", "likeness": "\#(likeness)", "layers": [\#(layers)]}"#
            )
            let found = try problems()
            #expect(found.count == MaskProblems.mostListed, "\(found)")
            #expect(found.contains { $0.code == .likenessUnasked } == isWarned, "\(found)")
        }
    }

    @Test func aLayerIsHidden() throws {
        try folder.write(Self.sheet, "t.png")
        try write(
            #"""
            {"format": 1, "name": "x", "author": "a", "license": "b", "layers": [
              {"type": "warp", "texture": "t.png", "hidden": true}, {"type": "warp", "texture": "t.png", "feather": 0.1},
              {"type": "group", "hidden": true, "layers": [{"type": "warp", "texture": "t.png"}]}]}
            """#)
        #expect(try problems() == [])
        let mask = try MaskLoader(reference: Repository.referenceFace()).load(folder: folder.path)
        #expect(mask.layers.count == 1)
        guard case .warp(let warp)? = mask.layers.first?.content else { return }
        #expect(warp.feather == 0.1)
    }
}
