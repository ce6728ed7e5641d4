import Files
import Glibc
import JSON
import Threads

/// The properties of a clip's film, as ffprobe reports them: of the video stream that is no cover picture.
package struct ClipInformation: Equatable, Sendable {
    /// The number of the video stream among all streams of the clip.
    package var stream = 0
    /// In pixels, as it is displayed: rotated upright, with square pixels.
    package var width: Int
    package var height: Int
    /// Frames per second on average; nil when the file does not tell.
    package var frameRate: Double?
    /// Nil when the file does not tell.
    package var frameCount: Int?
    /// Seconds; nil when the file does not tell.
    package var duration: Double?
    /// How its colours are encoded.
    package var color = ColorTags()

    /// Colour properties by ffmpeg's names ("bt709", "tv"); each nil when the file does not tell.
    package struct ColorTags: Equatable, Sendable {
        package var matrix: String?
        package var primaries: String?
        package var transfer: String?
        package var range: String?

        package init() {}
    }

    /// The usual extensions of videos that ffmpeg reads, small letters.
    package static let extensions = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "mts", "m2ts", "wmv", "flv", "3gp", "ogv",
        "gif",
    ]

    /// Of a frame, in pixels.
    private static let maximumSide = 32768
    private static let maximumPixels = 64 << 20
    /// Frame rates that are believed, per second; others count as unknown.
    private static let rates = 0.01...1000

    /// Processor time for a file, in seconds. The first frames are decoded.
    package static let longestProbe = 60

    /// Runs ffprobe.
    /// - Parameters:
    ///   - path: a file, or an address that ffmpeg can open.
    ///   - kind: of file that is read.
    ///   - cpuSeconds: the most processor time that may be spent on a file.
    ///   - stopSignal: ends the reading; nil: only the program's does.
    /// - Throws: `ClipError`; of kind `interrupted` when the program is asked to end meanwhile.
    package static func read(
        _ path: some FilePathConvertible, _ kind: ClipKind = .any, cpuSeconds: Int = longestProbe,
        stopSignal: StopSignal? = nil
    ) throws(ClipError) -> ClipInformation {
        let path = path.filePath
        let input = try ClipInput(path, kind)
        let limit = (cpuSeconds: cpuSeconds, stopSignal: stopSignal)
        var (answer, words) = try ask(input, path, limit)
        // Which of several is the film is seen by their first packets. In a file: a stream's other ones would be loaded.
        if streams(of: answer).count > 1, input.descriptor != nil {
            (answer, words) = try ask(input, path, limit, ["-count_packets", "-read_intervals", "%+5"])
        }
        guard let information = ClipInformation(parsing: answer) else {
            throw ClipError(
                .notAVideo, path: path, "there is no video in it" + (words.isEmpty ? "" : "; ffmpeg says: \(words)"),
                quotesFFmpeg: !words.isEmpty)
        }
        guard information.width * information.height <= maximumPixels else {
            throw ClipError(
                .notAVideo, path: path,
                "its frames of \(information.width) × \(information.height) pixels are too large; the limit is 64 million "
                    + "pixels")
        }
        return information
    }

    /// Runs ffprobe.
    /// - Returns: its answer in JSON, and what it complains about.
    private static func ask(
        _ input: ClipInput, _ path: FilePath, _ limit: (cpuSeconds: Int, stopSignal: StopSignal?),
        _ options: [String] = []
    ) throws(ClipError) -> (answer: [UInt8], words: String) {
        let arguments =
            [
                "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
                "stream=index,width,height,avg_frame_rate,nb_frames,nb_read_packets,duration,sample_aspect_ratio,"
                    + "color_space,color_primaries,color_transfer,color_range"
                    + ":stream_disposition=default,attached_pic:stream_side_data=rotation:format=duration", "-of",
                "json",
            ] + options + input.arguments
        let child: ChildProcess
        var limits = input.limits
        limits.writesOnlyPipes = true
        if input.descriptor != nil { limits.cpuSeconds = limit.cpuSeconds }
        do {
            child = try ChildProcess(arguments, writing: [STDOUT_FILENO], limits: limits, end: .isKilledWhenAsked)
        } catch {
            throw ClipError(path: path, launch: error)
        }
        let handler = limit.stopSignal?.onStop { [stopper = child.stopper] in stopper.stop() }
        defer { if let handler { limit.stopSignal?.forget(handler) } }
        let answer = child.readAll(0)
        guard child.finish() else {
            if StopSignal.program.isStopped { throw ClipError(interrupted: path) }
            let words = input.words(of: child)
            if let error = ClipError(path: path, limitIn: words, of: input.limits) { throw error }
            throw ClipError(.notAVideo, path: path, "ffmpeg cannot read it: \(words)", quotesFFmpeg: true)
        }
        return (answer, input.words(of: child))
    }

    private static func streams(of answer: [UInt8]) -> [JSONValue] {
        (try? answer.withUnsafeBytes { try JSONValue(parsing: $0) })?["streams"]?.elements ?? []
    }

    /// - Parameter answer: what ffprobe has written: JSON.
    /// - Returns: nil without a video of a size that can be used.
    package init?(parsing answer: [UInt8]) {
        guard let answer = try? answer.withUnsafeBytes({ try JSONValue(parsing: $0) }) else { return nil }
        let usable = (answer["streams"]?.elements ?? []).compactMap { stream in
            ClipInformation(stream: stream, format: answer["format"]).map { (stream: stream, information: $0) }
        }
        // Of equal ones, the first.
        guard
            let film = usable.enumerated().max(by: {
                (Self.likelihood($0.element.stream), -$0.offset) < (Self.likelihood($1.element.stream), -$1.offset)
            })
        else { return nil }
        self = film.element.information
    }

    /// Larger for a stream that is rather the film: no cover picture, more than one frame, the default.
    private static func likelihood(_ stream: JSONValue) -> Int {
        func has(_ disposition: String) -> Bool { stream["disposition"]?[disposition]?.number == 1 }
        let isStill = stream["nb_read_packets"]?.string.flatMap { Int($0) }.map { $0 < 2 } ?? false
        return (has("attached_pic") ? 0 : 4) + (isStill ? 0 : 2) + (has("default") ? 1 : 0)
    }

    private init?(stream: JSONValue, format: JSONValue?) {
        guard case .number(let width)? = stream["width"], case .number(let height)? = stream["height"],
            width >= 1, height >= 1, width <= Double(Self.maximumSide), height <= Double(Self.maximumSide)
        else { return nil }
        var size = (Int(width), Int(height))
        if let aspect = Self.ratio(stream["sample_aspect_ratio"], separator: ":"), aspect > 0.05, aspect < 20 {
            size.0 = min(Self.maximumSide, max(1, Int((Double(size.0) * aspect).rounded())))
        }
        // Other side data, such as Dolby Vision's, may stand before the display matrix.
        let rotation = stream["side_data_list"]?.elements.lazy.compactMap { $0["rotation"]?.number }.first
        if let rotation, rotation.isFinite, abs(rotation.remainder(dividingBy: 180)) >= 1 { size = (size.1, size.0) }
        (self.width, self.height) = size
        if let index = stream["index"]?.number, (0...1e6).contains(index) { self.stream = Int(index) }
        frameRate = Self.ratio(stream["avg_frame_rate"], separator: "/").flatMap { Self.rates.contains($0) ? $0 : nil }
        frameCount = stream["nb_frames"]?.string.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        // Tags become part of ffmpeg's arguments.
        func tag(_ key: String) -> String? {
            stream[key]?.string.flatMap { tag in
                let isName = tag.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                }
                return tag == "unknown" || tag.isEmpty || !isName ? nil : tag
            }
        }
        color.matrix = tag("color_space")
        color.primaries = tag("color_primaries")
        color.transfer = tag("color_transfer")
        color.range = tag("color_range")
        duration = (stream["duration"]?.string ?? format?["duration"]?.string)
            .flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private static func ratio(_ value: JSONValue?, separator: Character) -> Double? {
        guard let parts = value?.string?.split(separator: separator).map({ Double($0) }), parts.count == 2,
            let upper = parts[0], let lower = parts[1], (upper / lower).isFinite
        else { return nil }
        return upper / lower
    }
}
