import Files
import Glibc
import ImageFiles
import Masks
import Pixels

/// A result with its layers as an OpenRaster file (OpenRaster 0.0.6). The photograph is the lowest layer, unmasked.
struct LayeredResult {
    let bytes: [UInt8]

    /// The longest side of a thumbnail that the specification allows.
    private static let thumbnailSide = 256

    /// - Parameters:
    ///   - layers: from the bottom up; they make `picture`.
    ///   - path: names the result in errors.
    init(_ picture: borrowing Picture, _ layers: [PictureLayer], path: FilePath) throws {
        let metadata = Self.colors(of: picture)
        func png(_ pixels: consuming PixelBuffer, isColor: Bool, hasAlpha: Bool) throws(PictureError) -> [UInt8] {
            let picture = Picture(pixels: pixels, isColor: isColor, hasAlpha: hasAlpha)
            return try PictureWriter.encode(
                picture, with: metadata, options: .init(format: .png), path: path.description
            ).bytes()
        }
        let (isColor, hasAlpha) = (picture.isColor, picture.hasAlpha)
        var files: [OpenRaster.LayerPicture] = []
        for (index, layer) in layers.enumerated().reversed() {
            let bytes = try png(layer.pixels.copy(), isColor: isColor, hasAlpha: hasAlpha || index > 0)
            files.append(.init(name: layer.name, png: bytes, x: layer.x, y: layer.y))
        }
        var small = try picture.pixels.copy()
        while max(small.width, small.height) > Self.thumbnailSide { small = try small.halved() }
        do {
            bytes = try OpenRaster.write(
                files, width: picture.pixels.width, height: picture.pixels.height,
                merged: try png(picture.pixels.copy(), isColor: isColor, hasAlpha: hasAlpha),
                thumbnail: try png(small, isColor: isColor, hasAlpha: hasAlpha))
        } catch let error as MaskArchive.WritingFailure {
            throw PictureError(.unwritable, path: path.description, "\(error)")
        }
    }

    /// The colour profile alone: layers have no place for what else a photograph says of itself.
    private static func colors(of picture: borrowing Picture) -> PictureMetadata {
        var metadata = PictureMetadata()
        metadata.iccProfile = picture.metadata.iccProfile
        return metadata
    }

    /// Writes the file atomically into an open folder.
    /// - Parameters: see `AtomicFile.write`.
    func write(
        to name: FilePath, in folder: consuming OpenFolder, replacing: Bool, synchronises: Bool,
        willAppear: (stat, _ checksum: UInt64) throws(FileError) -> Void
    ) throws {
        let checksum = bytes.withUnsafeBytes { Checksum.ofContent($0) }
        let file = try TemporaryFile(for: name, in: folder)
        try bytes.withUnsafeBytes { try file.write($0) }
        if synchronises { try file.synchronise() }
        try file.rename(replacing: replacing) { (result) throws(FileError) in try willAppear(result, checksum) }
    }
}
