import Clips
import Compositing
import Files
import Glibc
import MaskComposition
import MaskRendering
import Masks
import Pixels
import Sound
import SyntheticFaces

/// Pictures of masks on synthetic faces: one row per mask.
package final class MaskPreview {
    private let masks: [Mask]
    private let faceWidth: Float
    private let assets: AuthoringAssets
    private let renderer: MaskRenderer
    /// One for each mask: rows of an animation are streams of their own.
    private var compositors: [FaceCompositor]

    /// - Parameter faceWidth: of each face, in pixels; a cell is 2 × 2.4 times as large. Under hats, horns and
    ///   helmets, heads are smaller (`PreviewFraming`).
    package init(masks: [Mask], faceWidth: Float, assets: AuthoringAssets, renderer: RendererChoice = .auto) throws {
        self.masks = masks
        self.faceWidth = faceWidth
        self.assets = assets
        self.renderer = try assets.makeRenderer(renderer)
        compositors = masks.map { assets.makeCompositor($0) }
    }

    /// Six people in different poses.
    /// - Parameter checkpoint: called before each mask; an error that it throws stops the work.
    package func still(checkpoint: () throws -> Void) throws -> PixelBuffer {
        try picture(
            of: PreviewPoses.still, sounds: PreviewPoses.stillSounds, quality: .samples(3), at: 0.3,
            checkpoint: checkpoint)
    }

    /// Two people who look around, talk, smile and blink, to music, as a clip of four seconds that loops.
    /// - Parameters:
    ///   - progress: called before each frame with its number, from 1, and the number of all frames.
    ///   - checkpoint: called before each mask of each frame; an error that it throws stops the work.
    package func writeAnimation(
        to path: String, format: AnimationFormat, replacing: Bool, progress: (Int, Int) -> Void,
        checkpoint: () throws -> Void
    ) throws {
        try Folder.createParent(of: path)
        let temporary = try TemporaryFile(for: path)
        let file = try ClipFile(temporary)
        var settings = ClipWriter.Settings(target: file.path)
        settings.file = file
        settings.format = format.muxer
        settings.constantRate = PreviewPoses.frameRate
        settings.isFragmented = false
        settings.loops = format.loops
        var writer: ClipWriter?
        for index in 0..<PreviewPoses.frameCount {
            let seconds = Double(index) / PreviewPoses.frameRate
            progress(index + 1, PreviewPoses.frameCount)
            let frame = try picture(
                of: PreviewPoses.moving(at: seconds), sounds: PreviewPoses.movingSounds(at: seconds),
                quality: .adaptive, at: seconds, checkpoint: checkpoint)
            if writer == nil { writer = try ClipWriter(width: frame.width, height: frame.height, settings: settings) }
            try writer?.write(frame, at: seconds)
        }
        try writer?.finish()
        try temporary.rename(replacing: replacing)
    }

    private func picture(
        of faces: [DrawnFace], sounds: [SoundSignals], quality: SyntheticPortrait.Quality, at seconds: Double,
        checkpoint: () throws -> Void
    ) throws -> PixelBuffer {
        let framings = Set(masks.map(PreviewFraming.init))
        let rows = try Dictionary(
            uniqueKeysWithValues: framings.map {
                let row = try PreviewRow(
                    faces, sounds: sounds, faceWidth: faceWidth, framing: $0, quality: quality,
                    reference: assets.reference)
                return ($0, row)
            })
        let (width, height) = (rows.first?.value.width ?? 1, rows.first?.value.height ?? 1)
        var result = try PixelBuffer(width: width, height: height * max(1, masks.count), format: .rgba8)
        for (index, mask) in masks.enumerated() {
            try checkpoint()
            guard let row = rows[PreviewFraming(mask)] else { continue }
            let picture = try compositors[index].masked(
                row.picture.copy(), on: row.instances, at: seconds, encoding: .video, with: renderer)
            result.paste(picture, x: 0, y: index * row.height)
        }
        return result
    }
}

/// File formats of animated previews.
package enum AnimationFormat: String, CaseIterable, Sendable {
    case png, apng, gif, mp4

    /// The format that a file name's extension stands for; nil if none exists.
    package init?(path: some FilePathConvertible) { self.init(rawValue: path.filePath.fileExtension) }

    /// ffmpeg's name.
    var muxer: String { self == .png ? "apng" : rawValue }
    var loops: Bool { self != .mp4 }
}
