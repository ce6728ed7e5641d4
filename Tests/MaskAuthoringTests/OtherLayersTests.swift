import Files
import Foundation
import Installation
import JSON
import MaskAuthoring
import Masks
import TestSupport
import Testing

/// What lies below and above the layer that is painted on.
struct OtherLayersTests {
    private let folder: TemporaryFolder
    private let package: EditedPackage

    /// - Returns: a layer whose picture is that of the wolf.
    private static func layer(_ members: [JSONValue.Member] = []) -> JSONValue {
        .object([.init("type", .string("warp")), .init("texture", .string("wolf.png"))] + members)
    }

    init() throws {
        folder = try TemporaryFolder()
        let mask = folder.path + "/wolf"
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
        package = try EditedPackage(
            FilePath(mask), assets: AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
        ) { _, _ in }
        package.change("layers") { document in
            document.manifest["layers"] = .array([
                Self.layer([.init("opacity", .number(0.9))]),
                .object([
                    .init("type", .string("group")),
                    .init(
                        "layers",
                        .array([
                            Self.layer([.init("opacity", .number(0.8))]), Self.layer(),
                            Self.layer([.init("opacity", .number(0.7))]),
                        ])),
                ]),
                Self.layer([.init("hidden", .bool(true))]),
                Self.layer([.init("opacity", .number(0.6))]),
                .object([.init("type", .string("hair")), .init("color", .string("#102030"))]),
            ])
        }
        package.selection = [1, 1]
    }

    private func opacities(_ mask: Mask?) -> [Float] {
        (mask?.layers ?? []).flatMap { $0.opacities.map { $0.value(.init()) } }
    }

    @Test func layersAreBelowAndAboveTheSelectedOneInGroupsToo() throws {
        #expect(package.otherLayers == nil, "they have not been read")
        #expect(package.reread())
        let others = try #require(package.otherLayers)
        #expect(opacities(others.below) == [0.9, 0.8])
        #expect(opacities(others.above) == [0.7, 0.6])
        #expect(!others.isEmpty && others.blended == nil)
    }

    @Test func theirLookChangesWithThemOnly() throws {
        #expect(package.reread())
        let before = try #require(package.otherLayers)
        package.setSelected("opacity", .number(0.2))
        #expect(package.reread())
        #expect(package.otherLayers?.state == before.state)
        package.change("show layer") { $0[layer: [2]]?["hidden"] = nil }
        #expect(package.reread())
        #expect(package.otherLayers?.state != before.state)
    }

    /// What multiplies the colours below it does so with those of the selected layer.
    @Test func aBlendedLayerDependsOnTheSelectedOne() throws {
        package.change("set blend") { $0[layer: [3]]?["blend"] = .string("multiply") }
        #expect(package.reread())
        let before = try #require(package.otherLayers)
        #expect(before.blended?.layers.count == 3)
        package.setSelected("opacity", .number(0.2))
        #expect(package.reread())
        #expect(package.otherLayers?.state != before.state)
    }
}
