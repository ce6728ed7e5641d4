import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

@Suite struct TIFFTests {
    private func read(_ builder: TIFFBuilder) throws(PictureError) -> Picture {
        try PictureReader.read(builder.bytes, path: "in.tif")
    }

    private func reason(_ builder: TIFFBuilder) -> String {
        do throws(PictureError) {
            _ = try read(builder)
            return "nothing is wrong"
        } catch {
            return "\(error.kind): \(error.reason)"
        }
    }

    private func rewritten(_ picture: borrowing Picture) throws -> [UInt8] {
        try PictureWriter.encode(picture, options: .init(format: .tiff), path: "out.tif").bytes()
    }

    private func rgb(_ edit: (inout TIFFBuilder) -> Void = { _ in }) -> TIFFBuilder {
        var builder = TIFFBuilder(width: 37, height: 21)
        edit(&builder)
        return builder
    }

    /// The pixels that `rgb` has.
    private func check(_ picture: borrowing Picture, of builder: TIFFBuilder) {
        var wrong = 0
        let scale = builder.bits == 16 ? 257 : 1
        for y in 0..<builder.height {
            for x in 0..<builder.width {
                let expected = SIMD4<UInt16>(
                    UInt16(builder.value(x, y, 0)), UInt16(builder.value(x, y, 1)), UInt16(builder.value(x, y, 2)),
                    UInt16(255 * scale))
                if picture.pixels[x, y] != expected { wrong += 1 }
            }
        }
        #expect(picture.pixels.width == builder.width && picture.pixels.height == builder.height && wrong == 0)
    }

    @Test(arguments: 0..<16) func layouts(_ kind: Int) throws {
        let builder = rgb {
            $0.isBigEndian = kind & 1 != 0
            $0.isPlanar = kind & 2 != 0
            $0.tile = kind & 4 != 0 ? 16 : nil
            $0.rowsPerStrip = 5
            if kind & 8 != 0 {
                $0.bits = 16
                $0.value = { x, y, s in 300 * x + 1000 * y + 7 * s }
            }
        }
        let picture = try read(builder)
        check(picture, of: builder)
        let again = try PictureReader.read(try rewritten(picture), path: "out.tif")
        check(again, of: builder)
    }

    @Test func greyAndItsInverse() throws {
        for photometric in [0, 1] {
            let builder = rgb { ($0.photometric, $0.samples) = (photometric, 1) }
            let picture = try read(builder)
            let value = UInt16(builder.value(3, 4, 0))
            let grey = photometric == 0 ? 255 - value : value
            let isColor = picture.isColor
            #expect(!isColor && picture.pixels[3, 4] == SIMD4(grey, grey, grey, 255))
            let again = try PictureReader.read(try rewritten(picture), path: "out.tif")
            let staysGrey = !again.isColor
            #expect(try staysGrey && PictureDifference(again.pixels, picture.pixels).largest == 0)
        }
    }

