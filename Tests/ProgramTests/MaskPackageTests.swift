import Foundation
import TestSupport
import Testing

/// `bauta mask pack`, `unpack`, `install`, `remove`.
@Suite struct MaskPackageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["mask"] + arguments,
            environment: ["XDG_DATA_HOME": folder.path + "/data", "XDG_CACHE_HOME": folder.path + "/cache"],
            folder: folder.path)
    }

    @Test func aMaskTravels() throws {
        let source = Repository.root + "/Tests/Masks/wolf"
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
        #expect(again.exitCode == 73 && again.error.contains("already exists; --force replaces it"))
        #expect(try bauta("install", "loup é", "--name", "Loup", "--force").exitCode == 0)
        let mistaken = try bauta("remove", "Lop")
        #expect(mistaken.exitCode == 66 && mistaken.error.contains("Did you mean 'Loup'?"))
        // FNV-1a of the path: how thumbnails of a mask begin.
        let hash = (folder.path + "/data/bauta/masks/Loup").utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        let thumbnails = "cache/bauta/thumbnails"
        try folder.write([0], "\(thumbnails)/\(String(hash, radix: 16))-1.png")
        try folder.write([0], thumbnails + "/other-1.png")
        #expect(try bauta("remove", "Loup").exitCode == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + thumbnails) == ["other-1.png"])
        #expect(try !bauta("list").output.contains("Loup"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/bauta/masks").isEmpty)
    }

    /// A file of a stranger does not choose the name of a hidden folder, of a device, or one that is not seen.
    @Test func namesThatAreNotEverywhereAreRefused() throws {
        let mask = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/masks/domino/mask.json"))
        for name in [".bashrc", "CON", "nul.txt", "a.", "a\u{1B}[2J", "\u{202E}gnp"] {
            try folder.write(ZipBuilder([.init("mask.json", Array(mask))]).bytes, name + ".bauta")
            for command in ["install", "unpack"] {
                let run = try bauta(command, name + ".bauta")
                #expect(run.exitCode == 64 && run.error.contains("cannot be a mask's name"), "\(name): \(run.error)")
                #expect(!run.error.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            }
            let named = try bauta("install", Repository.root + "/masks/domino", "--name", name)
            #expect(named.exitCode == 64)
        }
        #expect(try folder.names().allSatisfy { $0.hasSuffix(".bauta") })
        // What another version has installed can be removed.
        let old = folder.path + "/data/bauta/masks/CON"
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
        #expect(try bauta("remove", "CON").exitCode == 0)
    }

    /// What is packed is not replaced by the package.
    @Test func aMaskIsNotPackedOverItself() throws {
        try FileManager.default.copyItem(atPath: Repository.root + "/masks/domino", toPath: folder.path + "/m")
        let manifest = try bytes(of: folder.path + "/m/mask.json")
        let run = try bauta("pack", "m", "--output", "m/mask.json", "--force")
        #expect(run.exitCode == 73 && run.error.contains("is an input"), "\(run.error)")
        #expect(try bytes(of: folder.path + "/m/mask.json") == manifest)
    }

    /// Nothing is left of what was refused.
    @Test func unusableMasksAreNotInstalled() throws {
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
