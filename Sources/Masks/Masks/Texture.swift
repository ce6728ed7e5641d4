import Files
import Pixels

/// A picture of a mask: `rgba8`, sRGB, straight alpha. Immutable and shared.
package final class Texture: Sendable {
    /// The content of the file that the picture was read from.
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
    private let memory: Memory
    package var pixels: PixelBuffer { _read { yield memory.pixels } }
    /// The height of the picture, divided by its width.
    package let aspectRatio: Float
    package let fileKind: FileKind
    /// Shared by all revisions of a picture.
    private let lineage: Lineage
    /// Counts the revisions before this one.
    package let revision: Int
    /// The changes of the last revisions, the newest last.
    private let changes: [PixelRectangle]

    private final class Lineage: Sendable {}

    /// Changes only in `revised`, while nobody else can see it.
    private final class Memory: @unchecked Sendable {
        var pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    /// So many changes are remembered: a renderer that draws at least every second revision needs two.
    private static let rememberedChanges = 64

    package init(path: some FilePathConvertible, pixels: consuming PixelBuffer, fileKind: FileKind = .other) {
        self.path = path.filePath
        aspectRatio = Float(pixels.height) / Float(pixels.width)
        memory = Memory(pixels)
        self.fileKind = fileKind
        lineage = Lineage()
        revision = 0
        changes = []
    }

    /// The next revision of a picture.
    /// - Parameters:
    ///   - pixels: of the same size.
    ///   - changed: the difference.
    package convenience init(_ previous: Texture, pixels: consuming PixelBuffer, changed: PixelRectangle) {
        precondition(pixels.width == previous.pixels.width && pixels.height == previous.pixels.height)
        self.init(previous, memory: Memory(pixels), changed: changed)
    }

    private init(_ previous: Texture, memory: Memory, changed: PixelRectangle) {
        path = previous.path
        aspectRatio = previous.aspectRatio
        self.memory = memory
        fileKind = previous.fileKind
        lineage = previous.lineage
        revision = previous.revision + 1
        changes = previous.changes.suffix(Self.rememberedChanges - 1) + [changed]
    }

    /// The next revision of a picture, in the memory of an earlier one if that is not used any more: copying a large picture
    /// takes longer than changing a part of it.
    /// - Parameters:
    ///   - spare: an earlier revision of the same picture. It is nil afterwards.
    ///   - changed: the difference from `previous`.
    ///   - write: writes the given part of the new revision.
    package static func revised(
        _ previous: Texture, changed: PixelRectangle, spare: inout Texture?,
        write: (PixelRectangle, inout PixelBuffer) -> Void
    ) throws(OutOfMemory) -> Texture {
        let memory: Memory
        let old: PixelRectangle?
        if isKnownUniquelyReferenced(&spare), let spare, spare !== previous, spare.lineage === previous.lineage,
            let since = previous.changes(since: spare.revision)
        {
            (memory, old) = (spare.memory, since)
        } else {
            (memory, old) = (Memory(try previous.pixels.copy()), nil)
        }
        spare = nil
        write(old?.union(changed) ?? changed, &memory.pixels)
        return Texture(previous, memory: memory, changed: changed)
    }

    /// Identifies the picture whose revision this is.
    package var picture: AnyObject { lineage }

    /// The difference from an earlier revision of the same picture; nil: no longer known.
    package func changes(since earlier: Int) -> PixelRectangle? {
        let count = revision - earlier
        guard count > 0, count <= changes.count else { return nil }
        return changes.suffix(count).reduce(nil) { $0?.union($1) ?? $1 }
    }
}
