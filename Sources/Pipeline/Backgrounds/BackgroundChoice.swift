import Files
import Masks

/// What is shown in place of what is behind people.
package enum BackgroundChoice: Equatable, Sendable {
    /// The same, blurred.
    case blur
    /// sRGB.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Cropped to the proportions of the frame.
    case picture(FilePath)
    /// Nothing: pictures get alpha.
    case transparent
    /// Nothing, and people do not show either: masks alone.
    case masksAlone

    /// Whether results have alpha.
    package var isTransparent: Bool { self == .transparent || self == .masksAlone }
    /// Whether people have to be told from what is behind them.
    package var needsPeople: Bool { self != .masksAlone }

    /// - Parameter text: "blur", "transparent", a colour as "#00ff00", or the path of a picture.
    package init?(_ text: FilePath) {
        if text == "blur" {
            self = .blur
        } else if text == "transparent" {
            self = .transparent
        } else if text.bytes.first == UInt8(ascii: "#") {
            guard
                case .color(let red, let green, let blue) = Mask.Background(
                    color: String(decoding: text.bytes, as: UTF8.self))
            else { return nil }
            self = .color(red: red, green: green, blue: blue)
        } else {
            if text.isEmpty { return nil }
            self = .picture(text)
        }
    }

    /// As `init` reads it; nil: it cannot.
    package var text: String? {
        switch self {
        case .blur: "blur"
        case .transparent: "transparent"
        case .color(let red, let green, let blue):
            "#"
                + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .picture(let path): path.string
        case .masksAlone: nil
        }
    }

    package static let requirement = "blur, transparent, a colour such as #00ff00, or a picture"
}
