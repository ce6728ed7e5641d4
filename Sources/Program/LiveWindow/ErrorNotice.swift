import Clips
import Files

/// What a window says of an error: what is wrong, and what would be right. The words of ffmpeg are for the terminal.
package struct ErrorNotice {
    package let text: String
    /// The whole message; nil: `text` leaves nothing out.
    package let details: String?

    package init(_ error: any Error) {
        guard let clip = error as? ClipError, clip.quotesFFmpeg, clip.kind == .notAVideo || clip.kind == .damaged else {
            (text, details) = ("\(error)", nil)
            return
        }
        let name = FilePath(clip.path).name
        text =
            clip.kind == .damaged
            ? "\(name) cannot be read to its end. It is damaged, or was cut off."
            : "\(name) is not a video that can be read. MP4, MOV, MKV, WebM and GIF can be."
        details = "\(error)"
    }
}
