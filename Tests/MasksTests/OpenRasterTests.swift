import ImageFiles
import Masks
import Pixels
import TestSupport
import Testing

@Suite struct OpenRasterTests {
    private func png(_ width: Int, _ height: Int, _ color: SIMD4<UInt8>) throws -> [UInt8] {
        try PictureWriter.encode(
            Picture(pixels: try plain(width, height, color), hasAlpha: true), options: .init(format: .png), path: "x"
        ).bytes()
    }

    private func file(_ layers: String, _ pictures: [(String, [UInt8])]) -> [UInt8] {
        ZipBuilder(
            [
                .init("mimetype", Array("image/openraster".utf8)),
                .init("stack.xml", Array("<image w='8' h='6'><stack>\(layers)</stack></image>".utf8)),
            ] + pictures.map { ZipBuilder.Entry($0, $1) }
        ).bytes
    }

    /// Programs save a layer cut to what is on it.
    @Test func thePaintLayerIsPutWhereItLies() throws {
        let bytes = file(
            #"<layer name="guides" src="data/0.png" x="0" y="0"/><layer src='data/1.png' x="3" y='-1' name="Paint" />"#,
            [
                ("data/0.png", try png(8, 6, SIMD4(0, 0, 255, 255))),
                ("data/1.png", try png(2, 3, SIMD4(255, 0, 0, 255))),
            ])
        let painting = try OpenRaster.painting(bytes, path: "a.ora", maximumSide: 100).pixels.copy()
        #expect(painting.width == 8 && painting.height == 6)
        for y in 0..<6 {
            for x in 0..<8 {
                let isPainted = (3..<5).contains(x) && y < 2
                #expect(painting[x, y] == (isPainted ? SIMD4(255, 0, 0, 255) : SIMD4(0, 0, 0, 0)))
            }
        }
    }

    @Test func withoutThatLayerEverythingCounts() throws {
        let bytes = file(
            #"<layer name="1" src="data/0.png"/>"#, [("mergedimage.png", try png(8, 6, SIMD4(1, 2, 3, 255)))])
        #expect(try OpenRaster.painting(bytes, path: "a.ora", maximumSide: 100).pixels[7, 5] == SIMD4(1, 2, 3, 255))
    }

    /// A template whose painted layer has another name would be worn with its guides.
    @Test func guidesAreNotWorn() throws {
        let bytes = file(
            #"<layer name="moth" src="data/0.png"/><layer name="face" src="data/1.png" edit-locked="true"/>"#,
            [("data/0.png", try png(8, 6, .zero)), ("mergedimage.png", try png(8, 6, SIMD4(1, 2, 3, 255)))])
        #expect {
            _ = try OpenRaster.painting(bytes, path: "a.ora", maximumSide: 100)
        } throws: {
            "\($0)".contains(#"has no layer "paint""#)
        }
        #expect(try OpenRaster.painting(bytes, layer: "moth", path: "a.ora", maximumSide: 100).pixels[0, 0] == .zero)
    }

    @Test func writtenLayersAreReadAgain() throws {
        let paint = try png(8, 6, SIMD4(9, 8, 7, 255))
        let bytes = try OpenRaster.write(
            [.init(name: "a & \"b\" <c>", png: try png(8, 6, .zero), opacity: 0.5), .init(name: "paint", png: paint)],
            width: 8, height: 6, merged: png(8, 6, .zero), thumbnail: png(8, 6, .zero))
        #expect(try OpenRaster.painting(bytes, path: "a.ora", maximumSide: 100).pixels[0, 0] == SIMD4(9, 8, 7, 255))
        // The format stands at a known place (OpenRaster, file layout).
        #expect(Array(bytes[30..<38]) == Array("mimetype".utf8))
        #expect(Array(bytes.prefix(120)).split(separator: UInt8(ascii: "/")).count > 1)
    }

    @Test func anyLayerCanBeAskedFor() throws {
        let bytes = file(
            #"<layer name="paint" src="data/0.png"/><layer name="hat &amp; &quot;feather&quot;" src="data/1.png"/>"#,
            [
                ("data/0.png", try png(8, 6, SIMD4(0, 0, 255, 255))),
                ("data/1.png", try png(8, 6, SIMD4(255, 0, 0, 255))),
                ("mergedimage.png", try png(8, 6, .zero)),
            ])
        let hat = try OpenRaster.painting(bytes, layer: #"Hat & "feather""#, path: "a.ora", maximumSide: 100)
        #expect(hat.pixels[0, 0] == SIMD4(255, 0, 0, 255))
        #expect {
            _ = try OpenRaster.painting(bytes, layer: "coat", path: "a.ora", maximumSide: 100)
        } throws: {
            "\($0)".contains(#"has no layer "coat"; it has "paint", "hat & "feather"""#)
        }
        // As layers of a mask.
        let folder = try TemporaryFolder()
        try folder.write(bytes, "a.ora")
        try folder.write(
            #"""
            {"format": 1, "name": "x", "layers": [
              {"type": "warp", "texture": "a.ora"},
              {"type": "sticker", "texture": "a.ora", "textureLayer": "hat & \"feather\"", "anchor": "nose", "width": 1}]}
            """#, "mask.json")
        let mask = try MaskLoader(reference: Repository.referenceFace()).load(folder: folder.path)
        let colors = mask.layers.compactMap { layer -> SIMD4<UInt16>? in
            switch layer.content {
            case .warp(let warp): if case .texture(let texture) = warp.picture { texture.pixels[0, 0] } else { nil }
            case .sticker(let hat): if case .texture(let texture) = hat.picture { texture.pixels[0, 0] } else { nil }
            case .prop, .deform, .hair, .comic: nil
            }
        }
        #expect(colors == [SIMD4(0, 0, 255, 255), SIMD4(255, 0, 0, 255)])
    }

    @Test func damageIsAnError() throws {
        #expect(throws: PictureError.self) { _ = try OpenRaster.painting([1, 2, 3], path: "a.ora", maximumSide: 100) }
        let nothing = ZipBuilder([.init("mimetype")]).bytes
        #expect(throws: PictureError.self) { _ = try OpenRaster.painting(nothing, path: "a.ora", maximumSide: 100) }
        let broken = file(#"<layer name="paint" src="data/0.png" x="1"/>"#, [("data/0.png", Array("no png".utf8))])
        #expect(throws: PictureError.self) { _ = try OpenRaster.painting(broken, path: "a.ora", maximumSide: 100) }
        let large = file(#"<layer name="paint" src="data/0.png"/>"#, [("data/0.png", try png(200, 1, .zero))])
        #expect(throws: PictureError.self) { _ = try OpenRaster.painting(large, path: "a.ora", maximumSide: 100) }
    }
}
