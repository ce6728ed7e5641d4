import Foundation
import Masks
import Pixels
import TestSupport
import Testing

/// SVG as a texture.
@Suite struct VectorPictureTests {
    private static func svg(_ content: String, size: String = #"width="40" height="20""#) -> [UInt8] {
        let head = #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" "#
        return Array((head + size + ">" + content + "</svg>").utf8)
    }

    private static func pixel(_ bytes: [UInt8], _ x: Int, _ y: Int) throws -> SIMD4<UInt16> {
        try VectorPicture.painting(bytes, path: "t.svg", maximumSide: 100).pixels[x, y]
    }

    private static let red = ##"<rect width="40" height="20" fill="#ff0000"/>"##

    @Test func theWholeIsDrawnWithStraightAlpha() throws {
        let bytes = Self.svg(##"<rect width="20" height="20" fill="#c86428" opacity="0.5"/>"##)
        let pixel = try Self.pixel(bytes, 5, 5)
        #expect(abs(Int(pixel.w) - 128) <= 1)
        for (found, wanted) in [(pixel.x, 200), (pixel.y, 100), (pixel.z, 40)] {
            #expect(abs(Int(found) - wanted) <= 1)
        }
        #expect(try Self.pixel(bytes, 30, 5) == .zero)
        let picture = try VectorPicture.painting(bytes, path: "t.svg", maximumSide: 100)
        #expect(picture.pixels.width == 40 && picture.pixels.height == 20)
    }

    @Test func aLayerCalledPaintCountsAlone() throws {
        let bytes = Self.svg(
            Self.red + ##"<g id="paint" transform="translate(20 0)"><rect width="20" height="20" fill="#00ff00"/></g>"##
        )
        #expect(try Self.pixel(bytes, 5, 5) == .zero)
        #expect(try Self.pixel(bytes, 25, 5) == SIMD4(0, 255, 0, 255))
    }

    @Test func anyElementCanBeAskedFor() throws {
        let bytes = Self.svg(
            Self.red + ##"<g id="paint"/><circle id="hat" cx="10" cy="10" r="6" fill="#0000ff"/>"##)
        let hat = try VectorPicture.painting(bytes, element: "hat", path: "t.svg", maximumSide: 100)
        #expect(hat.pixels[10, 10] == SIMD4(0, 0, 255, 255) && hat.pixels[1, 1] == .zero)
        #expect {
            _ = try VectorPicture.painting(bytes, element: "coat", path: "t.svg", maximumSide: 100)
        } throws: {
            "\($0)".contains("no element with the identifier \"coat\"")
        }
    }

    @Test func aViewBoxIsASize() throws {
        let bytes = Self.svg(Self.red, size: #"viewBox="0 0 30 10""#)
        let picture = try VectorPicture.painting(bytes, path: "t.svg", maximumSide: 100)
        #expect(picture.pixels.width == 30 && picture.pixels.height == 10)
    }

    @Test(arguments: [
        ("", "cannot be read as SVG"), ("<svg", "cannot be read as SVG"), ("<html/>", "cannot be read as SVG"),
    ])
    func otherFilesAreRefused(_ text: String, _ reason: String) {
        #expect { _ = try VectorPicture.painting(Array(text.utf8), path: "t.svg", maximumSide: 100) } throws: {
            "\($0)".contains(reason)
        }
    }

    @Test func sizesHaveLimits() {
        #expect {
            _ = try VectorPicture.painting(
                Self.svg(Self.red, size: #"width="1e9" height="5""#), path: "t.svg", maximumSide: 100)
        } throws: { "\($0)".contains("the limit is 100") }
        #expect(throws: (any Error).self) {
            _ = try VectorPicture.painting(Self.svg(Self.red, size: ""), path: "t.svg", maximumSide: 100)
        }
    }

    /// A document from a stranger must not show what else is on the disk.
    @Test func nothingOutsideOfTheDocumentIsRead() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write(
            PNGBuilder(
                width: 1, height: 1, colorType: 2, rows: [[255, 255, 255]]
            ).bytes, "secret.png")
        let href = URL(fileURLWithPath: secret).absoluteString
        for link in [href, secret, "secret.png"] {
            let bytes = Self.svg(#"<image width="40" height="20" href="\#(link)" xlink:href="\#(link)"/>"#)
            #expect(try Self.pixel(bytes, 5, 5) == .zero, "\(link)")
        }
    }
}
