import Pixels

/// BMP and Netpbm, which are not written: results are PNG.
extension PictureReader {
    static func readBMP(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        let bmp: BMPPicture
        do throws(BMPPicture.Obstacle) {
            bmp = try BMPPicture(bytes, length: bytes.count)
        } catch {
            throw switch error {
            case .compressed:
                PictureError(.unsupported, path: path, "is a compressed BMP; convert it to JPEG or PNG first")
            case .damaged:
                PictureError(.damaged, path: path, "is damaged or cut off: its header does not fit the file")
            }
        }
        try checkSize(width: bmp.width, height: bmp.height, maximumSide: maximumSide, path: path)
        let pixels = try decodedPixels(
            width: bmp.width, height: bmp.height, format: .rgba8, path: path,
            decode: { bmp.draw(bytes, into: $0, bytesPerRow: $1) }, reason: { "a colour is not in its palette" })
        var picture = Picture(pixels: pixels, hasAlpha: bmp.hasAlpha)
        picture.format = nil
        picture.metadata.iccProfile = bmp.profile.map { Array(bytes[$0]) }
        return picture
    }

    static func readNetpbm(
        _ bytes: UnsafeRawBufferPointer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        guard let netpbm = NetpbmPicture(bytes) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: its header is none of a Netpbm picture")
        }
        try checkSize(width: netpbm.width, height: netpbm.height, maximumSide: maximumSide, path: path)
        guard netpbm.fits(length: bytes.count) else {
            throw PictureError(.damaged, path: path, "is damaged or cut off: it is too short for its pixels")
        }
        let pixels = try decodedPixels(
            width: netpbm.width, height: netpbm.height, format: netpbm.isDeep ? .rgba16 : .rgba8, path: path,
            decode: { netpbm.draw(bytes, into: $0, bytesPerRow: $1) },
            reason: { "a sample is missing or too large, or another picture follows" })
        var picture = Picture(pixels: pixels, isColor: netpbm.isColor)
        picture.format = nil
        return picture
    }
}
