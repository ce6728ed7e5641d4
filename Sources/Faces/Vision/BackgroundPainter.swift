import CVision
import Pixels

/// Paints what is behind people, with OpenCV. It belongs to one thread at a time.
package final class BackgroundPainter {
    private let handle: OpaquePointer

    /// - Throws: `VisionError` if there is not enough memory.
    package init() throws(VisionError) {
        var status = cvision_status()
        guard let handle = cvision_background_create(&status) else { throw VisionError(status) }
        self.handle = handle
    }

    deinit { cvision_background_destroy(handle) }

    /// Blurs all that is no person.
    /// - Parameters:
    ///   - picture: `rgba8`.
    ///   - matte: how far each cell of the whole picture is a person, 0…1, row by row. Its edge is moved to those of the picture.
    ///   - width: of the matte, in cells; `height` too.
    package func blur(
        _ picture: inout PixelBuffer, matte: [Float], width: Int, height: Int
    ) throws(VisionError) {
        try replace(in: &picture, matte, width, height, nil)
    }

    /// Makes all that is no person transparent. Along the edge, pixels get the person's colours and straight alpha; farther away
    /// nothing is left of the colours.
    /// - Parameters: as for `blur`.
    package func cutOut(
        _ picture: inout PixelBuffer, matte: [Float], width: Int, height: Int
    ) throws(VisionError) {
        try replace(in: &picture, matte, width, height, nil, cutsOut: true)
    }

    /// Shows another picture in place of all that is no person.
    /// - Parameters:
    ///   - picture: `rgba8`; `backdrop` is as large.
    package func replace(
        in picture: inout PixelBuffer, matte: [Float], width: Int, height: Int, by backdrop: borrowing PixelBuffer
    ) throws(VisionError) {
        precondition(backdrop.width == picture.width && backdrop.height == picture.height)
        // Only what the call returns leaves it.
        let failure = backdrop.withVisionImage { image -> VisionError? in
            do throws(VisionError) {
                try replace(in: &picture, matte, width, height, image)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func replace(
        in picture: inout PixelBuffer, _ matte: [Float], _ width: Int, _ height: Int,
        _ backdrop: UnsafePointer<cvision_image>?, cutsOut: Bool = false
    ) throws(VisionError) {
        precondition(picture.format == .rgba8 && width > 0 && height > 0 && matte.count == width * height)
        var status = cvision_status()
        let (pictureWidth, pictureHeight, stride) = (Int32(picture.width), Int32(picture.height), picture.bytesPerRow)
        let isDone = picture.withUnsafeMutableBytes { bytes in
            let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var image = cvision_image(
                pixels: pixels, width: pictureWidth, height: pictureHeight, channels: 4, bytes_per_row: stride)
            return matte.withUnsafeBufferPointer {
                cvision_background_replace(
                    handle, pixels, &image, $0.baseAddress, Int32(width), Int32(height), backdrop, cutsOut,
                    &status)
            }
        }
        guard isDone else { throw VisionError(status) }
    }
}
