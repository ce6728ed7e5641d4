import FaceGeometry
import Masks
import Occlusion
import Pixels

/// One layer of a mask on one face.
///
/// For each pixel of the geometry the colour (premultiplied by alpha) is sampled from `source`, its colours are mapped by
/// `colorMatch`, its brightness is multiplied by the vertices' light and by `detail`, it is seen through `haze`, and all of it is
/// multiplied by the vertices' visibility and `opacity`; the result is blended with the picture by `blendMode`.
package struct DrawCall: Sendable {
    package var geometry: LayerGeometry
    package var source: ColorSource
    package var blendMode: BlendMode
    /// 0…1.
    package var opacity: Float
    /// Nil: colours are drawn as they are.
    package var colorMatch: ColorMatch?
    /// The colours of the picture under the layer are looked up in the table of `colorMatch`; only alpha is the source's.
    package var recolors = false
    /// Nil: the fine structure of the skin has no influence.
    package var detail: DetailMatch?
    /// Between the layer and the camera.
    package var haze = Haze.none
    /// The pixels that the call may change: a part of its face's rectangle; may be empty.
    package var bounds: PixelRectangle
}

/// Where a draw call takes its colours from.
package enum ColorSource: Sendable {
    case texture(TextureReference)
    /// The picture of a face, as captured before anything was drawn; nil: its alpha is 1.
    case capture(trackID: Int, edge: CaptureEdge?)
    /// The picture under the layer, with what a map adds to it.
    case retouched(RetouchMap)
    /// 3-D models in front of a camera. The geometry is a rectangle around their visible parts, or cells of it, some of which
    /// are invisible.
    case scene(PropScene)
    /// The picture about a face, as captured before anything was drawn; its alpha is the matte, which covers the geometry
    /// with its corners at 0 and 1 in `canonicalUV`.
    case uncovered(trackID: Int, matte: OcclusionMatte)
}

/// The alpha of a captured face.
package enum CaptureEdge: Sendable {
    /// Of a texture in canonical UV, softened at the edge of the mesh.
    case texture(TextureReference)
    /// Of a map, on which `LayerGeometry.canonicalUV` lies in place of canonical UV.
    case map(ShareMap)
}

/// A mask's texture as a layer uses it.
package struct TextureReference: Sendable {
    package let texture: Texture
    /// Nil: the texture is not part of the mesh and gets no soft edge.
    package let softEdge: SoftEdge?
    /// Where the vertices of the mesh (not refined) lie on the texture, 0…1; empty without a soft edge.
    package let coordinates: [Point]

    package init(_ texture: Texture, softEdge: SoftEdge?, coordinates: [Point]) {
        self.texture = texture
        self.softEdge = softEdge
        self.coordinates = coordinates
    }
}

/// The soft edge of a layer that is part of the mesh.
package struct SoftEdge: Hashable, Sendable {
    /// The parts of the face that stay unmasked; the soft edge runs around them, too.
    package let openings: Set<FaceMesh.Opening>
    /// Width of the edge, in face widths.
    package let feather: Float

    package init(openings: Set<FaceMesh.Opening>, feather: Float) {
        self.openings = openings
        self.feather = feather
    }

    package init(_ warp: WarpLayer) {
        self.init(openings: warp.openings, feather: warp.feather)
    }
}

/// Moves a layer's colours to those of the skin.
package struct ColorMatch: Sendable {
    package var table: ColorTable
    /// 0: the layer's own colours … 1: those of the table.
    package var weight: Float
}

/// Lets the fine structure of the skin show through: brightness is multiplied by the picture's luminance divided by
/// the skin's smooth luminance at the same place.
package struct DetailMatch: Equatable, Sendable {
    /// 0…1.
    package var weight: Float
    /// Of the skin, sRGB-encoded, 0…1. Multiplied by `LayerGeometry.light`'s second component it is the smooth luminance.
    package var meanLuminance: Float
}
