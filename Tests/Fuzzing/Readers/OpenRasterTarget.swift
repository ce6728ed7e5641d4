import Masks
import PictureBuilders

/// Layered pictures: the list of layers, whose archive is made here so that libFuzzer need not learn checksums. The
/// first byte chooses the layer that is read.
enum OpenRasterTarget: FuzzTarget {
    static let name = "openraster"
    static let longest = 4096

    private static let picture = WholePictures.png(metadata: false)

    static func seeds() -> [[UInt8]] {
        [
            """
            0<?xml version='1.0' encoding='UTF-8'?><image version="0.0.3" w="120" h="90"><stack>\
            <layer name="paint" src="data/layer0.png" x="3" y="-4" opacity="0.5"/>\
            <layer name="other" src="data/layer1.png"/></stack></image>
            """,
            "1<image w='112' h='80'><stack><layer name='other' src='data/layer1.png'/></stack></image>",
        ].map { Array($0.utf8) }
    }

    static func read(_ bytes: [UInt8]) {
        let files = [
            MaskArchive.File(name: "mimetype", bytes: Array("image/openraster".utf8)),
            MaskArchive.File(name: "stack.xml", bytes: Array(bytes.dropFirst())),
            MaskArchive.File(name: "data/layer0.png", bytes: picture),
            MaskArchive.File(name: "data/layer1.png", bytes: Array(bytes.prefix(100))),
            MaskArchive.File(name: "mergedimage.png", bytes: picture),
        ]
        guard let archive = try? MaskArchive.archive(files, stored: Set(files.map(\.name))) else { return }
        let layer = bytes.first == UInt8(ascii: "1") ? "other" : nil
        guard let picture = try? OpenRaster.painting(archive, layer: layer, path: "fuzz.ora", maximumSide: 256) else {
            return
        }
        guard picture.pixels.width <= 256, picture.pixels.height <= 256 else { fatalError("larger than allowed") }
    }
}
