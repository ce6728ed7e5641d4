import Files
import Glibc

/// What the dialog says of a file besides its name.
extension FileDialog {
    /// Its size, and the local date of its last change.
    static func detail(of status: stat) -> String {
        var (time, parts) = (status.st_mtim.tv_sec, tm())
        localtime_r(&time, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(1900 + parts.tm_year)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
        return "\(size(Int(status.st_size)))  \(date)"
    }

    /// - Parameter bytes: at least 0.
    package static func size(_ bytes: Int) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let (tenths, whole) = (Int((10 * value).rounded()), Int(value.rounded()))
        if unit == 0 { return "\(max(1, whole)) kB" }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(whole)") + " \(units[unit])"
    }
}
