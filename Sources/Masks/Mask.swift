import FaceGeometry
import Pixels

/// A mask, loaded and valid: what the renderer draws.
package struct Mask: Sendable {
    package let name: String
    package let author: String?
    package let license: String?
    /// Drawn one over another, the first at the bottom.
    package let layers: [WarpLayer]
    /// The folder that it was loaded from.
    package let folder: String

    package init(name: String, author: String?, license: String?, layers: [WarpLayer], folder: String) {
        self.name = name
        self.author = author
        self.license = license
        self.layers = layers
        self.folder = folder
    }
}

/// A texture that is stretched over the face by the mesh.
package struct WarpLayer: Sendable {
    package let texture: Texture
    /// Where each vertex of the mesh lies on the texture, 0…1 from its top left corner.
    package let textureCoordinates: [Point]
    package let blendMode: BlendMode
    /// 0…1.
    package let opacity: Float
    /// The parts of the face that stay bare.
    package let openings: Set<FaceMesh.Opening>

    package init(
        texture: Texture, textureCoordinates: [Point], blendMode: BlendMode, opacity: Float,
        openings: Set<FaceMesh.Opening>
    ) {
        self.texture = texture
        self.textureCoordinates = textureCoordinates
        self.blendMode = blendMode
        self.opacity = opacity
        self.openings = openings
    }
}

/// How a layer's colours meet those below (W3C "Compositing and Blending Level 1").
package enum BlendMode: String, CaseIterable, Sendable {
    /// Source over destination.
    case normal
}

/// A picture of a mask: `rgba8`, sRGB, straight alpha. Shared, never changed.
package final class Texture: Sendable {
    package let path: String
    package let pixels: PixelBuffer

    package init(path: String, pixels: consuming PixelBuffer) {
        self.path = path
        self.pixels = pixels
    }
}
