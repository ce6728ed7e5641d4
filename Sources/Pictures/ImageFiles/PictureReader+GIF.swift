import Pixels

extension PictureReader {
    static func readGIF(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        guard let gif = GIFPicture(bytes) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: it has no image that fits into it")
        }
        guard gif.imageCount == 1 else {
            throw PictureError(.video, path: path, "is an animated GIF of \(gif.imageCount) pictures, not a still one")
        }
        try checkSize(width: gif.width, height: gif.height, maximumSide: maximumSide, path: path)
        var pixels: PixelBuffer
        do {
            pixels = try PixelBuffer(width: gif.width, height: gif.height, format: .rgba8)
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
        guard gif.draw(into: &pixels) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: its compressed data are invalid")
        }
        var picture = Picture(pixels: pixels, hasAlpha: gif.hasAlpha)
        // 256 colours are too few for a mask in a photograph.
        picture.format = nil
        picture.metadata = gif.metadata
        picture.compression = .lossless
        return picture
    }
}
