import PictureBuilders

/// PBM, PGM and PPM pictures, by our own reader.
enum NetpbmTarget: FuzzTarget {
    static let name = "netpbm"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { WholePictures.netpbms().filter { $0.count <= longest } }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
