import ImageFiles
import TestSupport
import Testing

/// The search for JPEG pictures in other data counts its steps, so that nothing made up takes longer than its size allows.
@Suite struct EmbeddedJPEGTests {
    private enum Pattern: CaseIterable {
        /// Beginnings with a segment that ends where a row of bytes begins that only fill.
        case filling
        /// Beginnings with a segment that ends where a row of segments without content begins.
        case emptySegments
        /// Each beginning has a segment that ends in the middle of the next one.
        case chain
    }

    /// Each beginning leads through all that follows.
    private static func hostile(_ pattern: Pattern, count: Int) -> [UInt8] {
        if pattern == .chain { return repeated([0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 1, 1], count) }
        let head = min(count / 2, 60_000) / 6 * 6
        let beginnings = stride(from: 0, to: head, by: 6).flatMap { start -> [UInt8] in
            let length = head - start - 4
            return [0xFF, 0xD8, 0xFF, 0xE0, UInt8(length >> 8), UInt8(length & 0xFF)]
        }
        return beginnings + repeated(pattern == .filling ? [0xFF] : [0xFF, 0xE0, 0, 2], count - head)
    }

    private static func repeated(_ part: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { part[$0 % part.count] }
    }

    @Test func madeUpSegmentsTakeNoMoreStepsThanTheirSizeAllows() {
        for pattern in Pattern.allCases {
            for count in [30_000, 300_000] {
                let bytes = Self.hostile(pattern, count: count)
                let allowed = EmbeddedJPEG.stepsPerByte * bytes.count
                var left = allowed
                let ranges = EmbeddedJPEG.ranges(in: bytes, steps: &left)
                // A row of bytes that only fill is looked at to its end.
                #expect(left > -bytes.count, "\(pattern): \(allowed - left) steps for \(bytes.count) bytes")
                // What was not looked at does not stay.
                #expect(left <= 0 && ranges.last?.upperBound == bytes.count, "\(pattern): \(ranges)")
            }
        }
    }

    @Test func withoutTheLimitTheseWouldTakeManyMore() {
        for pattern in Pattern.allCases {
            let bytes = Self.hostile(pattern, count: 30_000)
            var left = Int.max
            _ = EmbeddedJPEG.ranges(in: bytes, steps: &left)
            #expect((Int.max - left) / bytes.count > 100, "\(pattern)")
        }
    }

    /// An ordinary preview takes a few steps, wherever it lies.
    @Test func previewsAreFoundInFewSteps() {
        let picture = WholePictures.jpeg(quality: 80)
        let noise = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let bytes = noise + picture + noise + picture + noise
        var left = EmbeddedJPEG.stepsPerByte * bytes.count
        let allowed = left
        let ranges = EmbeddedJPEG.ranges(in: bytes, steps: &left)
        let starts = [noise.count, 2 * noise.count + picture.count]
        #expect(ranges == starts.map { $0..<($0 + picture.count) })
        #expect(allowed - left < bytes.count / 10)
    }
}
