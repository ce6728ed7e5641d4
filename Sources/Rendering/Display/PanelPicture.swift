import Graphics
import Pixels

/// A picture for panels, as a texture. It must be created and released while the window's context is current.
package final class PanelPicture {
    package enum Use: Sendable {
        /// Shown at about its own size, and updated often.
        case frames
        /// Shown at any scale: magnified pixels have hard edges, reduced pictures are filtered.
        case closeUp
        /// Shown at any scale, and smooth at all of them.
        case photograph
        /// Shown at its own size or larger, and updated often.
        case pixels
    }

    let texture: Texture2D
    package var width: Int { texture.width }
    package var height: Int { texture.height }

    /// - Parameter pixels: `rgba8`.
    package init(_ pixels: borrowing PixelBuffer, for use: Use = .frames) {
        let filter: Texture2D.Filter =
            switch use {
            case .frames: .linear
            case .closeUp: .closeUp
            case .photograph: .smooth
            case .pixels: .crisp
            }
        texture = Texture2D(filter: filter)
        texture.upload(pixels)
    }

    /// Replaces the picture by another one of any size.
    package func update(_ pixels: borrowing PixelBuffer) { texture.upload(pixels) }

    /// Replaces a part of the picture, which must lie inside it.
    package func replace(_ pixels: borrowing PixelBuffer, at corner: (x: Int, y: Int)) {
        texture.replace(pixels, at: corner)
    }
}
