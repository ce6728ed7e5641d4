import Files
import Glibc
import Masks
import TestSupport
import Testing

/// Packed masks, honest and hostile.
@Suite struct MaskArchiveTests {
    private static let manifest = ZipBuilder.Entry("mask.json", Array("{}".utf8))

    @Test func filesComeBackAsTheyWere() throws {
        let files = [
            MaskArchive.File(name: "mask.json", bytes: Array("{}".utf8)),
            MaskArchive.File(name: "pictures/wölf é.png", bytes: (0..<100_000).map { UInt8($0 % 251) }),
            MaskArchive.File(name: "empty", bytes: []),
        ]
        let archive = try MaskArchive.pack(files)
        #expect(try MaskArchive.unpack(archive) == files.sorted { $0.name < $1.name })
        // Whatever the order, and whenever: the same to the bit.
        #expect(try MaskArchive.pack(files.reversed()) == archive)
        #expect(archive.count < 20_000)
    }

    @Test func foreignZipFilesAreRead() throws {
        var folder = ZipBuilder.Entry("pictures/", [])
        folder.mode = 0o040755
        let archive = ZipBuilder([Self.manifest, folder, .init("pictures/a.png")]).bytes
        #expect(try MaskArchive.unpack(archive).map(\.name) == ["mask.json", "pictures/a.png"])
    }

    private static func entry(_ name: String, _ change: (inout ZipBuilder.Entry) -> Void = { _ in }) -> ZipBuilder.Entry
    {
        var entry = ZipBuilder.Entry(name)
        change(&entry)
        return entry
    }

    /// What other tests here have an example of.
    static let otherCodes: [MaskProblem.Code] = [
        .archiveFileTooLarge, .archiveTooLarge, .archiveNotZip, .archiveNoManifest,
    ]

    static let hostile: [(MaskProblem.Code, [ZipBuilder.Entry])] = [
        (.archiveAbsolutePath, [entry("/etc/cron.d/evil")]),
        (.archiveAbsolutePath, [entry("C:/windows/evil")]),
        (.archiveParentPath, [entry("../evil")]),
        (.archiveParentPath, [entry("a/../../evil")]),
        (.archiveParentPath, [entry("a\\..\\..\\evil")]),
        // A slash that is a part of a grapheme cluster separates folders all the same.
        (.archiveParentPath, [entry("../\u{301}evil")]),
        (.archiveParentPath, [entry("a/..\u{2F}\u{200D}../../evil")]),
        (.archiveParentPath, [entry("..//\u{FE0F}evil")]),
        (.archiveAbsolutePath, [entry("/\u{301}etc/evil")]),
        (.archiveOddName, [entry("a/\u{301}")]),
        (.archiveOddName, [entry("a/\u{200D}b")]),
        (.archiveOddName, [entry("a\u{85}b")]),
        (.archiveCollidingCase, [entry("Caf\u{E9}.png"), entry("cafe\u{301}.png")]),
        (.archiveOddName, [entry("a//b")]),
        (.archiveOddName, [entry("./mask")]),
        (.archiveOddName, [entry("bell\u{7}")]),
        (.archiveOddName, [entry("trailing ")]),
        (.archiveOddName, [entry(String(repeating: "long", count: 60))]),
        (.archiveOddName, [entry("x") { $0.name = [0x66, 0xFF, 0xFE] }]),
        (.archiveLink, [entry("link") { $0.mode = 0o120777 }]),
        (.archiveSpecialFile, [entry("device") { $0.mode = 0o020644 }]),
        (.archiveDuplicate, [entry("a"), entry("a")]),
        (.archiveCollidingCase, [entry("Face.png"), entry("face.PNG")]),
        (.archiveCollidingCase, [entry("Ä.png"), entry("ä.png")]),
        (.archiveCollidingCase, [entry("A/x"), entry("a/y")]),
        (.archiveCollidingCase, [entry("ß.png"), entry("ss.png")]),
        (.archiveCollidingCase, [entry("STRASSE/x"), entry("Stra\u{1E9E}e/y")]),
        (.archiveCollidingCase, [entry("\u{FB01}n.png"), entry("FIN.png")]),
        (.archiveCollidingCase, [entry("ο\u{3C2}.png"), entry("ΟΣ.png")]),
        (.archiveCollidingCase, [entry("\u{212A}.png"), entry("k.png")]),
        (.archiveFileInTheWay, [entry("a"), entry("a/b")]),
        (.archiveFileInTheWay, [entry("a/b"), entry("a")]),
        (.archiveEncrypted, [entry("secret") { $0.flags |= 1 }]),
        (.archiveTooManyFiles, (0..<600).map { entry("file\($0)") }),
        (.archiveTooDeep, [entry("a/b/c/d/e")]),
        (.archiveDamaged, [entry("wrong") { $0.checksum = 1 }]),
    ]

