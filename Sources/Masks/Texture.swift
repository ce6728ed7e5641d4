import Files
import Pixels

/// A picture of a mask: `rgba8`, sRGB, straight alpha. Immutable and shared.
package final class Texture: Sendable {
    /// What the file holds that the picture was read from.
    package enum FileKind: Sendable {
        case png
        /// With 16 bits per component, of which the picture has the upper 8.
        case deepPNG
        case jpeg
        /// OpenRaster or SVG: the picture is one of its layers, or all of them together.
        case layered
        /// A frame of an animation, or no file at all.
        case other
    }

    package let path: FilePath
    package let pixels: PixelBuffer
    package let fileKind: FileKind
    /// Shared by all revisions of a picture.
    private let lineage: Lineage
    /// Counts the revisions before this one.
    package let revision: Int
    /// What the last revisions changed, the newest last.
    private let changes: [PixelRectangle]

    private final class Lineage: Sendable {}

    /// So many changes are remembered: a renderer that draws at least every second revision needs two.
    private static let rememberedChanges = 64

    package init(path: some FilePathConvertible, pixels: consuming PixelBuffer, fileKind: FileKind = .other) {
        self.path = path.filePath
        self.pixels = pixels
        self.fileKind = fileKind
        lineage = Lineage()
        revision = 0
        changes = []
    }

    /// The next revision of a picture.
    /// - Parameters:
    ///   - pixels: of the same size.
    ///   - changed: what differs.
    package init(_ previous: Texture, pixels: consuming PixelBuffer, changed: PixelRectangle) {
        precondition(pixels.width == previous.pixels.width && pixels.height == previous.pixels.height)
        path = previous.path
        self.pixels = pixels
        fileKind = previous.fileKind
        lineage = previous.lineage
        revision = previous.revision + 1
        changes = previous.changes.suffix(Self.rememberedChanges - 1) + [changed]
    }

    /// Identifies the picture whose revision this is.
    package var picture: AnyObject { lineage }

    /// What differs from an earlier revision of the same picture; nil: that is no longer known.
    package func changes(since earlier: Int) -> PixelRectangle? {
        let count = revision - earlier
        guard count > 0, count <= changes.count else { return nil }
        return changes.suffix(count).reduce(nil) { $0?.union($1) ?? $1 }
    }
}
