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
        return "\(FileSize.text(Int(status.st_size)))  \(date)"
    }
}
