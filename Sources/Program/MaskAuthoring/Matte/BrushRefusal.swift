import Files

/// Why the brush cannot change a layer's picture.
package enum BrushRefusal: Error, Equatable, CustomStringConvertible {
    /// The layer has no texture, or one that cannot be read.
    case noPicture
    case animation
    /// An OpenRaster or SVG file.
    case layered(FilePath)
    case jpeg(FilePath)
    /// A PNG with 16 bits per component.
    case deep(FilePath)

    package var description: String {
        switch self {
        case .noPicture: "This layer has no picture that the brush can change."
        case .animation: "The brush cannot change animations. Paint in your painting program."
        case .layered(let name):
            "\(name) has layers, which the brush would lose. Add a layer with + Paint, or paint in your painting program."
        case .jpeg(let name):
            "\(name) is a JPEG, and the brush changes PNG files. Convert it to PNG and choose that as this layer's "
                + "picture."
        case .deep(let name):
            "\(name) has 16 bits per colour, of which the brush would keep 8. Convert it to 8 bits, or paint in your "
                + "painting program."
        }
    }
}