    @Test(arguments: hostile.indices) func hostileArchivesAreRefused(_ index: Int) throws {
        let (code, entries) = Self.hostile[index]
        do {
            _ = try MaskArchive.unpack(ZipBuilder([Self.manifest] + entries).bytes)
            Issue.record("\(code): it was unpacked")
        } catch {
            #expect(error.code == code, "\(error)")
        }
    }

    /// What an earlier call has left in `errno` is no reason.
    @Test func olderErrorsDoNotCount() throws {
        var odd = ZipBuilder.Entry("x")
        odd.name = [0x66, 0xFF, 0xFE]
        let archive = ZipBuilder([Self.manifest, odd]).bytes
        // The first call loads the library, which changes it.
        for _ in 0..<2 {
            errno = ENOMEM
            do {
                _ = try MaskArchive.unpack(archive)
                Issue.record("it was unpacked")
            } catch { #expect(error.code == .archiveOddName, "\(error)") }
        }
    }

    /// Small archives that become large.
    @Test func bombsAreDefused() throws {
        func code(_ sizes: [Int]) throws -> MaskProblem.Code? {
            let files = sizes.enumerated().map {
                MaskArchive.File(name: FilePath("zeros\($0)"), bytes: [UInt8](repeating: 0, count: $1))
            }
            let archive = try MaskArchive.pack(files + [.init(name: "mask.json", bytes: Array("{}".utf8))])
            #expect(archive.count < 1 << 20)
            do {
                _ = try MaskArchive.unpack(archive)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try code([MaskArchive.maximumFileSize + 1]) == .archiveFileTooLarge)
        #expect(try code([Int](repeating: 60 << 20, count: 5)) == .archiveTooLarge)
        #expect(try code([1 << 20]) == nil)
    }

    @Test func otherArchivesAreRefused() throws {
        func code(_ bytes: [UInt8]) -> MaskProblem.Code? {
            do {
                _ = try MaskArchive.unpack(bytes)
                return nil
            } catch { return error.code }
        }
        #expect(code([]) == .archiveNotZip)
        #expect(code(Array("just text, no archive at all".utf8)) == .archiveNotZip)
        #expect(code(ZipBuilder([.init("other.json")]).bytes) == .archiveNoManifest)
        #expect(code(ZipBuilder([.init("folder/mask.json")]).bytes) == .archiveNoManifest)
    }

    /// Whatever is cut off or changed: an error or the files, and never a crash.
    @Test func damageIsNoCrash() throws {
        let whole = try MaskArchive.pack([
            .init(name: "mask.json", bytes: Array("{}".utf8)),
            .init(name: "a/b.png", bytes: (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }),
        ])
        for length in 0..<whole.count { _ = try? MaskArchive.unpack(Array(whole.prefix(length))) }
        var refused = 0
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0xA5
            do { _ = try MaskArchive.unpack(changed) } catch { refused += 1 }
        }
        #expect(refused > whole.count / 2, "\(refused) of \(whole.count)")
    }
}
