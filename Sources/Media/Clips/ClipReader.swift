import Files
import Glibc
import Pixels
import Threads

/// Decodes a clip frame by frame through a pipe from an `ffmpeg` child process, so that a crash of a decoder does not
/// end the program. Belongs to one thread.
package final class ClipReader {
    private let owner = OwningThread()
    package let information: ClipInformation
    /// Size of the frames in pixels.
    package let width: Int
    package let height: Int
    /// The number of frames read so far.
    package private(set) var frameCount = 0

    private let path: FilePath
    private let input: ClipInput
    private let child: ChildProcess
    private var times: FrameTimes
    /// Whether something else than times came through their pipe.
    private var timesAreBroken = false

    /// The size that frames are scaled to, in pixels.
    package enum Size: Equatable, Sendable {
        /// A width; the height keeps the aspect ratio.
        case width(Int)
        /// A width and height, filled; what protrudes on two sides is cropped.
        case filled(width: Int, height: Int)
    }

    private enum Pipe {
        static let pixels = 0
        static let times = 1
    }

    /// - Parameters:
    ///   - path: a file, or an address that ffmpeg can open.
    ///   - information: the properties of the clip; nil: they are read.
    ///   - kind: of file that is read.
    ///   - size: the size that frames are scaled to; nil: not scaled.
    ///   - frames: the most frames that are read; nil: all.
    ///   - start: frames before this time are left out, in seconds from the first one; the times of the others count from
    ///     there.
    ///   - loops: whether it restarts at its end; times keep growing.
    ///   - cpuSeconds: the most processor time that decoding may take; 0: any.
    package init(
        _ path: some FilePathConvertible, information: ClipInformation? = nil, kind: ClipKind = .any,
        size: Size? = nil, frames: Int? = nil, start: Double? = nil, loops: Bool = false, cpuSeconds: Int = 0
    ) throws(ClipError) {
        let path = path.filePath
        self.path = path
        self.information = if let information { information } else { try ClipInformation.read(path, kind) }
        let information = self.information
        input = try ClipInput(path, kind)
        times = FrameTimes(frameRate: information.frameRate, loopDuration: loops ? information.duration : nil)
        var scaling = "scale=\(information.width):\(information.height)"
        switch size {
        case nil:
            (width, height) = (information.width, information.height)
        case .width(let wanted):
            width = wanted
            let scale = Double(wanted) / Double(information.width)
            height = max(1, Int((Double(information.height) * scale).rounded()))
            scaling = "scale=\(width):\(height)"
        case .filled(let width, let height):
            (self.width, self.height) = (width, height)
            scaling = "scale=\(width):\(height):force_original_aspect_ratio=increase,crop=\(width):\(height)"
        }
        var limits = input.limits
        limits.writesOnlyPipes = true
        limits.cpuSeconds = cpuSeconds
        limits.framePixels = max(information.width * information.height, width * height)
        do {
            child = try ChildProcess(
                Self.arguments(
                    input, stream: information.stream, scaling: scaling, frames: frames, start: start, loops: loops),
                writing: [STDOUT_FILENO, Self.timesDescriptor],
                limits: limits, end: .isKilledWhenAsked)
        } catch {
            throw ClipError(path: path, launch: error)
        }
    }

    /// The descriptor to which ffmpeg prints the times of frames.
    private static let timesDescriptor: Int32 = 3

    private static func arguments(
        _ input: ClipInput, stream: Int, scaling: String, frames: Int?, start: Double?, loops: Bool
    ) -> [String] {
        let filters = scaling + ",setsar=1," + FilterLines.filters(printingTo: timesDescriptor)
        var arguments = ["ffmpeg", "-nostdin", "-v", "error", "-sws_flags", "bicubic"]
        if loops { arguments += ["-stream_loop", "-1"] }
        // Whole microseconds: ffmpeg takes no exponents.
        if let start { arguments += ["-ss", "\(Int(max(0, min(1e9, start)) * 1e6))us"] }
        arguments += input.arguments + ["-map", "0:\(stream)"]
        if let frames { arguments += ["-frames:v", "\(frames)"] }
        return arguments + [
            "-vf", filters, "-vsync", "passthrough", "-pix_fmt", "rgba", "-f", "rawvideo", "pipe:1",
        ]
    }

    /// Stops reading, from any thread: `read` then fails or returns nil.
    package func stopper() -> @Sendable () -> Void {
        let stopper = child.stopper
        return { stopper.stop() }
    }

    /// A buffer of the size and format that `read` needs.
    package func makeFrame() throws(ClipError) -> PixelBuffer {
        do {
            return try PixelBuffer(width: width, height: height, format: .rgba8)
        } catch {
            throw ClipError(.outOfMemory, path: path, "\(error)")
        }
    }

    /// Reads the next frame.
    /// - Parameter frame: of this reader's size, `rgba8`; overwritten.
    /// - Returns: its time in seconds, or nil after the last one.
    /// - Throws: `ClipError` with ffmpeg's message when the clip ends in an error, after all frames that could be
    ///   decoded.
    package func read(into frame: inout PixelBuffer) throws(ClipError) -> Double? {
        owner.check()
        precondition(frame.width == width && frame.height == height && frame.format == .rgba8)
        let count = frame.withMutableRows { rows in
            child.read(Pipe.pixels, into: rows, while: Pipe.times) {
                timesAreBroken = !times.append($0)
                return !timesAreBroken
            }
        }
        guard count == 4 * width * height else {
            try finish(leftOver: count)
            return nil
        }
        defer { frameCount += 1 }
        // ffmpeg has printed a frame's time before it writes the frame's pixels.
        return times.next()
    }

    private func finish(leftOver: Int) throws(ClipError) {
        let isGood = child.finish()
        let words = timesAreBroken ? "its timestamps cannot be read" : input.words(of: child)
        guard isGood, leftOver == 0, words.isEmpty else {
            if StopSignal.program.isStopped { throw ClipError(interrupted: path) }
            if frameCount == 0, let error = ClipError(path: path, limitIn: words, of: input.limits) { throw error }
            let after = frameCount == 0 ? "" : " after \(frameCount) \(frameCount == 1 ? "frame" : "frames")"
            throw ClipError(
                frameCount == 0 ? .notAVideo : .damaged, path: path,
                "ffmpeg cannot decode it\(after): \(words.isEmpty ? "it gave no reason" : words)", quotesFFmpeg: true)
        }
        guard frameCount > 0 else { throw ClipError(.notAVideo, path: path, "it has no frames") }
    }
}
