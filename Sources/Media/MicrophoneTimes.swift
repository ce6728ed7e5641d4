/// When the blocks of a microphone's sound were recorded, as ffmpeg's filter `ametadata` prints it: a line `frame:0 pts:…
/// pts_time:…` for each, in microseconds of the system's clock. The sound server tells how long the sound was under way.
package struct MicrophoneTimes {
    /// The most bytes that may wait to be used.
    package static let limit = 1 << 16

    private var bytes: [UInt8] = []
    /// Where in `bytes` the first line that is not used yet starts.
    private var position = 0

    package init() {}

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

    /// The time of the next block in microseconds; nil if it is not known.
    package mutating func next() -> Int64? {
        while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[position..<end]
            position = end + 1
            guard line.starts(with: Array("frame:".utf8)), let place = line.firstRange(of: Array(" pts:".utf8)) else {
                continue
            }
            return Int64(String(decoding: line[place.upperBound...].prefix { $0 > 0x20 }, as: UTF8.self))
        }
        return nil
    }
}
