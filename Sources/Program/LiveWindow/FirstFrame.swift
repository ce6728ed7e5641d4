import Clips
import Files
import ImageFiles
import Pixels
import Threads

/// What dialogs show of a clip, and which files they offer as clips and pictures.
package enum FirstFrame {
    /// The longer side, in pixels.
    private static let largestSide = 512
    /// Of processor time, in seconds, for looking into the file and for decoding: what takes longer has no preview.
    private static let longest = 5

    /// Whether a file's name is that of a clip or of a picture.
    package static func isClipOrPicture(_ path: FilePath) -> Bool { isClip(path) || PictureFormat.isReadableName(path) }

    private static func isClip(_ path: FilePath) -> Bool { ClipInformation.extensions.contains(path.fileExtension) }

    /// Decodes the first frame of a clip, smaller. It waits for ffmpeg: call it on a thread of its own.
    /// - Parameter stopSignal: ends ffmpeg when nobody wants to see the frame any more.
    /// - Returns: nil: it is no clip, or cannot be read.
    package static func read(_ path: FilePath, _ stopSignal: StopSignal) -> PixelBuffer? {
        guard isClip(path), !stopSignal.isStopped,
            let information = try? ClipInformation.read(path, cpuSeconds: longest, stopSignal: stopSignal),
            let reader = try? ClipReader(
                path, information: information, size: size(of: information), frames: 1, cpuSeconds: longest)
        else { return nil }
        let handler = stopSignal.onStop(reader.stopper())
        defer { stopSignal.forget(handler) }
        guard var frame = try? reader.makeFrame(), (try? reader.read(into: &frame)) != nil else { return nil }
        return frame
    }

    /// Nil: it is small enough.
    private static func size(of clip: ClipInformation) -> ClipReader.Size? {
        let longer = max(clip.width, clip.height)
        return longer > largestSide ? .width(max(1, largestSide * clip.width / longer)) : nil
    }
}
