import Glibc
import Pixels

/// Hands frames with their times to an `ffmpeg` child process, which makes of them whatever it can write. It belongs to
/// one thread, and waits where ffmpeg takes its time.
package final class ClipWriter {
    /// What is made of the frames.
    package struct Settings: Sendable {
        /// A file, a device or an address that ffmpeg can write.
        package var target: String
        /// ffmpeg's name of the format; nil: what the target's name says.
        package var format: String?
        /// Frames are repeated and left out so that they come at this rate; nil: each keeps its own time.
        package var constantRate: Double?
        /// What the frames come at, as far as is known.
        package var frameRate: Double?
        /// Arguments for another input, of which everything but the pictures is taken over as it is.
        package var source: String?
        /// Whether the default microphone is recorded too.
        package var recordsMicrophone = false
        package var color = ClipInformation.ColorTags()
        /// Whether the file can be played at any time, also when the writing ends suddenly.
        package var isFragmented = true
        /// The x264 preset, where H.264 is written.
        package var preset = "veryfast"
        /// How good H.264 is to look: lower is better.
        package var quality = 20
        /// Whether a moving picture (APNG, GIF) begins again at its end.
        package var loops = false
        /// For devices: the pixels as they are, in this format of ffmpeg's.
        package var rawPixelFormat: String?

        package init(target: String) { self.target = target }
    }

    private let settings: Settings
    private let child: ChildProcess
    private let width: Int
    private let height: Int
    private var lastMicroseconds: UInt64?
    /// At a constant rate: the frame written last, and its place in the row of frames.
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

    /// Ends the writing from any thread; what has been written stays.
    package func stopper() -> @Sendable () -> Void {
        let stopper = child.stopper
        return { stopper.stop() }
    }

    /// - Parameters:
    ///   - frame: `rgba8`, of the writer's size.
    ///   - seconds: since the start. A frame that is not later than the last one is left out, at a constant rate also
    ///     one whose place in the row is taken; places that stay empty get the frame before.
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

    // MARK: What ffmpeg is told

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
        // A device has a name of its own kind.
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
        // Bauta's frames are RGB; the same matrix and range lead back to the numbers they came from.
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

    /// What the scale filter calls a matrix that the streams call otherwise.
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

    /// H.264 where this ffmpeg has it, otherwise MPEG-4.
    package static let videoEncoder: String = {
        guard let child = try? ChildProcess(["ffmpeg", "-v", "quiet", "-encoders"], writing: [STDOUT_FILENO]) else {
            return "mpeg4"
        }
        let list = String(decoding: child.readAll(0), as: UTF8.self)
        return list.split(separator: "\n").contains { $0.split(separator: " ").dropFirst().first == "libx264" }
            ? "libx264" : "mpeg4"
    }()

    /// No name of a file may be taken for a protocol.
    private static func address(_ target: String) -> String {
        if target == "-" { return "pipe:1" }
        return target.contains("://") ? target : "file:" + target
    }
}
