import Files
import JSON
import MaskAuthoring
import PictureBuilders
import TestSupport
import Testing

/// JSON, Base64 and PNG have fuzz targets of their own; this is what joins them.
@Suite struct JournalDamageTests {
    @Test func changedAndCutJournalsEndInErrors() throws {
        let folder = try TemporaryFolder()
        let whole = JSONValue.object([
            "journal": .integer(1), "manifest": .object([JSONValue.Member("name", .string("ä"))]),
            "points": .object([JSONValue.Member("f.pts", .array([.array([.real(0.5), .real(-3e5)])]))]),
            "mattes": .object([
                JSONValue.Member("t.png", .string(Base64.text(WholePictures.png(metadata: false))))
            ]),
        ])
        let text = Array(whole.text().utf8)
        let journal = EditJournal(folder: FilePath(folder.path + "/mask"))
        var random = SeededNumbers(seed: 17)
        var (refused, kept) = (0, 0)
        for _ in 0..<1500 {
            var bytes = text
            switch random.below(4) {
            case 0: bytes.removeLast(random.below(bytes.count))
            case 1:
                let start = random.below(bytes.count)
                bytes.removeSubrange(start..<min(bytes.count, start + 1 + random.below(8)))
            default:
                for _ in 0..<(1 + random.below(3)) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            _ = try folder.write(bytes, "mask.journal")
            guard let mattes = try? journal.read()?.mattes else {
                refused += 1
                continue
            }
            #expect(mattes.keys.allSatisfy { $0.staysBeneath })
            for (name, matte) in mattes {
                guard let side = try? matte.matte(of: nil, path: name).bounds.width else { continue }
                #expect(side <= 8192)
            }
            kept += 1
        }
        // Both happen, or this tries only one half of the reader.
        #expect(refused > 100 && kept > 10, "\(refused) refused, \(kept) kept")
    }
}
