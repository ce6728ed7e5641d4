import CCodecs
import Pixels

/// Frames of which each is a JPEG, as some cameras send them.
package enum MotionJPEG {
    /// Encodes a frame with colours at half of the resolution, as videos have them.
    /// - Parameter frame: `rgba8`, at most 65,500 pixels wide and high; alpha is left out.
    /// - Returns: nil: there is not enough memory.
    package static func encode(_ frame: borrowing PixelBuffer) -> [UInt8]? {
        precondition(frame.format == .rgba8)
        let (width, height, bytesPerRow) = (Int32(frame.width), Int32(frame.height), frame.bytesPerRow)
        var error = ccodecs_error()
        var buffer: UnsafeMutablePointer<UInt8>?
        var size = 0
        // From 90 on, colours would have the full resolution.
        let quality: Int32 = 89
        let isWritten = frame.withUnsafeBytes { pixels in
            ccodecs_jpeg_write(
                pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), width, height, bytesPerRow, nil, quality,
                Int32(CCODECS_JPEG_YCBCR), true, nil, 0, &buffer, &size, &error)
        }
        guard isWritten, let buffer else { return nil }
        defer { ccodecs_free(buffer) }
        return [UInt8](UnsafeBufferPointer(start: buffer, count: size))
    }

    /// Decodes a frame.
    /// - Parameters:
    ///   - bytes: a complete JPEG; Huffman tables may be missing.
    ///   - frame: `rgba8`, of the size that the JPEG must have.
    /// - Returns: false if it is damaged; `frame` is then partly overwritten.
    package static func decode(_ bytes: UnsafeRawBufferPointer, into frame: inout PixelBuffer) -> Bool {
        precondition(frame.format == .rgba8)
        let (width, height, bytesPerRow) = (Int32(frame.width), Int32(frame.height), frame.bytesPerRow)
        var error = ccodecs_error()
        return frame.withUnsafeMutableBytes { target in
            guard let data = bytes.bindMemory(to: UInt8.self).baseAddress,
                let rgba = target.bindMemory(to: UInt8.self).baseAddress
            else { return false }
            return ccodecs_jpeg_read_frame(data, bytes.count, rgba, width, height, bytesPerRow, &error)
        }
    }
}
