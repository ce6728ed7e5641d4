import Clips
import Files
import ImageFiles
import Pixels

/// What dialogs show of a clip, and which files they offer as clips and pictures.
enum FirstFrame {
    /// In pixels.
    private static let widest = 512
    /// Of processor time, in seconds: what takes longer has no preview.
    private static let longest = 5

    /// Whether a file's name is that of a clip or of a picture.
    static func isClipOrPicture(_ path: FilePath) -> Bool { isClip(path) || PictureFormat.isReadableName(path) }

    private static func isClip(_ path: FilePath) -> Bool {
        ClipInformation.usualEndings.contains(path.fileExtension)
    }

    /// Decodes the first frame of a clip, smaller. It waits for ffmpeg: call it on a thread of its own.
    /// - Returns: nil: it is no clip, or cannot be read.
    static func read(_ path: FilePath) -> PixelBuffer? {
        guard isClip(path), let information = try? ClipInformation.read(path),
            let reader = try? ClipReader(
                path, information: information, size: information.width > widest ? .width(widest) : nil, frames: 1,
                cpuSeconds: longest),
            var frame = try? reader.makeFrame(), (try? reader.read(into: &frame)) != nil
        else { return nil }
        return frame
    }
}
