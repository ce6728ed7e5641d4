import Glibc

/// How ffmpeg is started.
extension ClipWriter {
    /// Starts ffmpeg.
    /// - Parameter pixels: of a frame.
    static func start(
        _ settings: Settings, _ target: ClipTarget, pixels: Int
    ) throws(ClipError) -> ChildProcess {
        let source: ClipInput? = if let path = settings.source { try ClipInput(path) } else { nil }
        var limits = target.limits
        var inputArguments: [String] = []
        if let source {
            limits.files += source.limits.files
            limits.usesNetwork = limits.usesNetwork || source.limits.usesNetwork
            inputArguments = source.arguments
        }
        limits.usesSound = settings.recordsMicrophone
        limits.framePixels = pixels
        // Until the child has the source's descriptor.
        defer { withExtendedLifetime(source) {} }
        do {
            return try ChildProcess(
                arguments(settings, target, source: inputArguments),
                writing: settings.countsFilteredFrames ? [countingDescriptor] : [], isFed: true, limits: limits,
                end: target.isFile ? .completesFile : .isKilled)
        } catch {
            throw ClipError(path: settings.name, launch: error)
        }
    }

    /// The descriptor to which ffmpeg prints a line for each frame.
    private static let countingDescriptor: Int32 = 3

    private static func arguments(
        _ settings: Settings, _ target: ClipTarget, source: [String]
    ) -> [String] {
        var words = [
            "ffmpeg", "-v", "error", "-y", "-probesize", "32", "-analyzeduration", "0", "-fpsprobesize", "0",
            "-thread_queue_size", "8", "-protocol_whitelist", "pipe", "-f", "matroska", "-i", "pipe:0",
        ]
        words += source
        if settings.recordsMicrophone {
            if settings.microphoneDelay > 0 { words += ["-itsoffset", "\(settings.microphoneDelay)"] }
            words += ["-thread_queue_size", "1024", "-f", "pulse", "-i", settings.microphone ?? "default"]
        }
        words += ["-map", "0:v"]
        if settings.source != nil {
            switch settings.takenOver {
            case .everything: words += ["-map", "1:a?", "-map", "1:s?", "-map_metadata", "1", "-map_chapters", "1"]
            case .allButSound: words += ["-map", "1:s?", "-map_metadata", "1", "-map_chapters", "1"]
            // Names of tracks are metadata, too.
            case .sound:
                words += ["-map", "1:a?", "-map_metadata", "-1", "-map_metadata:s", "-1", "-map_chapters", "-1"]
            }
            if target.format == "webm" {
                // It takes no AAC, and only one kind of subtitles.
                words += ["-sn", "-c:a", "libopus", "-b:a", "160k"]
            } else {
                // The headers of some codecs (Vorbis) have texts of their own.
                words += settings.takenOver == .sound ? ["-c:a", "aac", "-b:a", "192k"] : ["-c", "copy"]
            }
        } else if settings.recordsMicrophone {
            words += ["-map", "1:a", "-c:a", target.format == "webm" ? "libopus" : "aac"]
        }
        words += pictures(settings, format: target.format)
        words += ["-vsync", "passthrough"]
        if let rate = settings.constantRate {
            words += ["-enc_time_base", timeBase(rate)]
        } else {
            words += ["-enc_time_base", "-1", "-video_track_timescale", "90000"]
        }
        if settings.isFragmented {
            words += ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-flush_packets", "1"]
        }
        if settings.loops { words += target.format == "apng" ? ["-plays", "0"] : ["-loop", "0"] }
        if let format = target.format { words += ["-f", format] }
        return words + [target.address]
    }

    /// The time between two frames, as a fraction: 1001/30000 for 29.97.
    private static func timeBase(_ rate: Double) -> String {
        for numerator in [1, 1001, 1000] {
            let denominator = (rate * Double(numerator)).rounded()
            if abs(denominator / Double(numerator) - rate) < 1e-6 * rate { return "\(numerator):\(Int(denominator))" }
        }
        return "1000:\(Int((rate * 1000).rounded()))"
    }

