/// The times of a clip's frames, as ffmpeg's filter `metadata` prints them: a line `frame:0 pts:0 pts_time:0` for each.
///
/// The times come from the clip, so they may be missing, not a number, or fall. Those are replaced, so that every
/// frame's time is finite and later than that of the frame before.
package struct FrameTimes {
    /// The most bytes that may wait to be used: far more than the lines of all frames inside ffmpeg.
    package static let limit = 1 << 20
    /// Times beyond this are not believed, in seconds: 30 years.
    private static let largest = 1e9
    /// The least between two frames, in seconds.
    private static let smallestStep = 0.001
    /// A time that falls by no more than this is out of order, in seconds; by more, the clip's clock starts again.
    private static let disorder = 1.0

    private var bytes: [UInt8] = []
    /// Where in `bytes` the first line that is not used yet starts.
    private var position = 0
    private let frameDuration: Double
    private var last: Double?
    /// Added to times after the clip's clock has started again.
    private var offset = 0.0

    /// - Parameter frameRate: frames per second; nil: unknown.
    package init(frameRate: Double?) { frameDuration = 1 / (frameRate ?? 25) }

    /// Takes what ffmpeg has printed.
    /// - Returns: false if more waits than the limit, so that something else than times must have been printed.
    package mutating func append(_ more: some Sequence<UInt8>) -> Bool {
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes.append(contentsOf: more)
        return bytes.count <= Self.limit
    }

    /// The time of the next frame, in seconds.
    package mutating func next() -> Double {
        let time = time(read: readTime())
        last = time
        return time
    }

    private mutating func time(read: Double?) -> Double {
        guard let last else { return read ?? 0 }
        guard let read else { return last + frameDuration }
        if read + offset > last { return read + offset }
        if read + offset > last - Self.disorder { return last + Self.smallestStep }
        offset = last + frameDuration - read
        return last + frameDuration
    }

    /// The time in the next line that has one; nil if that is no usable number, or there is no such line.
    private mutating func readTime() -> Double? {
        let (start, name) = (Array("frame:".utf8), Array(" pts_time:".utf8))
        while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[position..<end]
            position = end + 1
            guard line.starts(with: start), let place = line.firstRange(of: name) else { continue }
            let number = String(decoding: line[place.upperBound...].prefix { $0 > 0x20 }, as: UTF8.self)
            guard let time = Double(number), time.isFinite, time.magnitude <= Self.largest else { return nil }
            return time
        }
        return nil
    }
}
