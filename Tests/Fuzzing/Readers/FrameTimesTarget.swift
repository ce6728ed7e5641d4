import Clips

/// The list of times that ffmpeg prints.
enum FrameTimesTarget: FuzzTarget {
    static let name = "times"
    static let longest = 2048

    static func seeds() -> [[UInt8]] {
        [
            "frame:0    pts:0       pts_time:0\nframe=1\nframe:1    pts:512     pts_time:0.04\nframe=1\n",
            "frame:0    pts:0       pts_time:nan\nframe:1 pts:1 pts_time:-1e300\nframe:2 pts:NOPTS pts_time:NOPTS\n",
        ].map { Array($0.utf8) }
    }

    /// Comes in pieces, as through a pipe.
    static func read(_ bytes: [UInt8]) {
        var times = FrameTimes(frameRate: 25)
        var last = -Double.infinity
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + Int(rest[rest.startIndex]) / 4)
            rest = rest.dropFirst(piece.count)
            guard times.append(piece) else { return }
            for _ in 0..<3 {
                let time = times.next()
                guard time.isFinite, time > last else { fatalError("\(time) after \(last)") }
                last = time
            }
        }
    }
}
