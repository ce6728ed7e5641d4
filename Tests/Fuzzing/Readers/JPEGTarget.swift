import PictureBuilders

/// Photographs: decoded, and encoded again with their metadata.
enum JPEGTarget: FuzzTarget {
    static let name = "jpeg"
    static let longest = 8192

    static func seeds() -> [[UInt8]] { WholePictures.cmykJPEGs() + BrokenPictures.seeds("jpg", longest: longest) }

    static func read(_ bytes: [UInt8]) { PictureRoundTrip.run(bytes) }
}
