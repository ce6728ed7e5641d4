import Clips

/// What ffprobe says of a clip.
enum ProbeTarget: FuzzTarget {
    static let name = "probe"
    static let longest = 2048

    static func seeds() -> [[UInt8]] {
        let all = #"""
            {"programs": [], "streams": [{"width": 640, "height": 480, "sample_aspect_ratio": "4:3", "color_range": "tv",
            "color_space": "bt709", "color_transfer": "bt709", "color_primaries": "bt709",
            "avg_frame_rate": "30000/1001", "duration": "12.5", "nb_frames": "375",
            "side_data_list": [{"rotation": -90}]}], "format": {"duration": "12.5"}}
            """#
        return [all, #"{"streams": [{"width": 2, "height": 2}], "format": {}}"#].map { Array($0.utf8) }
    }

    /// The size and the rate become sizes of buffers and arguments of ffmpeg.
    static func read(_ bytes: [UInt8]) {
        guard let clip = ClipInformation(parsing: bytes) else { return }
        let isGood =
            (1...32768).contains(clip.width) && (1...32768).contains(clip.height)
            && (0.001...1000).contains(clip.frameRate ?? 1) && (clip.duration ?? 0) >= 0 && (clip.frameCount ?? 0) >= 0
            && [clip.color.matrix, clip.color.range, clip.color.primaries, clip.color.transfer]
                .allSatisfy { $0?.utf8.allSatisfy { $0 > 0x20 && $0 != 0x3A && $0 != 0x2C } ?? true }
        guard isGood else { fatalError("\(clip)") }
    }
}
