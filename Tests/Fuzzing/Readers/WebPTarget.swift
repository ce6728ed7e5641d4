import PictureBuilders

/// WebP pictures: the container by our own reader, pixels by libwebp.
enum WebPTarget: FuzzTarget {
    static let name = "webp"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { WholePictures.webps().filter { $0.count <= longest } }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