    private static func pictures(_ settings: Settings, format: String?) -> [String] {
        let color = settings.color
        // Frames are RGB; with the source's matrix and range, unchanged pixels keep their encoded values.
        var scale = "scale=trunc(iw/2)*2:trunc(ih/2)*2:flags=bicubic"
        if let matrix = color.matrix.flatMap(written) { scale += ":out_color_matrix=\(matrix.filter)" }
        if let range = color.range { scale += ":out_range=\(range)" }
        if format == "gif" { scale += ",split[a][b];[a]palettegen[p];[b][p]paletteuse" }
        // ffmpeg's option -progress would tell nothing until the last frame is filtered.
        if settings.countsFilteredFrames { scale += "," + FilterLines.filters(printingTo: countingDescriptor) }
        var words = ["-vf", scale]
        if let pixelFormat = settings.rawPixelFormat {
            return words + ["-c:v", "rawvideo", "-pix_fmt", pixelFormat]
        }
        if settings.hasAlpha {
            words += withAlpha(settings, format: format)
        } else if let format, ["mp4", "mov", "matroska", "flv", "mpegts", "rtsp"].contains(format) {
            let encoder = videoEncoder
            words += ["-c:v", encoder]
            if encoder == "libx264" {
                words += ["-preset", settings.preset, "-crf", "\(settings.quality)", "-g", "60"]
            } else {
                words += ["-q:v", "4"]
            }
            words += ["-pix_fmt", "yuv420p"]
        }
        if let matrix = color.matrix.flatMap(written) { words += ["-colorspace", matrix.tag] }
        if let primaries = color.primaries { words += ["-color_primaries", primaries] }
        if let transfer = color.transfer { words += ["-color_trc", transfer] }
        if let range = color.range { words += ["-color_range", range] }
        return words
    }

    /// The encoders that keep straight alpha.
    private static func withAlpha(_ settings: Settings, format: String?) -> [String] {
        guard format == "webm" else {
            // ProRes 4444. It takes a third of the time of FFmpeg's other encoder (prores_ks), for files of the same size.
            return ["-c:v", "prores_aw", "-profile:v", "4", "-pix_fmt", "yuva444p10le"]
        }
        // A live picture waits for no encoder. libvpx has alternate frames only without alpha, and its scale goes to 63.
        let speed = settings.isFragmented ? ["-deadline", "realtime", "-cpu-used", "8"] : ["-cpu-used", "4"]
        return ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-row-mt", "1", "-b:v", "0"]
            + ["-crf", "\(settings.quality * 63 / 51)"] + speed
    }

    /// The matrix in which a source's colours are written: the scale filter's name of it, and that of streams. Matrices that
    /// the filter does not have, which FFmpeg 7 refuses, become the nearest or the most usual one. Nil for RGB, which has none.
    private static func written(_ matrix: String) -> (filter: String, tag: String)? {
        switch matrix {
        case "gbr": nil
        case "bt2020nc", "bt2020c": ("bt2020", "bt2020nc")
        // The same numbers under two names.
        case "smpte170m", "bt470bg": ("smpte170m", matrix)
        case "fcc", "smpte240m": (matrix, matrix)
        default: ("bt709", "bt709")
        }
    }

    /// H.264 if ffmpeg has an encoder for it, otherwise MPEG-4.
    package static let videoEncoder: String = {
        let question = ["ffmpeg", "-v", "quiet", "-encoders"]
        guard
            let child = try? ChildProcess(
                question, writing: [STDOUT_FILENO], limits: ChildLimits(), end: .isKilledWhenAsked)
        else { return "mpeg4" }
        let list = String(decoding: child.readAll(0), as: UTF8.self)
        return list.split(separator: "\n").contains { $0.split(separator: " ").dropFirst().first == "libx264" }
            ? "libx264" : "mpeg4"
    }()
}
