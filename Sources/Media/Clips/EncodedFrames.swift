/// How many frames ffmpeg has encoded, as its option `-progress` reports it: lines such as `frame=12`.
struct EncodedFrames {
    /// The descriptor that ffmpeg reports to.
    static let descriptor: Int32 = 3

    private static let name = Array("frame=".utf8)
    /// Longer lines tell nothing about frames, in bytes.
    private static let longestLine = 64

    /// Of the last report.
    private(set) var count = 0
    /// What has come of a line that has not ended.
    private var line: [UInt8] = []

    /// Takes what ffmpeg has reported, in pieces of any length.
    /// - Returns: true: more may come.
    mutating func take(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                if line.count < Self.longestLine { line.append(byte) }
                continue
            }
            if line.starts(with: Self.name) {
                let digits = String(decoding: line.dropFirst(Self.name.count), as: UTF8.self)
                if let number = Int(digits.drop { $0 == " " }), number >= 0 { count = number }
            }
            line.removeAll(keepingCapacity: true)
        }
        return true
    }
}
