import Glibc
import JSON

/// The properties of a clip's first video stream, as ffprobe reports them.
package struct ClipInformation: Equatable, Sendable {
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

    /// Runs ffprobe.
    /// - Parameter path: a file, or an address that ffmpeg can open.
    package static func read(_ path: String) throws(ClipError) -> ClipInformation {
        let address = try ClipInformation.address(path)
        let arguments = [
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
            "stream=width,height,avg_frame_rate,nb_frames,duration,sample_aspect_ratio,color_space,color_primaries,"
                + "color_transfer,color_range:stream_side_data=rotation"
                + ":format=duration", "-of", "json", "-i", address,
        ]
        let child: ChildProcess
        do {
            child = try ChildProcess(arguments, writing: [STDOUT_FILENO])
        } catch {
            throw ClipError(path: path, launch: error)
        }
        let output = String(decoding: child.readAll(0), as: UTF8.self)
        guard child.finish() else {
            throw ClipError(.notAVideo, path: path, "ffmpeg cannot read it: \(child.words(about: address))")
        }
        guard let answer = try? JSONValue(parsing: output), let stream = answer["streams"]?[0],
            let information = ClipInformation(stream: stream, format: answer["format"])
        else {
            let words = child.lastWords
            throw ClipError(
                .notAVideo, path: path, "there is no video in it" + (words.isEmpty ? "" : "; ffmpeg says: \(words)"))
        }
        return information
    }

    private init?(stream: JSONValue, format: JSONValue?) {
        guard case .number(let width)? = stream["width"], case .number(let height)? = stream["height"],
            width >= 1, height >= 1, width <= 32768, height <= 32768
        else { return nil }
        var size = (Int(width), Int(height))
        if let aspect = Self.ratio(stream["sample_aspect_ratio"], separator: ":"), aspect > 0.05, aspect < 20 {
            size.0 = max(1, Int((Double(size.0) * aspect).rounded()))
        }
        if case .number(let rotation)? = stream["side_data_list"]?[0]?["rotation"], Int(rotation) % 180 != 0 {
            size = (size.1, size.0)
        }
        (self.width, self.height) = size
        frameRate = Self.ratio(stream["avg_frame_rate"], separator: "/").flatMap { $0 > 0 ? $0 : nil }
        frameCount = stream["nb_frames"]?.string.flatMap { Int($0) }
        func tag(_ key: String) -> String? { stream[key]?.string.flatMap { $0 == "unknown" ? nil : $0 } }
        color.matrix = tag("color_space")
        color.primaries = tag("color_primaries")
        color.transfer = tag("color_transfer")
        color.range = tag("color_range")
        duration = (stream["duration"]?.string ?? format?["duration"]?.string).flatMap { Double($0) }
    }

    private static func ratio(_ value: JSONValue?, separator: Character) -> Double? {
        guard let parts = value?.string?.split(separator: separator).map({ Double($0) }), parts.count == 2,
            let upper = parts[0], let lower = parts[1], lower != 0
        else { return nil }
        return upper / lower
    }

    /// A path as ffmpeg takes it: never as a protocol or an option.
    static func address(_ path: String) throws(ClipError) -> String {
        if access(path, F_OK) == 0 {
            guard access(path, R_OK) == 0 else {
                throw ClipError(.unreadable, path: path, "cannot be read: \(String(cString: strerror(errno)))")
            }
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                throw ClipError(.unreadable, path: path, "is a folder, not a clip")
            }
            return "file:" + path
        }
        if path.contains("://") { return path }
        throw ClipError(.unreadable, path: path, "there is no such file")
    }
}

extension ClipError {
    init(path: String, launch failure: ChildProcess.LaunchFailure) {
        let reason =
            failure.code == ENOENT
            ? "clips are read with ffmpeg, which is not installed; install it with: sudo apt-get install ffmpeg"
            : "ffmpeg could not be started: \(String(cString: strerror(failure.code)))"
        self.init(.noFFmpeg, path: path, reason)
    }
}

extension ChildProcess {
    /// The last words, without the address that ffmpeg puts in front: the error names the file already.
    func words(about address: String) -> String {
        let words = lastWords
        let prefix = address + ": "
        return words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
    }
}
