/// A file as an attacker, a bad disk or a bad program makes it.
package struct BrokenPicture: Sendable {
    /// What is wrong with it, with the extension that it claims.
    package let name: String
    package let bytes: [UInt8]

    init(_ kind: String, _ format: String, _ bytes: [UInt8]) {
        name = "\(kind).\(format)"
        self.bytes = bytes
    }
}

/// A corpus of broken pictures, the same on every machine with the same libjpeg and libpng. Any number in a row covers
/// all kinds in turn.
package enum BrokenPictures {
    /// So many are drawn by `draw-broken-pictures`.
    package static let count = 1000

    private typealias Family = @Sendable (_ round: Int, _ numbers: inout SeededNumbers) -> BrokenPicture

    private static let families: [Family] = [
        BrokenBytes.cut, BrokenBytes.flipped, BrokenBytes.overwritten, BrokenBytes.spliced, BrokenBytes.repeated,
        BrokenJPEG.size, BrokenJPEG.missingSegment, BrokenJPEG.quantisers, BrokenJPEG.shuffledSegments,
        BrokenJPEG.manyMarkers, BrokenJPEG.manyScans, BrokenJPEG.strangeFrame, BrokenJPEG.strangeLength,
        BrokenPNG.size, BrokenPNG.missingChunk, BrokenPNG.strangeHeader, BrokenPNG.bomb, BrokenPNG.manyChunks,
        BrokenPNG.textBomb, BrokenPNG.strangeLength, BrokenPNG.badSums, BrokenPNG.pieces,
        BrokenMetadata.profile, BrokenMetadata.exif, BrokenMetadata.xmp, BrokenMetadata.resources,
        WrongFiles.otherFormat, WrongFiles.noise, WrongFiles.almostNothing,
    ]

    package static func draw(_ index: Int) -> BrokenPicture {
        var numbers = SeededNumbers(seed: index)
        return families[index % families.count](index / families.count, &numbers)
    }

    /// Pictures of a format, whole ones first, of at most so many bytes, as seeds of fuzzing.
    package static func seeds(_ format: String, longest: Int) -> [[UInt8]] {
        let whole =
            format == "png"
            ? WholePictures.pngKinds.map { WholePictures.png($0) }
            : WholePictures.jpegKinds.map { WholePictures.jpeg($0) }
        let broken = (0..<(4 * families.count)).map(draw).filter { $0.name.hasSuffix("." + format) }
        return (whole + broken.map(\.bytes)).filter { $0.count <= longest }
    }
}
