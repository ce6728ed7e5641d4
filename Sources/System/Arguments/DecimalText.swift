/// Decimal numbers for tables and JSON, without Foundation's formatters.
package enum DecimalText {
    /// The number with a fixed count of digits after the point: "-0.50". The minus is that of ASCII, because programs
    /// read tables and reports, too.
    package static func fixed(_ value: Double, digits: Int) -> String {
        let factor = Self.factor(digits)
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        let whole = "\(scaled / factor)"
        if digits == 0 { return sign + whole }
        let fraction = "\(scaled % factor)"
        return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// The number rounded to a count of digits after the point.
    package static func rounded(_ value: Double, digits: Int = 2) -> Double {
        let factor = Double(Self.factor(digits))
        return (value * factor).rounded() / factor
    }

    private static func factor(_ digits: Int) -> Int { (0..<digits).reduce(1) { result, _ in 10 * result } }
}
