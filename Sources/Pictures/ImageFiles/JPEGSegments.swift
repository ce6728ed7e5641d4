import Files

/// The marker segments of a JPEG file (ITU-T T.81, annex B) up to the first scan, found as libjpeg finds them: bytes
/// between segments are skipped. Takes a time in proportion to the bytes that are not skipped.
struct JPEGSegments<Source: ByteSource> {
    struct Segment: Equatable {
        let code: UInt8
        /// Where the data lies, without the length field.
        let data: Range<Int>
    }

    var source: Source
    private var position = 2
    private var isAtEnd = false

    init(_ source: Source) { self.source = source }

    /// - Returns: nil after the start of the first scan, at the end, and where the file is cut off.
    mutating func next() -> Segment? {
        while !isAtEnd {
            guard let code = nextCode() else { break }
            switch code {
            case 0xD0...0xD7, 0x01: continue  // RSTn and TEM have no data
            case 0xD8, 0xD9: isAtEnd = true  // a second start, which libjpeg refuses, and the end
            default:
                guard let stated = source.big16(at: position) else { return nil }
                // Too short a length, which does not even count itself, stands for no data.
                let length = max(stated, 2)
                guard source.byte(at: position + length - 1) != nil else { return nil }
                let segment = Segment(code: code, data: (position + 2)..<(position + length))
                position += length
                isAtEnd = code == 0xDA  // a scan
                return segment
            }
        }
        return nil
    }

    /// The code after the next 0xFF, or after several.
    private mutating func nextCode() -> UInt8? {
        while let byte = source.byte(at: position) {
            position += 1
            guard byte == 0xFF else { continue }
            while source.byte(at: position) == 0xFF { position += 1 }
            guard let code = source.byte(at: position) else { return nil }
            position += 1
            if code != 0 { return code }
        }
        return nil
    }
}
