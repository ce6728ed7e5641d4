import Glibc
import Pixels

/// Decodes a clip in an `ffmpeg` child process, frame by frame, through a pipe: a decoder that crashes takes nothing
/// with it. It belongs to one thread.
package final class ClipReader {
    package let information: ClipInformation
    /// Of the frames that are read.
    package let width: Int
    package let height: Int
    /// How many have been read.
    package private(set) var frameCount = 0

    private let path: String
    private let address: String
    private let child: ChildProcess
    /// What has come of the list of times and is not used yet.
    private var timeText: [UInt8] = []

    /// What frames are scaled to.
    package enum Size: Equatable, Sendable {
        /// So many pixels wide, keeping their shape.
        case width(Int)
        /// So many pixels wide and high; what is too much on two sides is cut off.
        case filled(width: Int, height: Int)
    }

    private enum Pipe {
        static let pixels = 0
        static let times = 1
    }

    /// - Parameters:
    ///   - path: a file, or an address that ffmpeg can open.
    ///   - size: what the frames are scaled to. Nil: as they are.
    ///   - frames: no more than this are read.
    ///   - loops: whether it starts over at its end, again and again; times go on.
    package init(
        _ path: String, size: Size? = nil, frames: Int? = nil, loops: Bool = false
    ) throws(ClipError) {
        self.path = path
        information = try ClipInformation.read(path)
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
        // The times travel beside the pixels: ffmpeg writes them for frames that carry a piece of metadata.
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

    /// Ends the reading from any thread: `read` then fails or returns nil.
    package func stopper() -> @Sendable () -> Void {
        let stopper = child.stopper
        return { stopper.stop() }
    }

    /// A buffer as `read` wants it.
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
    /// - Throws: `ClipError` with ffmpeg's own words when the clip ends in an error. All frames that could be decoded
    ///   have been handed out by then.
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
            let after = frameCount == 0 ? "" : " after \(frameCount) frames"
            throw ClipError(
                frameCount == 0 ? .notAVideo : .damaged, path: path,
                "ffmpeg cannot decode it\(after): \(words.isEmpty ? "it gave no reason" : words)")
        }
        guard frameCount > 0 else { throw ClipError(.notAVideo, path: path, "there is not one frame in it") }
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
