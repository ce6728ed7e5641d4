import FaceGeometry
import Files
import ImageFiles
import Pixels

/// A picture of the reference face to paint a mask on, in canonical UV: a faint face, a layer to paint on, and guides.
package struct MaskTemplate: ~Copyable {
    /// A format in which it can be written.
    package enum Format: String, CaseIterable, Sendable {
        /// OpenRaster with layers.
        case ora
        /// SVG with Inkscape's layers.
        case svg
        /// All layers merged.
        case png

        /// The format that a file name's extension stands for; nil if none exists.
        package init?(path: some FilePathConvertible) { self.init(rawValue: path.filePath.fileExtension) }
    }

    /// Pixels.
    package static let sides = 256...8192

    let side: Int
    let guides: [TemplateGuide]
    /// The mesh's vertices in canonical UV.
    let vertices: [Point]
    /// The face below the guides, `side` × `side` pixels, `rgba8`.
    let face: PixelBuffer
    /// The fill of the layer to paint on; nil: it is transparent.
    let paint: SIMD4<UInt8>?
    static let faceOpacity: Float = 0.45

    /// A template over the face of a photograph.
    /// - Parameter side: width and height in pixels, within `sides`.
    package init(side: Int, portrait: borrowing Portrait, assets: AuthoringAssets) throws {
        let face = try TemplateFace.picture(
            of: portrait, side: side, assets: assets)
        self.init(side, face: face, paint: nil, assets)
    }

    /// A template over a synthetic face.
    /// - Parameters:
    ///   - side: width and height in pixels, within `sides`.
    ///   - paint: the fill of the layer to paint on; nil: it is transparent.
    package init(side: Int, paint: SIMD4<UInt8>? = nil, assets: AuthoringAssets) throws {
        let face = try TemplateFace.synthetic(
            side: side, assets: assets)
        self.init(side, face: face, paint: paint, assets)
    }

    private init(_ side: Int, face: consuming PixelBuffer, paint: SIMD4<UInt8>?, _ assets: AuthoringAssets) {
        self.side = side
        self.face = face
        self.paint = paint
        guides = TemplateGuide.all(assets.mesh)
        vertices = assets.reference.vertices
    }

    /// - Throws: `FileError`, `PictureError`, `MaskArchive.WritingFailure`.
    package func write(to path: some FilePathConvertible, format: Format, replacing: Bool) throws {
        switch format {
        case .svg: try AtomicFile.write(svg(), to: path, replacing: replacing)
        case .ora: try openRaster().withUnsafeBytes { try AtomicFile.write($0, to: path, replacing: replacing) }
        case .png:
            try PictureWriter.write(
                Picture(pixels: try merged(), hasAlpha: true), to: path, options: .init(format: .png),
                replacing: replacing)
        }
    }
}
