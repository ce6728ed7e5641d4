import FaceGeometry

/// Reads a shape predictor in dlib's own serialisation (`dlib/serialize.h`, version 1 of `shape_predictor.h`). The
/// file is untrusted: every read is checked, and every size is checked against the length of the file.
struct DlibModelReader {
    struct FormatError: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// One decision of a tree, as stored in the file.
    struct Split {
        var first: Int
        var second: Int
        var threshold: Float
    }

    // MARK: The file's parts, in their order

    mutating func meanShape() throws(FormatError) -> [Float] {
        guard try integer() == 1 else { throw FormatError(description: "it is not a shape predictor of version 1") }
        var shape: [Float] = []
        try column(of: 2 * Landmarks.count) { shape.append($1) }
        return shape
    }

    /// A vector's length; each of its elements takes at least `bytesEach` bytes of the file.
    mutating func count(upTo limit: Int, bytesEach: Int) throws(FormatError) -> Int {
        let count = try integer()
        guard count > 0, count <= limit, count <= (bytes.count - position) / bytesEach else {
            throw FormatError(description: "the length \(count) at byte \(position) is out of range")
        }
        return count
    }

    mutating func split() throws(FormatError) -> Split {
        Split(first: try integer(), second: try integer(), threshold: try float())
    }

    mutating func point() throws(FormatError) -> Point { Point(try float(), try float()) }

    /// A matrix of one column and `count` rows; calls `body` with each row and its number.
    mutating func column(of count: Int, _ body: (Int, Float) -> Void) throws(FormatError) {
        // dlib writes negative sizes to distinguish this format from an older one.
        let (rows, columns) = (abs(try integer()), abs(try integer()))
        guard columns == 1, rows == count else {
            throw FormatError(
                description: "it has \(rows) × \(columns) numbers where \(count) are needed, at byte \(position)")
        }
        for row in 0..<rows { body(row, try float()) }
    }

    // MARK: Numbers

    /// A control byte (bit 7: negative, bits 0…3: number of bytes that follow), then the bytes, lowest first.
    mutating func integer() throws(FormatError) -> Int {
        guard position < bytes.count else { throw cutOff }
        let control = bytes[position]
        let count = Int(control & 0x0F)
        guard control & 0x70 == 0, (1...8).contains(count) else {
            throw FormatError(description: "expected a number at byte \(position)")
        }
        guard position + 1 + count <= bytes.count else { throw cutOff }
        var value: UInt64 = 0
        for index in (0..<count).reversed() { value = value << 8 | UInt64(bytes[position + 1 + index]) }
        position += 1 + count
        guard value <= UInt64(Int64.max) else {
            throw FormatError(description: "a number is too large, at byte \(position)")
        }
        return control & 0x80 == 0 ? Int(value) : -Int(value)
    }

    /// Mantissa and exponent of two.
    mutating func float() throws(FormatError) -> Float {
        let mantissa = try integer()
        let exponent = try integer()
        // 32000 and above stand for infinities and NaN.
        guard abs(exponent) < 1000 else {
            throw FormatError(description: "a number is not finite, at byte \(position)")
        }
        let value = Float(Double(sign: .plus, exponent: exponent, significand: 1) * Double(mantissa))
        guard value.isFinite else { throw FormatError(description: "a number is not finite, at byte \(position)") }
        return value
    }

    private var cutOff: FormatError { FormatError(description: "the file ends unexpectedly at byte \(position)") }
}
