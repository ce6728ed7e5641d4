/// The output of ffmpeg's filters `metadata` and `ametadata`: a line `frame:0 pts:0 pts_time:0` for each frame or block
/// of sound.
struct FilterLines {
    private static let start = Array("frame:".utf8)

    /// ffmpeg's filters that print the time of each frame. The frames' own metadata is deleted first: printed, it could look
    /// like times, and fill the pipe.
    /// - Parameter descriptor: of a pipe, in the child process.
    static func filters(printingTo descriptor: Int32) -> String {
        "metadata=mode=delete,metadata=mode=add:key=frame:value=1,"
            + "metadata=mode=print:key=frame:file=pipe\\\\:\(descriptor):direct=1"
    }

    private var bytes: [UInt8] = []
    /// Where in `bytes` the first line that is not used yet starts.
    private var position = 0

    /// Takes what ffmpeg has printed.
    /// - Returns: how many bytes wait to be used.
    mutating func append(_ more: some Sequence<UInt8>) -> Int {
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes.append(contentsOf: more)
        return bytes.count
    }

    /// The text of a value in the next line that has it; nil if there is no such line.
    /// - Parameter name: of the value, as in `pts_time`.
    mutating func next(_ name: String) -> String? {
        let name = Array(" \(name):".utf8)
        while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[position..<end]
            position = end + 1
            guard line.starts(with: Self.start), let place = line.firstRange(of: name) else { continue }
            return String(decoding: line[place.upperBound...].prefix { $0 > 0x20 }, as: UTF8.self)
        }
        return nil
    }
}
