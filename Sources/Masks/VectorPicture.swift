import CVectorGraphics
import ImageFiles
import Pixels

/// Pictures in SVG, through librsvg.
package enum VectorPicture {
    package static let maximumFileSize = 64 << 20
    /// The element that is drawn as a texture; without an element with this identifier, the whole picture is.
    package static let paintElement = "paint"

    /// Draws the element "paint" of a document, or the whole document if there is none.
    /// - Parameter element: the identifier of another element; it is an error if there is none.
    /// - Throws: `PictureError` when it is not SVG, has no size, or has more than `maximumSide` pixels a side.
    package static func painting(
        _ bytes: [UInt8], element: String? = nil, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        var message = [CChar](repeating: 0, count: Int(CVECTORGRAPHICS_MESSAGE))
        func reason() -> String {
            String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard let document = bytes.withUnsafeBytes({ cvectorgraphics_open($0.baseAddress, $0.count, &message) }) else {
            throw PictureError(.damaged, path: path, "cannot be read as SVG: \(reason())")
        }
        defer { cvectorgraphics_close(document) }
        var (width, height) = (0.0, 0.0)
        guard cvectorgraphics_size(document, &width, &height), width >= 0.5, height >= 0.5 else {
            throw PictureError(.damaged, path: path, "says neither its size in pixels nor a view box")
        }
        guard max(width, height) <= Double(maximumSide) else {
            throw PictureError(
                .tooLarge, path: path,
                "claims to be \(Int(min(width, 1e9))) × \(Int(min(height, 1e9))) pixels; up to \(maximumSide) a "
                    + "side are read")
        }
        let identifier = "#" + (element ?? paintElement)
        let hasElement = cvectorgraphics_has(document, identifier)
        if let element, !hasElement {
            throw PictureError(.damaged, path: path, "has no element with the identifier \"\(element)\"")
        }
        var pixels: PixelBuffer
        do {
            pixels = try PixelBuffer(
                width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())), format: .rgba8)
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
        let size = (width: Int32(pixels.width), height: Int32(pixels.height), bytesPerRow: pixels.bytesPerRow)
        let isDrawn = pixels.withUnsafeMutableBytes { target in
            target.withMemoryRebound(to: UInt8.self) { bytes in
                cvectorgraphics_draw(
                    document, hasElement ? identifier : nil, bytes.baseAddress, size.width, size.height,
                    size.bytesPerRow, &message)
            }
        }
        guard isDrawn else { throw PictureError(.damaged, path: path, "cannot be drawn: \(reason())") }
        return Picture(pixels: pixels, hasAlpha: true)
    }
}
