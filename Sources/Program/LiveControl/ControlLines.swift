/// Splits what comes through a socket into lines, whatever the pieces that it comes in.
package struct ControlLines {
    /// In bytes, without the line break.
    package static let longest = 1024

    package struct TooLong: Error, Equatable, CustomStringConvertible {
        package let description = "a line is longer than \(longest) bytes"
    }

    private var bytes: [UInt8] = []

    package init() {}

    /// Whether there is nothing that `next` or `rest` would return.
    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func append(_ piece: some Sequence<UInt8>) { bytes += piece }

    /// Removes the first line; nil if none is complete.
    package mutating func next() throws(TooLong) -> [UInt8]? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count > Self.longest { throw TooLong() }
            return nil
        }
        guard end <= Self.longest else { throw TooLong() }
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
    }

    /// Takes what comes after the last line break for a line: the sender has ended.
    package mutating func end() { if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(10) } }
}
