import CCodecs
import Pixels

/// Frames of cameras that send a JPEG for each frame.
package enum MotionJPEG {
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
