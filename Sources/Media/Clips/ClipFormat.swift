import Files

/// The formats of the videos and streams that are written.
package enum ClipFormat {
    /// ffmpeg's name of the format that a file's extension asks for; nil: none that is written.
    package static func name(ofFile path: FilePath) -> String? {
        let ending = path.fileExtension
        return switch ending {
        case "mp4", "m4v": "mp4"
        case "mkv": "matroska"
        case "mov", "webm", "avi", "gif", "apng", "flv", "nut": ending
        case "ts", "m2ts": "mpegts"
        case "mpg", "mpeg": "mpeg"
        default: nil
        }
    }

    /// The extensions of files that are written with alpha.
    package static let extensionsWithAlpha = ["mov", "webm"]

    /// ffmpeg's name of the format for a network address; nil: ffmpeg finds it.
    package static func name(ofAddress address: FilePath) -> String? {
        switch NetworkAddress.scheme(of: address) {
        case "rtmp", "rtmps": "flv"
        case "rtsp": "rtsp"
        case "udp", "tcp", "srt": "mpegts"
        default: nil
        }
    }
}
