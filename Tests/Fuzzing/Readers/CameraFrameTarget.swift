import CCamera

/// Frames of cameras that are too short, torn, or not of the size that the camera has promised.
enum CameraFrameTarget: FuzzTarget {
    static let name = "camera"
    static let longest = 4096

    /// Formats that this project and libv4lconvert convert.
    private static let formats = [
        "YUYV", "NV12", "YU12", "UYVY", "RGB3", "GREY", "Y16 ", "RGGB", "BG10", "pBAA", "RGBP",
    ]

    static func seeds() -> [[UInt8]] {
        formats.indices.map { index in
            [UInt8(index), 15, 7, 16] + (0..<768).map { UInt8($0 & 0xFF) }
        }
    }

    /// The first bytes are format, width, height and bytes per row; the rest is the frame.
    static func read(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return }
        let code = formats[Int(bytes[0]) % formats.count].utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let (width, height) = (1 + Int(bytes[1]) % 64, 1 + Int(bytes[2]) % 64)
        var rgba = [UInt8](repeating: 0, count: 4 * width * height)
        // A copy without spare memory at its end, so that the sanitizer sees each byte read beyond it.
        let frame = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count - 4)
        defer { frame.deallocate() }
        _ = frame.initialize(from: bytes[4...])
        _ = ccamera_convert_alone(
            code, Int32(width), Int32(height), UInt32(bytes[3]) * 2, frame.baseAddress, frame.count, &rgba, 4 * width)
    }
}
