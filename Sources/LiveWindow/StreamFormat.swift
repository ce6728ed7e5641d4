/// The formats of streams, for ffmpeg.
enum StreamFormat {
    /// ffmpeg's name of the format for a target; nil: ffmpeg finds the format by the target's name.
    static func name(of target: String) -> String? {
        if target == "-" { return "matroska" }
        guard let end = target.firstRange(of: "://") else { return nil }
        switch target[..<end.lowerBound] {
        case "rtmp", "rtmps": return "flv"
        case "rtsp": return "rtsp"
        case "udp", "tcp", "srt": return "mpegts"
        default: return nil
        }
    }
}
