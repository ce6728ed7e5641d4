import PictureBuilders

/// PNG pictures: decoded, and encoded again with their metadata.
enum PNGTarget: FuzzTarget {
    static let name = "png"
    static let longest = 8192

    static func seeds() -> [[UInt8]] { BrokenPictures.seeds("png", longest: longest) }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
