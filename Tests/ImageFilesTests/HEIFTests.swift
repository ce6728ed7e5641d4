import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// HEIC and AVIF.
@Suite struct HEIFTests {
    private static func drawing(_ format: PixelFormat = .rgba8, width: Int = 96, height: Int = 64) throws -> Picture {
        var pixels = try PixelBuffer(width: width, height: height, format: format)
        let stride = pixels.bytesPerRow
        pixels.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = SIMD4<Float>(Float(x) / Float(width), Float(y) / Float(height), 0.5, 1)
                    if format == .rgba16 {
                        let value = SIMD4<UInt16>(color * 65535)
                        bytes.storeBytes(of: value, toByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
                    } else {
                        let value = SIMD4<UInt8>(color * 255)
                        bytes.storeBytes(of: value, toByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
        return Picture(pixels: pixels)
    }

    private static func file(_ picture: borrowing Picture, _ format: PictureFormat) throws -> [UInt8] {
        try PictureWriter.encode(picture, options: .init(format: format), path: "out").bytes()
    }

    private static func read(_ bytes: [UInt8]) throws(PictureError) -> Picture {
        try PictureReader.read(bytes, path: "in")
    }

    @Test(arguments: [PictureFormat.heic, .avif]) func roundTrip(_ format: PictureFormat) throws {
        // Sides that are not even, and smaller than an encoder's blocks, too.
        for (width, height) in [(96, 64), (97, 65), (5, 3)] {
            let picture = try Self.drawing(width: width, height: height)
            let again = try Self.read(try Self.file(picture, format))
            let (found, isColor, hasAlpha) = (again.format, again.isColor, again.hasAlpha)
            #expect(found == format && isColor && !hasAlpha)
            #expect(again.pixels.width == width && again.pixels.height == height)
            let difference = try PictureDifference(again.pixels, picture.pixels)
            #expect(
                difference.largest <= (width < 10 ? 60 : 24), "\(format) \(width) × \(height): \(difference.largest)")
        }
    }

    @Test(arguments: [PictureFormat.heic, .avif]) func tenBitsStayTen(_ format: PictureFormat) throws {
        let picture = try Self.drawing(.rgba16)
        let again = try Self.read(try Self.file(picture, format))
        #expect(again.pixels.format == .rgba16)
        let (expected, found) = (picture.pixels[50, 30], again.pixels[50, 30])
        for index in 0..<3 { #expect(abs(Int(expected[index]) - Int(found[index])) < 1500, "\(expected) \(found)") }
        #expect(found.w == 65535)
        // 16 bits of which only 10 count.
        let steps = (0..<90).map { Int(again.pixels[$0, 5].x) }
        #expect(steps.allSatisfy { ($0 * 1023 + 32767) / 65535 * 65535 / 1023 - $0 <= 1 })
    }

    @Test(arguments: [PictureFormat.heic, .avif]) func alphaIsKept(_ format: PictureFormat) throws {
        var pixels = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        for y in 0..<64 {
            pixels.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(200, 100, 50, x < 32 ? 255 : 90) } }
        }
        var deep = try PixelBuffer(width: 64, height: 64, format: .rgba16)
        deep.withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] = UInt8(index % 64) } }
        let deepAgain = try Self.read(try Self.file(Picture(pixels: deep, hasAlpha: true), format))
        let deepHasAlpha = deepAgain.hasAlpha
        #expect(deepHasAlpha && deepAgain.pixels.format == .rgba16)
        let again = try Self.read(try Self.file(Picture(pixels: pixels, hasAlpha: true), format))
        let hasAlpha = again.hasAlpha
        #expect(hasAlpha && again.pixels[10, 10].w > 250 && abs(Int(again.pixels[50, 10].w) - 90) < 6)
    }

    @Test(arguments: [PictureFormat.heic, .avif]) func metadataIsKeptAndMadeTrue(_ format: PictureFormat) throws {
        var picture = try Self.drawing()
        picture.metadata.exif = ExifBuilder.block(orientation: 6, width: 96, height: 64)
        picture.metadata.xmp = XMPBuilder.packet(thumbnail: "bareface")
        picture.metadata.iccProfile = ICCBuilder.profile()
        let file = try Self.file(picture, format)
        for gone in ["bareface", "bare face"] { #expect(!file.contains(Array(gone.utf8)), "\(gone)") }
        let again = try Self.read(file)
        // EXIF says upright, and was not what decided.
        #expect(again.pixels.width == 96 && again.metadata.iccProfile == ICCBuilder.profile())
        #expect(again.metadata.exif?.count == picture.metadata.exif?.count)
        #expect(again.metadata.xmp?.contains(Array("kept title".utf8)) == true)
        let jpeg = try Self.file(again, .jpeg)
        #expect(try Self.read(jpeg).pixels.width == 96)
    }

    /// An AVIF of 16 × 16 pixels with the primaries of Display P3 and the transfer function of sRGB. New versions of libheif
    /// leave out the code points of common colour spaces, so a test cannot change those of a file that it writes.
    private static func displayP3() throws -> [UInt8] {
        let lines = """
            AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt
            AAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAIAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlw
            cnAAAABLaXBjbwAAABNjb2xybmNseAAMAA0ABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAAAAMICAgAAAAX
            aXBtYQAAAAAAAAABAAEEgYIDhAAAAChtZGF0EgAKCRgM/9ggQEDQgDIREUAAAEAAPvNdWTrV4s2wgYA=
            """
        return [UInt8](try #require(Data(base64Encoded: lines, options: .ignoreUnknownCharacters)))
    }

    /// Without an ICC profile, code points say what the colours are.
    @Test(arguments: [PictureFormat.heic, .avif]) func codePointsAreKept(_ format: PictureFormat) throws {
        let picture = try Self.read(Self.displayP3())
        let red = try #require(picture.metadata.matrixFromSRGB).prefix(3)
        #expect(abs(red.reduce(0, +) - 1) < 1e-4 && red[0] < 0.83)
        let again = try Self.read(try Self.file(picture, format))
        #expect(again.metadata.matrixFromSRGB == picture.metadata.matrixFromSRGB)
        let png = try Self.file(picture, .png)
        #expect(png.contains(Array("cICP".utf8) + [12]))
    }

    /// Where a file's own rotation ("irot") says so.
    @Test func theFilesOwnRotationCounts() throws {
        var file = try Self.file(try Self.drawing(), .heic)
        // The property that tells the number of bits becomes one that rotates by 90 degrees counter-clockwise.
        let place = try #require(file.firstRange(of: Array("pixi".utf8)))
        file.replaceSubrange(place, with: Array("irot".utf8))
        file.replaceSubrange(place.upperBound..<(place.upperBound + 8), with: [1, 0, 0, 0, 0, 0, 0, 0])
        let again = try Self.read(file)
        #expect(again.pixels.width == 64 && again.pixels.height == 96)
        // The right side, which is red, is at the top.
        #expect(again.pixels[32, 2].x > 200 && again.pixels[32, 93].x < 50)
    }

    @Test(arguments: [PictureFormat.heic, .avif]) func damageIsAnErrorOrAPicture(_ format: PictureFormat) throws {
        let file = try Self.file(try Self.drawing(), format)
        for count in stride(from: 12, to: file.count, by: max(1, file.count / 12)) {
            #expect(throws: PictureError.self) { _ = try Self.read(Array(file[..<count])) }
        }
        for seed in 0..<16 {
            if let picture = try? Self.read(BrokenBytes.damaged(file, seed: seed)) { _ = consume picture }
        }
    }

    @Test func sizesAreCheckedFirst() throws {
        var file = try Self.file(try Self.drawing(), .heic)
        let place = try #require(file.firstRange(of: Array("ispe".utf8))).upperBound
        file.replaceSubrange((place + 4)..<(place + 12), with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        do throws(PictureError) {
            _ = try Self.read(file)
            Issue.record("a picture of 3600 megapixels was read")
        } catch {
            #expect(error.kind == .tooLarge)
        }
    }

    /// "meta" boxes too short for their version and flags ended the program. Found by fuzzing.
    @Test(arguments: 8...12) func shortBoxesAreErrors(_ size: UInt8) {
        let type = [0, 0, 0, 16] + Array("ftypavif\0\0\0\0".utf8)
        let bytes = type + [0, 0, 0, size] + Array("meta".utf8) + [UInt8](repeating: 0, count: 60)
        #expect(throws: PictureError.self) { _ = try Self.read(bytes) }
    }

    /// libheif follows what refers to itself until its stack is full. Found by fuzzing.
    @Test(arguments: [PictureFormat.heic, .avif]) func picturesThatNeedThemselvesAreRefused(
        _ format: PictureFormat
    ) throws {
        var transparent = try Self.drawing()
        transparent.hasAlpha = true
        var file = try Self.file(transparent, format)
        // Its transparency belongs to the item behind the count: (from, 1, to).
        let place = try #require(file.firstRange(of: Array("auxl".utf8))).upperBound
        file.replaceSubrange(place..<(place + 2), with: file[(place + 4)..<(place + 6)])
        do throws(PictureError) {
            _ = try Self.read(file)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("refer to each other endlessly"), "\(error)")
        }
    }

    @Test func sequencesAreRefused() {
        for brand in ["avis", "msf1", "hevc"] {
            let bytes = [0, 0, 0, 16] + Array("ftyp\(brand)\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 50)
            #expect(throws: PictureError.self) { _ = try Self.read(bytes) }
        }
    }
}
