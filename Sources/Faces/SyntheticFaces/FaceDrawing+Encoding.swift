import Glibc

/// sRGB (IEC 61966-2-1).
extension FaceDrawing {
    static func linear(_ pixel: SIMD4<UInt8>) -> SIMD3<Float> {
        func decode(_ value: UInt8) -> Float {
            let v = Float(value) / 255
            return v <= 0.04045 ? v / 12.92 : powf((v + 0.055) / 1.055, 2.4)
        }
        return SIMD3(decode(pixel.x), decode(pixel.y), decode(pixel.z))
    }

    package static func encoded(_ color: SIMD3<Float>) -> SIMD4<UInt8> {
        func encode(_ value: Float) -> UInt8 {
            let v = max(0, min(1, value))
            return UInt8((v <= 0.0031308 ? 12.92 * v : 1.055 * powf(v, 1 / 2.4) - 0.055) * 255 + 0.5)
        }
        return SIMD4(encode(color.x), encode(color.y), encode(color.z), 255)
    }
}
