import Files
import ImageFiles
import JSON
import MaskAuthoring
import Masks
import PictureBuilders
import Pixels
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
                JSONValue.Member("t.png", .object(["png": .string(Base64.text(WholePictures.png(metadata: false)))])),
                JSONValue.Member(
                    "u.png",
                    .object([
                        "png": .string(Base64.text(try tile())), "size": .array([.integer(130), .integer(70)]),
                        "tiles": .array([.integer(5)]),
                    ])),
            ]),
        ])
        let text = Array(whole.text().utf8)
        let journal = EditJournal(folder: FilePath(folder.path + "/mask"))
        var random = SeededNumbers(seed: 17)
        let texture = Texture(
            path: "u.png", pixels: try PixelBuffer(width: 130, height: 70, format: .rgba8), fileKind: .png)
        var (refused, kept, restored) = (0, 0, 0)
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
                guard let bounds = try? matte.matte(of: texture, path: name).bounds else { continue }
                #expect(bounds.width <= 8192)
                if bounds.width == 130 { restored += 1 }
            }
            kept += 1
        }
        // Both happen, or this tries only one half of the reader.
        #expect(
            refused > 100 && kept > 10 && restored > 10, "\(refused) refused, \(kept) kept, \(restored) with tiles")
    }

    /// A grey PNG of one tile.
    private func tile() throws -> [UInt8] {
        let picture = Picture(pixels: try PixelBuffer(width: 64, height: 64, format: .rgba8), isColor: false)
        return try PictureWriter.encode(picture, options: .init(format: .png), path: "tile").bytes()
    }
}
