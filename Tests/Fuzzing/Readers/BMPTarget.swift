import PictureBuilders

/// BMP pictures, by our own reader.
enum BMPTarget: FuzzTarget {
    static let name = "bmp"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { WholePictures.bmps().filter { $0.count <= longest } }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