    @Test(arguments: [1, 4, 8]) func palettes(_ bits: Int) throws {
        let colors = (0..<3).flatMap { channel in (0..<(1 << bits)).map { ($0 * 40 + channel * 20) % 256 * 257 } }
        let builder = rgb {
            ($0.photometric, $0.samples, $0.bits) = (3, 1, bits)
            $0.entries = [.init(0x140, 3, colors)]
            $0.value = { x, y, _ in (x + y) % (1 << bits) }
        }
        let picture = try read(builder)
        let index = builder.value(5, 6, 0)
        #expect(
            picture.pixels[5, 6]
                == SIMD4(
                    UInt16(index * 40 % 256), UInt16((index * 40 + 20) % 256), UInt16((index * 40 + 40) % 256), 255))
    }

    @Test func blackAndWhite() throws {
        let picture = try read(
            rgb {
                ($0.photometric, $0.samples, $0.bits) = (1, 1, 1); $0.value = { x, _, _ in x }
            })
        #expect(picture.pixels[3, 0] == SIMD4(255, 255, 255, 255) && picture.pixels[4, 0] == SIMD4(0, 0, 0, 255))
    }

    @Test func alphaIsKeptAndMadeStraight() throws {
        for (extra, color) in [(1, 100), (2, 50)] {
            let builder = rgb {
                $0.samples = 4
                $0.entries = [.init(0x152, 3, [extra])]
                $0.value = { _, _, sample in sample == 3 ? 128 : 50 }
            }
            let picture = try read(builder)
            let hasAlpha = picture.hasAlpha
            let expected = UInt16(extra == 1 ? color : 50)
            #expect(hasAlpha && picture.pixels[0, 0] == SIMD4(expected, expected, expected, 128))
            let again = try PictureReader.read(try rewritten(picture), path: "out.tif")
            #expect(again.pixels[9, 9] == picture.pixels[9, 9])
        }
    }

    @Test func otherChannelsAreLeftOut() throws {
        let builder = rgb {
            $0.samples = 5; $0.entries = [.init(0x152, 3, [0, 0])]
        }
        let picture = try read(builder)
        let hasAlpha = picture.hasAlpha
        #expect(!hasAlpha)
        check(picture, of: builder)
    }

    @Test func orientationAndExifAreKept() throws {
        let text = Array("A maker\0".utf8)
        let builder = rgb {
            $0.entries = [
                .init(0x112, 3, [6]), .init(0x10F, 2, bytes: text), .init(0x9C9B, 1, bytes: [1, 2, 3, 4, 5]),
            ]
            // A time, the size, and a maker's note, whose offsets would be wrong in another place.
            $0.directories[0x8769] = [
                .init(0x9003, 2, bytes: Array("2024:05:06 07:08:09\0".utf8)), .init(0xA002, 4, [37]),
                .init(0x927C, 7, bytes: Array("a maker's note".utf8)),
            ]
            $0.directories[0x8825] = [.init(1, 2, bytes: [0x4E, 0])]
        }
        for isBigEndian in [false, true] {
            var builder = builder
            builder.isBigEndian = isBigEndian
            let picture = try read(builder)
            #expect(picture.pixels.width == 21 && picture.pixels.height == 37)
            for format in PictureFormat.allCases {
                let file = try PictureWriter.encode(picture, options: .init(format: format), path: "out").bytes()
                for kept in ["A maker", "2024:05:06 07:08:09"] { #expect(file.contains(Array(kept.utf8)), "\(format)") }
                #expect(!file.contains(Array("maker's note".utf8)), "\(format)")
                // Upright, and not rotated a second time.
                let again = try PictureReader.read(file, path: "out")
                #expect(again.pixels.width == 21 && again.pixels.height == 37, "\(format)")
            }
        }
    }

    @Test func blocksOfMetadataAreKeptWithoutPictures() throws {
        let preview = [UInt8](repeating: UInt8(ascii: "A"), count: 2000)
        let resources =
            IPTCBuilder.resource(4, IPTCBuilder.dataSet(5, "kept headline")) + IPTCBuilder.resource(0x0C, preview)
        let builder = rgb {
            $0.entries = [
                .init(0x2BC, bytes: XMPBuilder.packet(thumbnail: "bareface")), .init(0x8649, bytes: resources),
                .init(0x8773, 7, bytes: ICCBuilder.profile()),
                // Layers of Photoshop, and an unknown private value.
                .init(0x935C, 7, bytes: Array("Adobe Photoshop Document Data Block bare face".utf8)),
                .init(0xC000, 7, bytes: Array("private bare face".utf8)),
            ]
        }
        let picture = try read(builder)
        let file = try rewritten(picture)
        for kept in ["kept title", "kept headline"] { #expect(file.contains(Array(kept.utf8)), "\(kept)") }
        #expect(file.contains(ICCBuilder.profile()))
        for gone in ["bareface", "bare face", "AAAAAAAAAAAAAAAA"] {
            #expect(!file.contains(Array(gone.utf8)), "\(gone)")
        }
        let again = try PictureReader.read(file, path: "out.tif")
        #expect(again.metadata.iccProfile == ICCBuilder.profile())
    }

    @Test func reducedPicturesAreLeftOut() throws {
        var thumbnail = TIFFBuilder(width: 4, height: 4) { _, _, _ in 77 }
        thumbnail.entries = [.init(0xFE, 4, [1])]
        let builder = rgb { $0.pages = [thumbnail] }
        let picture = try read(builder)
        check(picture, of: builder)
        let again = try rewritten(picture)
        #expect(!again.contains([UInt8](repeating: 77, count: 40)))
    }

    @Test func unsupportedFilesAreExplained() {
        #expect(reason(rgb { ($0.photometric, $0.samples) = (5, 4) }).contains("unsupported: is a CMYK TIFF"))
        #expect(reason(rgb { ($0.bits, $0.entries) = (32, [.init(0x153, 3, [3, 3, 3])]) }).contains("floating-point"))
        #expect(reason(rgb { $0.entries = [.init(0x153, 3, [2, 2, 2])] }).contains("signed"))
        #expect(reason(rgb { $0.bits = 32 }).contains("32 bits a colour"))
        #expect(reason(rgb { $0.bits = 1 }).contains("1 bit a colour"))
        #expect(reason(rgb { ($0.photometric, $0.samples) = (6, 1) }).contains("1 channel;"))
        #expect(reason(rgb { $0.photometric = 8 }).contains("unusual colour space"))
        #expect(reason(rgb { $0.compression = 6 }).contains("old kind of JPEG"))
        #expect(reason(rgb { $0.pages = [TIFFBuilder(width: 5, height: 5)] }).contains("TIFF of 2 pages"))
        let many = [TIFFBuilder](repeating: TIFFBuilder(width: 5, height: 5), count: 70)
        #expect(reason(rgb { $0.pages = many }).contains("TIFF of more than 64 pages"))
        #expect(reason(rgb { $0.pages = Array(many[..<63]) }).contains("TIFF of 64 pages"))
        #expect(reason(rgb { $0.compression = 32767 }).contains("damaged"))
        #expect(reason(rgb { $0.entries = [.init(0x100, 4, [70_000])] }).contains("tooLarge"))
        let big: [UInt8] = [0x49, 0x49, 43, 0, 8, 0, 0, 0]
        #expect(throws: PictureError.self) { _ = try PictureReader.read(big, path: "big.tif") }
    }

    /// libtiff says at which row, before it knows one.
    @Test func filesThatEndBeforeTheirPixels() throws {
        let file = rgb { $0.rowsPerStrip = 5 }.bytes
        // The offset of a strip leads behind the end, or its bytes do.
        let place = try #require(file.firstRange(of: [0x11, 1, 4, 0])).upperBound + 4
        let list = (0..<4).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
        for offset in [file.count - 4, file.count + 1000] {
            var cut = file
            for index in 0..<4 { cut[list + index] = UInt8(truncatingIfNeeded: offset >> (8 * index)) }
            #expect(
                throws: PictureError(
                    .damaged, path: "in.tif", "is damaged or cut off: the file ends before its pixels do")
            ) {
                _ = try PictureReader.read(cut, path: "in.tif")
            }
        }
    }

    /// Their first picture is a thumbnail that a camera has made.
    @Test func rawFilesAreNotReadAsTheirThumbnails() {
        let sensor: [TIFFBuilder.Entry] = [.init(0x100, 4, [6000]), .init(0x101, 4, [4000]), .init(0x106, 3, [32803])]
        let nef = rgb {
            $0.entries = [.init(0xFE, 4, [1]), .init(0x10F, 2, bytes: Array("NIKON CORPORATION\0".utf8))]
            $0.directories[0x14A] = sensor
        }
        #expect(
            reason(nef).contains("a camera's raw file (NIKON CORPORATION)") && reason(nef).contains("darktable-cli"))
        #expect(reason(rgb { $0.entries = [.init(0xC612, 1, [1, 4, 0, 0])] }).contains("raw file (DNG)"))
        #expect(
            reason(
                rgb {
                    $0.photometric = 32803; $0.samples = 1
                }
            ).contains("raw file (of an unknown camera)"))
    }

    /// A small file whose values lie over each other does not become a large one.
    @Test func valuesThatLieOverEachOther() throws {
        var builder = TIFFBuilder(width: 150, height: 150)
        builder.directories[0x8769] = (0..<2000).map { .init(0x9000 + $0, 7, bytes: [1, 2, 3, 4]) }
        var file = builder.bytes
        // Each value of four bytes becomes one of 60,000, from the start of the file.
        let place = try #require(file.firstRange(of: [0x69, 0x87, 4, 0, 1, 0, 0, 0])).upperBound
        let directory = (0..<4).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
        for index in 0..<2000 {
            let entry = directory + 2 + 12 * index
            file.replaceSubrange((entry + 4)..<(entry + 12), with: [0x60, 0xEA, 0, 0, 8, 0, 0, 0])
        }
        let picture = try PictureReader.read(file, path: "in.tif")
        let size = try #require(picture.metadata.exif).count
        #expect(size < 400_000)
    }

    /// Each is a picture or an error: a directory that refers to itself, values outside, a file that is cut off anywhere.
    @Test func directoriesThatLeadNowhere() throws {
        let whole = rgb { $0.entries = [.init(0x112, 3, [3]), .init(0x10F, 2, bytes: Array("maker\0".utf8))] }.bytes
        for count in stride(from: 0, to: whole.count, by: 97) {
            #expect(throws: PictureError.self) { _ = try PictureReader.read(Array(whole[..<count]), path: "cut.tif") }
        }
        var loop = whole
        let directory = Int(whole[4]) | Int(whole[5]) << 8
        let link = directory + 2 + 12 * (Int(whole[directory]) | Int(whole[directory + 1]) << 8)
        loop.replaceSubrange(link..<(link + 4), with: whole[4..<8])
        _ = try PictureReader.read(loop, path: "loop.tif")
    }
}
