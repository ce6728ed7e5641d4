/// When the blocks of a microphone's sound were recorded, as ffmpeg's filter `ametadata` prints it, in microseconds of
/// the system's clock. The sound server tells how long the sound was under way.
package struct MicrophoneTimes {
    /// The most bytes that may wait to be used.
    package static let limit = 1 << 16

    private var lines = FilterLines()

    package init() {}

    /// Takes what ffmpeg has printed.
    /// - Returns: false if more waits than the limit, so that something else than times must have been printed.
    package mutating func append(_ more: some Sequence<UInt8>) -> Bool { lines.append(more) <= Self.limit }

    /// The time of the next block in microseconds; nil if it is not known.
    package mutating func next() -> Int64? { lines.next("pts").flatMap { Int64($0) } }
}
