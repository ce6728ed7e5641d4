import ImageFiles
import TestSupport
import Testing

/// Files are known by their content.
@Suite struct SignatureTests {
    /// Their previews are not the photograph.
    @Test(arguments: [
        ("II*\0\u{10}\0\0\0CR\u{2}\0", "Canon CR2"), ("\0\0\0\u{18}ftypcrx \0\0\0\u{1}", "Canon CR3"),
        ("FUJIFILMCCD-RAW 0201", "Fujifilm RAF"), ("IIRO\u{8}\0\0\0", "Olympus ORF"),
        ("IIU\0\u{18}\0\0\0", "Panasonic RW2"),
        ("FOVb\0\0\0\0", "Sigma X3F"), ("\0MRM\0\0\0\0", "Minolta MRW"), ("II*\0\u{8}\0\0\0IIII", "Phase One IIQ"),
    ])
    func rawFiles(_ start: String, _ name: String) {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0, count: 100)
        do throws(PictureError) {
            _ = try PictureReader.read(bytes, path: "raw.jpg")
            Issue.record("\(name) was read")
        } catch {
            #expect(error.kind == .unsupported && error.reason.contains("raw file (\(name))"), "\(error)")
            #expect(error.reason.contains("darktable-cli"), "\(error)")
        }
    }

    /// Those of printing and painting programs, too.
    @Test(arguments: [
        ("8BPS\0\u{1}", "a Photoshop file (PSD)"), ("BM\u{10}\0\0\0", "a BMP of an unknown kind"),
        ("P7\nWIDTH 2\n", "a Netpbm picture (P7)"),
    ])
    func otherPictures(_ start: String, _ name: String) {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0, count: 100)
        let reason = "is \(name), which Bauta does not read; convert it to JPEG or PNG first"
        #expect(throws: PictureError(.unsupported, path: "a.psd", reason)) {
            _ = try PictureReader.read(bytes, path: "a.psd")
        }
        #expect(
            throws: PictureError(
                .notAPicture, path: "a", "is not a JPEG, PNG, WebP, TIFF, HEIC, AVIF, GIF, BMP or Netpbm picture")
        ) {
            _ = try PictureReader.read(Array("P9 text".utf8), path: "a")
        }
    }

    /// It may be a HEIC, an AVIF or a video.
    @Test func filesThatEndBeforeTheyAreKnown() {
        for count in 8..<12 {
            let start = Array([UInt8]([0, 0, 0, 24]) + Array("ftypheic".utf8)).prefix(count)
            #expect(throws: PictureError(.damaged, path: "cut.heic", "is cut off: it ends before its type is known")) {
                _ = try PictureReader.read(Array(start), path: "cut.heic")
            }
        }
    }

    @Test func everyFormatThatCanBeReadIsNamed() {
        let names = "JPEG, PNG, WebP, TIFF, HEIC, AVIF, GIF, BMP or Netpbm"
        #expect(throws: PictureError(.notAPicture, path: "a", "is not a \(names) picture")) {
            _ = try PictureReader.read(Array("hello".utf8), path: "a")
        }
    }

    @Test func masksHaveNoOtherTextures() throws {
        let files = [
            TIFFBuilder(width: 4, height: 4).bytes, GIFBuilder(width: 4, height: 4) { _, _ in 0 }.bytes,
            BMPBuilder(width: 4, height: 4, bits: 24).bytes, Array("P2 1 1 9 5 ".utf8),
        ]
        for file in files {
            #expect(throws: PictureError.self) { _ = try PictureReader.read(file, for: .texture, path: "t.png") }
            _ = try PictureReader.read(file, path: "p.png")
        }
    }
}
