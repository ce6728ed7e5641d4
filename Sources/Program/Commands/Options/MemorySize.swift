import Arguments

/// Amounts of memory as an option's value: 500M, 2G, 1.5G.
enum MemorySize {
    /// - Returns: the number of bytes; K, M, G and T are powers of 1024.
    static func bytes(_ text: String) throws(InvalidValue) -> Int {
        let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
        let upper = text.uppercased()
        let digits = upper.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = upper.dropFirst(digits.count)
        guard let number = Double(digits), let first = unit.first, let factor = units[first],
            ["", "B", "IB"].contains(unit.dropFirst()), (0x1p20...0x1p50).contains(number * factor)
        else { throw InvalidValue("must be at least 1M, such as 500M or 2G") }
        return Int(number * factor)
    }
}
