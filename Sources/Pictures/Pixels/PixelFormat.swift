/// How the bytes of a pixel are laid out. Components are interleaved; alpha is straight, not premultiplied.
package enum PixelFormat: Sendable {
    /// One byte: luma.
    case grey8
    /// Four bytes: red, green, blue, alpha, encoded as sRGB unless a colour profile says otherwise.
    case rgba8
    /// Four 16-bit integers in the machine's byte order: red, green, blue, alpha.
    case rgba16

    package var bytesPerPixel: Int {
        switch self {
        case .grey8: 1
        case .rgba8: 4
        case .rgba16: 8
        }
    }

    /// The maximum value of a component.
    package var maximum: Int { self == .rgba16 ? 65535 : 255 }
}
