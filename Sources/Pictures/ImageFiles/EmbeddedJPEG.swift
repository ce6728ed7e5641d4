import Files

/// Finds JPEG pictures (ITU-T T.81, annex B) inside other data, such as the previews in a maker's note, whose structure is
/// not public.
package enum EmbeddedJPEG {
    /// Where pictures lie, from their first marker to the last byte that belongs to them. Two bytes that look like a
    /// beginning are not enough: a frame header must follow. Takes a time in proportion to the bytes: where made-up segments
    /// would take longer, all of the rest counts as a picture.
    package static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var steps = stepsPerByte * bytes.count
        return ranges(in: bytes, steps: &steps)
    }

    package static let stepsPerByte = 16

    /// - Parameter steps: how many markers may be looked at behind all beginnings together; afterwards what is left of that.
    package static func ranges(in bytes: [UInt8], steps: inout Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start + 3 < bytes.count {
            if bytes[start] == 0xFF, bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF,
                let end = end(of: start, in: bytes, steps: &steps)
            {
                ranges.append(start..<end)
                start = end
            } else {
                start += 1
            }
        }
        return ranges
    }

    /// - Returns: the end of the picture, or of what is there of it; nil if none exists.
    private static func end(of start: Int, in bytes: [UInt8], steps: inout Int) -> Int? {
        var position = start + 2
        var hasFrame = false
        while true {
            steps -= 1
            while position + 1 < bytes.count, bytes[position] == 0xFF, bytes[position + 1] == 0xFF {
                position += 1
                steps -= 1
            }
            if steps <= 0 { return bytes.count }
            guard position + 1 < bytes.count, bytes[position] == 0xFF else { break }
            let code = bytes[position + 1]
            if code == 0xD9 { return hasFrame ? position + 2 : nil }
            let isData = code == 0xDA || (0xD0...0xD7).contains(code)
            guard code >= 0xC0, code != 0xD8, position + 3 < bytes.count, hasFrame || !isData else { break }
            if (0xD0...0xD7).contains(code) {
                position += 2
            } else {
                let length = bytes.big16(at: position + 2) ?? 0
                // Tables for Huffman and arithmetic coding have codes between those of frames.
                if (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) { hasFrame = true }
                guard length >= 2 else { break }
                position = min(bytes.count, position + 2 + length)
            }
            if isData {
                while position + 1 < bytes.count, bytes[position] != 0xFF || bytes[position + 1] == 0 { position += 1 }
                if position + 1 >= bytes.count { position = bytes.count }
            }
        }
        return hasFrame ? position : nil
    }
}
