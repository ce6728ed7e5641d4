import Foundation
import TestSupport
import Testing

/// `bauta mask pack`, `unpack`, `install`, `remove`.
@Suite struct MaskPackageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["mask"] + arguments, environment: ["XDG_DATA_HOME": folder.path + "/data"], folder: folder.path)
    }

    @Test func aMaskTravels() throws {
        let source = Repository.root + "/masks/wolf"
        #expect(try bauta("pack", source).exitCode == 0)
        #expect(try bauta("pack", source, "--output", "again.bauta").exitCode == 0)
        let packed = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/wolf.bauta"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/again.bauta")) == packed)
        #expect(try bauta("pack", source).exitCode == 73, "nothing is replaced unasked")

        #expect(try bauta("unpack", "wolf.bauta", "--output", "loup é").exitCode == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/loup é").sorted() == names)
        for name in names {
            #expect(
                FileManager.default.contentsEqual(atPath: source + "/" + name, andPath: folder.path + "/loup é/" + name)
            )
        }

        #expect(try bauta("install", "wolf.bauta", "--name", "Loup").exitCode == 0)
        #expect(try bauta("list").output.contains("Loup"))
        let again = try bauta("install", "wolf.bauta", "--name", "Loup")
        #expect(again.exitCode == 73 && again.error.contains("is there already; --force replaces it"))
        #expect(try bauta("install", "loup é", "--name", "Loup", "--force").exitCode == 0)
        let mistaken = try bauta("remove", "Lop")
        #expect(mistaken.exitCode == 66 && mistaken.error.contains("Did you mean 'Loup'?"))
        #expect(try bauta("remove", "Loup").exitCode == 0)
        #expect(try !bauta("list").output.contains("Loup"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/bauta/masks").isEmpty)
    }

    /// Nothing is left of what was refused.
    @Test func whatCannotBeWornIsNotInstalled() throws {
        let evil = ZipBuilder([.init("mask.json"), .init("../evil")]).bytes
        try folder.write(evil, "evil.bauta")
        let refused = try bauta("install", "evil.bauta")
        #expect(refused.exitCode == 65 && refused.error.contains("[archive-parent-path]"), "\(refused.error)")
        let broken = ZipBuilder([
            .init(
                "mask.json",
                Array(#"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "no.png"}]}"#.utf8))
        ]).bytes
        try folder.write(broken, "broken.bauta")
        let unworn = try bauta("install", "broken.bauta")
        #expect(unworn.exitCode == 65 && unworn.error.contains("/layers/0/texture"), "\(unworn.error)")
        let masks = folder.path + "/data/bauta/masks"
        #expect((try? FileManager.default.contentsOfDirectory(atPath: masks)) ?? [] == [])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/bauta/evil"))
        for name in ["../masks", "a/b", ".hidden", ""] { #expect(try bauta("remove", name).exitCode == 64) }
    }
}
