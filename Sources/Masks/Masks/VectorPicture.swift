import CVectorGraphics
import ImageFiles
import Pixels
import Threads

/// Pictures in SVG, through librsvg.
package enum VectorPicture {
    package static let maximumFileSize = 64 << 20
    /// The element that is drawn as a texture; without an element with this identifier, the whole picture is.
    package static let paintElement = "paint"

    /// The limits for drawing a document: a few lines can ask for hours and for any memory.
    package struct Limits: Sendable {
        /// Of processor time.
        package var seconds = 10
        /// In bytes, beside the picture itself. A filter at 8192 × 8192 pixels holds several pictures of 256 MiB.
        package var memory = 2 << 30

        package init() {}
    }

    /// Draws the element "paint" of a document, or the whole document if none exists, in a process of its own
    /// (docs/decisions/0015-wall-around-decoders.md).
    /// - Parameter element: the identifier of another element; it is an error if none exists.
    /// - Throws: `PictureError` when it is not SVG, has no size, has more than `maximumSide` pixels a side, exceeds the
    ///   limits, or the program is asked to end meanwhile.
    package static func painting(
        _ bytes: [UInt8], element: String? = nil, path: String, maximumSide: Int, limits: Limits = Limits()
    ) throws(PictureError) -> Picture {
        var bounds = cvectorgraphics_limits(
            largest_side: Int32(maximumSide), seconds: Int32(limits.seconds), memory_bytes: UInt64(limits.memory),
            is_cancelled: { StopSignal.program.isStopped })
        let drawn = bytes.withUnsafeBytes {
            cvectorgraphics_draw(
                $0.baseAddress, $0.count, "#" + (element ?? paintElement), element != nil, &bounds)
        }
        guard let drawn else {
            throw PictureError(.outOfMemory, path: path, "cannot be drawn: not enough memory")
        }
        defer { cvectorgraphics_close(drawn) }
        if let failure = failure(drawn.pointee, element: element, path: path, maximumSide: maximumSide, limits) {
            throw failure
        }
        return try picture(drawn.pointee, path: path)
    }

    private static func picture(
        _ drawn: cvectorgraphics_picture, path: String
    ) throws(PictureError) -> Picture {
        let (width, height) = (Int(drawn.width), Int(drawn.height))
        var pixels: PixelBuffer
        do {
            pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        } catch {
            throw PictureError(.outOfMemory, path: path, "\(error)")
        }
        let source = UnsafeRawBufferPointer(start: drawn.pixels, count: 4 * width * height)
        let bytesPerRow = pixels.bytesPerRow
        pixels.withUnsafeMutableBytes { target in
            for y in 0..<height {
                UnsafeMutableRawBufferPointer(rebasing: target[(y * bytesPerRow)...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[(4 * width * y)..<(4 * width * (y + 1))]))
            }
        }
        return Picture(pixels: pixels, hasAlpha: true)
    }

    /// The message about the outcome; nil for a picture.
    private static func failure(
        _ drawn: cvectorgraphics_picture, element: String?, path: String, maximumSide: Int, _ limits: Limits
    ) -> PictureError? {
        let reason = withUnsafeBytes(of: drawn.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch drawn.outcome {
        case CVECTORGRAPHICS_DRAWN: return nil
        case CVECTORGRAPHICS_NOT_SVG:
            return PictureError(.damaged, path: path, "cannot be read as SVG: \(reason)")
        case CVECTORGRAPHICS_NO_LIBRARY:
            return PictureError(
                .damaged, path: path, "cannot be read as SVG: librsvg (see 'bauta doctor') is missing")
        case CVECTORGRAPHICS_NO_SIZE:
            return PictureError(.damaged, path: path, "has neither a size in pixels nor a view box")
        case CVECTORGRAPHICS_TOO_LARGE:
            // The child's numbers may be any, even NaN.
            func whole(_ number: Double) -> Int { number.isFinite ? Int(min(max(number, 0), 1e9)) : 0 }
            let (width, height) = (whole(drawn.stated_width), whole(drawn.stated_height))
            return PictureError(
                .tooLarge, path: path,
                "claims to be \(width) × \(height) pixels; the limit is \(maximumSide) per side")
        case CVECTORGRAPHICS_NO_ELEMENT:
            return PictureError(
                .damaged, path: path, "has no element with the identifier \"\(element ?? paintElement)\"")
        case CVECTORGRAPHICS_TOO_SLOW:
            return PictureError(
                .tooLarge, path: path,
                "cannot be drawn within \(limits.seconds) s; use fewer filters and repetitions, or save it as PNG"
            )
        case CVECTORGRAPHICS_CRASHED:
            return PictureError(
                .tooLarge, path: path,
                "cannot be drawn within \(limits.memory >> 20) MiB of memory, or makes librsvg crash; use fewer "
                    + "filters and repetitions, or save it as PNG")
        case CVECTORGRAPHICS_CANCELLED: return PictureError(.unreadable, path: path, "interrupted")
        case CVECTORGRAPHICS_NO_PROCESS:
            return PictureError(.outOfMemory, path: path, "cannot be drawn: no process can be started: \(reason)")
        default:
            return PictureError(.damaged, path: path, "cannot be drawn: \(reason)")
        }
    }
}
