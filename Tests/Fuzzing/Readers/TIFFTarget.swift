import PictureBuilders

/// TIFF pictures: directories by our own reader, pixels by libtiff.
enum TIFFTarget: FuzzTarget {
    static let name = "tiff"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { WholePictures.tiffs().filter { $0.count <= longest } }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
