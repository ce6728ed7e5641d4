import Compositing
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Pixels
import SyntheticFaces

/// The faint face below a template's guides: a face warped to canonical UV on a transparent picture.
package enum TemplateFace {
    /// The face of a photograph.
    static func picture(
        of portrait: borrowing Portrait, side: Int, assets: AuthoringAssets
    ) throws -> PixelBuffer {
        let photograph = Texture(path: portrait.path, pixels: try portrait.pixels.copy())
        return try picture(photograph, portrait.face.vertices, side: side, .auto, assets)
    }

    /// A synthetic face.
    /// - Parameters:
    ///   - side: width and height in pixels.
    ///   - isSketch: whether it is drawn coarsely, in a tenth of the time.
    ///   - renderer: draws it; only in software where the thread has a window.
    package static func synthetic(
        side: Int, isSketch: Bool = false, renderer: RendererChoice = .auto, assets: AuthoringAssets
    ) throws -> PixelBuffer {
        var person = Sample.all[0].face
        person.expression = DrawnFace.Expression()
        person.light.direction = SIMD3(-0.2, -0.4, 0.9)
        // It is shown faintly, so half of the usual resolution is enough.
        let width = isSketch ? 256 : 512
        let scale = Float(width) / 512
        let placement = DrawnFacePlacement(center: scale * Point(256, 240), faceWidth: scale * 300)
        let portrait = try SyntheticPortrait(
            person, width: width, height: width, placement: placement, wall: SIMD4(200, 205, 210, 255),
            quality: isSketch ? .adaptive : .samples(2), reference: assets.reference)
        let drawing = Texture(path: "synthetic face", pixels: try portrait.pixels.copy())
        return try picture(drawing, portrait.instance.face.vertices, side: side, renderer, assets)
    }

    /// Warps a face to the reference face.
    /// - Parameter vertices: the mesh's, in pixels of the texture.
    private static func picture(
        _ texture: Texture, _ vertices: [Point], side: Int, _ renderer: RendererChoice, _ assets: AuthoringAssets
    ) throws -> PixelBuffer {
        let layer = Layer(.warp(WarpLayer(texture, vertices: vertices, openings: [])))
        let mask = Mask(name: "", author: nil, license: nil, layers: [layer], folder: "")
        let landmarks = assets.reference.landmarks.mapped { Float(side) * $0 }
        let face = Face(landmarks: landmarks, reference: assets.reference)
        var compositor = assets.makeCompositor(mask)
        return try compositor.masked(
            PixelBuffer(width: side, height: side, format: .rgba8), on: [FaceInstance(face: face, trackID: 1)],
            encoding: ColorEncoding(), with: assets.makeRenderer(renderer))
    }
}
