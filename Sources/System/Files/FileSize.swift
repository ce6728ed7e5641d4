/// Sizes of files, for the user.
package enum FileSize {
    /// In whole kB, or in larger units of 1000 with two digits or more.
    /// - Parameter bytes: at least 0.
    package static func text(_ bytes: Int) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let (tenths, whole) = (Int((10 * value).rounded()), Int(value.rounded()))
        if unit == 0 { return "\(max(1, whole)) kB" }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(whole)") + " \(units[unit])"
    }
}
