import Glibc
import Pixels

/// Writes frames with their times through an `ffmpeg` child process, in any format that ffmpeg supports. Waits while
/// ffmpeg is busy. Belongs to one thread.
package final class ClipWriter {
    /// Where and how frames are written.
    package struct Settings: Sendable {
        /// A file, a device, a network address, or "-" for standard output.
        package var target: String
        /// ffmpeg's name of the format; nil: chosen by the target's extension.
        package var format: String?
        /// Frames per second; frames are repeated and dropped to keep this rate. Nil: each frame keeps its time.
        package var constantRate: Double?
        /// The expected rate of the frames, per second; nil: unknown.
        package var frameRate: Double?
        /// Another clip; everything but its video (sound, subtitles, metadata, chapters) is copied.
        package var source: String?
        /// Whether the default microphone is recorded.
        package var recordsMicrophone = false
        package var color = ClipInformation.ColorTags()
        /// Whether an MP4 file is fragmented, so that it can be played even if writing is interrupted.
        package var isFragmented = true
        /// The x264 preset, for H.264.
        package var preset = "veryfast"
        /// The constant rate factor of H.264, 0…51: lower is better.
        package var quality = 20
        /// Whether an APNG or GIF restarts at its end.
        package var loops = false
        /// For devices: write uncompressed pixels in this ffmpeg pixel format.
        package var rawPixelFormat: String?

        package init(target: String) { self.target = target }
    }

    private let settings: Settings
    private let child: ChildProcess
    private let width: Int
    private let height: Int
    private var lastMicroseconds: UInt64?
    /// At a constant rate: the last frame written, and its index.
    private var lastFrame: PixelBuffer?
    private var lastPlace = -1
    package private(set) var frameCount = 0

    package init(width: Int, height: Int, settings: Settings) throws(ClipError) {
        self.settings = settings
        self.width = width
        self.height = height
        do {
            child = try ChildProcess(try Self.arguments(settings), writing: [], isFed: true)
        } catch let error as ChildProcess.LaunchFailure {
            throw ClipError(path: settings.target, launch: error)
        } catch let error as ClipError {
            throw error
        } catch {
            throw ClipError(.noFFmpeg, path: settings.target, "\(error)")
        }
        let header = MatroskaStream.header(
            width: width, height: height, frameRate: settings.constantRate ?? settings.frameRate)
        guard header.withUnsafeBytes({ child.write($0) }) else { throw failure() }
    }

    /// Stops writing, from any thread; what has been written remains.
    package func stopper() -> @Sendable () -> Void {
        let stopper = child.stopper
        return { stopper.stop() }
    }

    /// - Parameters:
    ///   - frame: `rgba8`, of the writer's size.
    ///   - seconds: since the start. A frame that is not later than the last one is dropped, at a constant rate also
    ///     one whose index is taken; missing frames repeat the one before.
    package func write(_ frame: borrowing PixelBuffer, at seconds: Double) throws(ClipError) {
        precondition(frame.width == width && frame.height == height && frame.format == .rgba8)
        guard let rate = settings.constantRate else { return try writeFrame(frame, at: seconds) }
        let place = Int((max(0, min(seconds, 1e6)) * rate).rounded())
        guard place > lastPlace else { return }
        if let repeated = lastFrame.take() {
            while lastPlace + 1 < place {
                lastPlace += 1
                try writeFrame(repeated, at: Double(lastPlace) / rate)
            }
            lastFrame = consume repeated
        }
        lastPlace = place
        try writeFrame(frame, at: Double(place) / rate)
        do {
            if lastFrame == nil { lastFrame = try PixelBuffer(width: width, height: height, format: .rgba8) }
            lastFrame?.overwrite(with: frame)
        } catch {
            throw ClipError(.unwritable, path: settings.target, "\(error)")
        }
    }

    private func writeFrame(_ frame: borrowing PixelBuffer, at seconds: Double) throws(ClipError) {
        let microseconds = UInt64((max(0, min(seconds, 1e9)) * 1e6).rounded())
        if let lastMicroseconds, microseconds <= lastMicroseconds { return }
        lastMicroseconds = microseconds
        frameCount += 1
        let header = MatroskaStream.frameHeader(pixelBytes: 4 * width * height, microseconds: microseconds)
        guard header.withUnsafeBytes({ child.write($0) }) else { throw failure() }
        let (rowSize, stride, rows) = (4 * width, frame.bytesPerRow, height)
        let isWritten = frame.withUnsafeBytes { bytes in
            if rowSize == stride { return child.write(bytes) }
            return (0..<rows).allSatisfy { row in
                child.write(UnsafeRawBufferPointer(rebasing: bytes[row * stride..<row * stride + rowSize]))
            }
        }
        guard isWritten else { throw failure() }
    }

    /// Ends the file.
    /// - Throws: `ClipError` with ffmpeg's own words when it could not be written whole.
    package func finish() throws(ClipError) {
        guard child.finish() else { throw failure() }
    }

    private func failure() -> ClipError {
        _ = child.finish()
        let words = child.lastWords
        return ClipError(
            .unwritable, path: settings.target,
            "ffmpeg cannot write it: \(words.isEmpty ? "it gave no reason" : words)")
    }

    // MARK: Arguments of ffmpeg

    private static func arguments(_ settings: Settings) throws(ClipError) -> [String] {
        var words = [
            "ffmpeg", "-v", "error", "-y", "-probesize", "32", "-analyzeduration", "0", "-fpsprobesize", "0",
            "-thread_queue_size", "8", "-f", "matroska", "-i", "pipe:0",
        ]
        if let source = settings.source { words += ["-i", try ClipInformation.address(source)] }
        if settings.recordsMicrophone {
            words += ["-thread_queue_size", "1024", "-f", "pulse", "-i", "default"]
        }
        words += ["-map", "0:v"]
        if settings.source != nil {
            words += ["-map", "1:a?", "-map", "1:s?", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy"]
        } else if settings.recordsMicrophone {
            words += ["-map", "1:a", "-c:a", "aac"]
        }
        words += pictures(settings)
        words += ["-vsync", "passthrough"]
        if let rate = settings.constantRate {
            words += ["-enc_time_base", timeBase(rate)]
        } else {
            words += ["-enc_time_base", "-1", "-video_track_timescale", "90000"]
        }
        if settings.isFragmented {
            words += ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-flush_packets", "1"]
        }
        if settings.loops { words += settings.format == "apng" ? ["-plays", "0"] : ["-loop", "0"] }
        if let format = settings.format { words += ["-f", format] }
        // Devices are not addressed by a protocol.
        return words + [settings.format == "v4l2" ? settings.target : address(settings.target)]
    }

    /// The time between two frames, as a fraction: 1001/30000 for 29.97.
    private static func timeBase(_ rate: Double) -> String {
        for numerator in [1, 1001, 1000] {
            let denominator = (rate * Double(numerator)).rounded()
            if abs(denominator / Double(numerator) - rate) < 1e-6 * rate { return "\(numerator):\(Int(denominator))" }
        }
        return "1000:\(Int((rate * 1000).rounded()))"
    }

    private static func pictures(_ settings: Settings) -> [String] {
        let color = settings.color
        // Frames are RGB; with the source's matrix and range, unchanged pixels keep their encoded values.
        var scale = "scale=trunc(iw/2)*2:trunc(ih/2)*2:flags=bicubic"
        if let matrix = color.matrix, matrix != "gbr" { scale += ":out_color_matrix=\(scaleName(matrix))" }
        if let range = color.range { scale += ":out_range=\(range)" }
        if settings.format == "gif" { scale += ",split[a][b];[a]palettegen[p];[b][p]paletteuse" }
        var words = ["-vf", scale]
        if let pixelFormat = settings.rawPixelFormat {
            return words + ["-c:v", "rawvideo", "-pix_fmt", pixelFormat]
        }
        if let encoder = encoder(for: settings) {
            words += ["-c:v", encoder]
            if encoder == "libx264" {
                words += ["-preset", settings.preset, "-crf", "\(settings.quality)", "-g", "60"]
            } else {
                words += ["-q:v", "4"]
            }
            words += ["-pix_fmt", "yuv420p"]
        }
        if let matrix = color.matrix, matrix != "gbr" { words += ["-colorspace", matrix] }
        if let primaries = color.primaries { words += ["-color_primaries", primaries] }
        if let transfer = color.transfer { words += ["-color_trc", transfer] }
        if let range = color.range { words += ["-color_range", range] }
        return words
    }

    /// The scale filter's name of a matrix, which differs from that of streams.
    private static func scaleName(_ matrix: String) -> String {
        switch matrix {
        case "bt2020nc", "bt2020c": "bt2020"
        case "smpte170m", "bt470bg", "fcc", "bt709", "smpte240m": matrix
        default: "auto"
        }
    }

    private static func encoder(for settings: Settings) -> String? {
        let name = settings.target.lowercased()
        if let format = settings.format {
            return ["mp4", "mov", "matroska", "flv", "mpegts", "rtsp"].contains(format) ? videoEncoder : nil
        }
        return ["mp4", "mov", "mkv", "m4v"].contains { name.hasSuffix(".\($0)") } ? videoEncoder : nil
    }

    /// H.264 if ffmpeg has an encoder for it, otherwise MPEG-4.
    package static let videoEncoder: String = {
        guard let child = try? ChildProcess(["ffmpeg", "-v", "quiet", "-encoders"], writing: [STDOUT_FILENO]) else {
            return "mpeg4"
        }
        let list = String(decoding: child.readAll(0), as: UTF8.self)
        return list.split(separator: "\n").contains { $0.split(separator: " ").dropFirst().first == "libx264" }
            ? "libx264" : "mpeg4"
    }()

    /// A target as ffmpeg takes it; a file's name is never taken for a protocol.
    private static func address(_ target: String) -> String {
        if target == "-" { return "pipe:1" }
        return target.contains("://") ? target : "file:" + target
    }
}
