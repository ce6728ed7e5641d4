import Display
import Files
import Foundation
import Installation
import JSON
import MaskAuthoring
import MaskEditor
import TestSupport
import Testing

/// When the brush is put away: it must not paint on a layer that nobody has chosen for it.
struct BrushToolTests {
    private let folder: TemporaryFolder
    private let package: EditedPackage
    private let brush: BrushTool

    private static func layer(_ texture: String) -> JSONValue {
        .object([.init("type", .string("warp")), .init("texture", .string(texture))])
    }

    /// The brush is on the lowest of three layers.
    init() throws {
        folder = try TemporaryFolder()
        let mask = folder.path + "/wolf"
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
        package = try EditedPackage(
            FilePath(mask), assets: AuthoringAssets(DataFolder(path: FilePath(Repository.root))), authorFile: nil
        ) { _, _ in }
        let paint = try package.makePicture().description
        package.change("layers") {
            $0.manifest["layers"] = .array([Self.layer("wolf.png"), Self.layer(paint), Self.layer(paint)])
        }
        package.selection = [0]
        #expect(package.reread())
        brush = BrushTool(package, messages: WindowMessages())
        brush.toggle()
        #expect(brush.isOn)
    }

    /// Whether the brush is on in the next frame.
    private func staysOn() -> Bool {
        brush.update()
        return brush.isOn
    }

    /// The place of the selection stays, the layer does not.
    @Test func theLowestLayerIsRemoved() {
        package.removeSelected()
        #expect(package.selection == [0] && !staysOn())
    }

    /// The copy has the same settings and the same picture.
    @Test func aCopyIsAnotherLayer() throws {
        let layer = try #require(package.selectedLayer)
        package.change("copy layer") { package.selection = $0.insert(layer, above: [0]) }
        #expect(package.selectedLayer == layer && !staysOn())
    }

    @Test func anEqualLayerIsAnotherLayer() {
        package.selection = [1]
        #expect(!staysOn())
        brush.toggle()
        #expect(staysOn())
        package.selection = [2]
        #expect(!staysOn())
    }

    @Test func aMovedLayerGoesOnBeingPaintedOn() {
        package.change("move layer up") { package.selection = $0.move([0], by: 1) }
        #expect(package.selection == [1] && staysOn())
        // What is undone does not move the selection.
        package.history.undo()
        #expect(!staysOn())
    }

    @Test func aLayerWithOtherSettingsGoesOnBeingPaintedOn() {
        package.setSelected("opacity", .number(0.5))
        #expect(staysOn())
        package.history.undo()
        #expect(staysOn())
        package.change("set name") { $0.manifest["name"] = .string("other") }
        #expect(staysOn())
    }

    @Test func aGroupHasNoPicture() {
        package.change("group") { $0.group([0]) }
        #expect(!staysOn())
    }

    /// A new picture that is removed before it has been read.
    @Test func aLayerThatWaitsForTheBrushIsRemoved() {
        brush.toggle()
        package.change("add paint") { package.selection = $0.insert(Self.layer("wolf.png"), above: [0]) }
        brush.paintWhenRead()
        package.removeSelected()
        #expect(package.reread() && !staysOn())
    }

    /// Another program changes the order of the layers, or only what is besides them.
    @Test(arguments: [true, false]) func anotherProgramWritesTheMask(_ changesOrder: Bool) throws {
        package.save()
        var manifest = package.history.current.manifest
        if changesOrder {
            manifest["layers"] = .array(manifest["layers"]?.elements.reversed() ?? [])
        } else {
            manifest["name"] = .string("another")
        }
        let file = (package.folder / "mask.json").description
        try manifest.text(indented: true).write(toFile: file, atomically: true, encoding: .utf8)
        package.followDisk(every: .zero)
        #expect(package.history.current.manifest == manifest)
        #expect(staysOn() != changesOrder)
    }
}
