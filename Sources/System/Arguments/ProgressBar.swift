/// The texts of progress displays.
package enum ProgressBar {
    /// "[####----] 12/30  4.2/s  5 s left  note", at most one column narrower than the terminal: the bar is shortened
    /// first, then left out.
    package static func text(done: Int, total: Int, seconds: Double, note: String, columns: Int) -> String {
        let text = " " + line(done: done, total: total, seconds: seconds, note: note)
        let width = min(40, columns - 1 - text.count - 2)
        guard width >= 5 else { return String(text.prefix(max(0, columns - 1))) }
        let filled = total > 0 ? width * done / total : 0
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]" + text
    }

    /// The text without the bar, for a log.
    package static func line(done: Int, total: Int, seconds: Double, note: String) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let left = rate > 0 ? DurationText.text(Double(total - done) / rate) + " left" : ""
        let rateText = rate >= 10 ? "\(Int(rate))/s" : "\(Double(Int(rate * 10)) / 10)/s"
        return "\(done)/\(total)  \(rateText)  \(left)  \(note)"
    }
}

/// Durations for people.
package enum DurationText {
    /// "4.2 s", "3 min 20 s", "2 h 5 min".
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "?" }
        if seconds < 10 { return "\(Double(Int(seconds * 10)) / 10) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}

/// Times within a recording, for people.
package enum TimeText {
    /// "0:03.20", "12:00.04", "1:02:03.50".
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "?" }
        let hundredths = Int((max(0, seconds) * 100).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (hundredths / 360_000, hundredths / 6000 % 60)
        let rest = "\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
        return hours > 0 ? "\(hours):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
    }
}
