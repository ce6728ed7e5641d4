import Glibc
import Pixels

/// Decodes a clip frame by frame through a pipe from an `ffmpeg` child process, so that a crash of a decoder does not
/// end the program. Belongs to one thread.
package final class ClipReader {
    package let information: ClipInformation
    /// Size of the frames in pixels.
    package let width: Int
    package let height: Int
    /// The number of frames read so far.
    package private(set) var frameCount = 0

    private let path: String
    private let address: String
    private let child: ChildProcess
    /// Received part of the list of times that is not used yet.
    private var timeText: [UInt8] = []

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
    ///   - information: what is known of the clip; nil: it is read.
    ///   - size: the size that frames are scaled to; nil: not scaled.
    ///   - frames: the most frames that are read; nil: all.
    ///   - loops: whether it restarts at its end; times keep growing.
    package init(
        _ path: String, information: ClipInformation? = nil, size: Size? = nil, frames: Int? = nil, loops: Bool = false
    ) throws(ClipError) {
        self.path = path
        self.information = if let information { information } else { try ClipInformation.read(path) }
        let information = self.information
        address = try ClipInformation.address(path)
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
        // ffmpeg prints the time of each frame that carries metadata, here to a second pipe.
        let filters =
            scaling + ",setsar=1,metadata=mode=add:key=frame:value=1,"
            + "metadata=mode=print:file=pipe\\\\:3:direct=1"
        var arguments = ["ffmpeg", "-nostdin", "-v", "error", "-sws_flags", "bicubic"]
        if loops { arguments += ["-stream_loop", "-1"] }
        arguments += ["-i", address, "-map", "0:v:0"]
        if let frames { arguments += ["-frames:v", "\(frames)"] }
        arguments += ["-vf", filters, "-vsync", "passthrough", "-pix_fmt", "rgba", "-f", "rawvideo", "pipe:1"]
        do {
            child = try ChildProcess(arguments, writing: [STDOUT_FILENO, 3])
        } catch {
            throw ClipError(path: path, launch: error)
        }
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
        precondition(frame.width == width && frame.height == height && frame.format == .rgba8)
        let (rowSize, stride, rows) = (4 * width, frame.bytesPerRow, height)
        let count = frame.withUnsafeMutableBytes { bytes in
            if rowSize == stride { return child.read(Pipe.pixels, into: bytes) }
            var sum = 0
            for row in 0..<rows {
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes[row * stride..<row * stride + rowSize])
                let count = child.read(Pipe.pixels, into: part)
                sum += count
                if count < rowSize { break }
            }
            return sum
        }
        guard count == rowSize * rows else {
            try finish(leftOver: count)
            return nil
        }
        defer { frameCount += 1 }
        return nextTime() ?? Double(frameCount) / (information.frameRate ?? 25)
    }

    private func finish(leftOver: Int) throws(ClipError) {
        let isGood = child.finish()
        let words = child.words(about: address)
        guard isGood, leftOver == 0, words.isEmpty else {
            let after = frameCount == 0 ? "" : " after \(frameCount) \(frameCount == 1 ? "frame" : "frames")"
            throw ClipError(
                frameCount == 0 ? .notAVideo : .damaged, path: path,
                "ffmpeg cannot decode it\(after): \(words.isEmpty ? "it gave no reason" : words)")
        }
        guard frameCount > 0 else { throw ClipError(.notAVideo, path: path, "it has no frames") }
    }

    /// The next line of the form `frame:0 pts:0 pts_time:0`. It was written before the frame's pixels.
    private func nextTime() -> Double? {
        let newline = UInt8(ascii: "\n")
        while true {
            while let end = timeText.firstIndex(of: newline) {
                let line = String(decoding: timeText[..<end], as: UTF8.self)
                timeText.removeSubrange(...end)
                guard let start = line.range(of: "pts_time:") else { continue }
                return Double(line[start.upperBound...].prefix { !$0.isWhitespace })
            }
            var buffer = InlineArray<256, UInt8>(repeating: 0)
            let descriptor = child.pipes[Pipe.times]
            let count = withUnsafeMutableBytes(of: &buffer) { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            for index in 0..<count { timeText.append(buffer[index]) }
        }
    }
}

extension String {
    /// Where a piece of text is found first.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
