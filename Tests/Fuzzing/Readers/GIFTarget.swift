import PictureBuilders

/// GIF pictures, by our own reader.
enum GIFTarget: FuzzTarget {
    static let name = "gif"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { WholePictures.gifs().filter { $0.count <= longest } }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
