import Files
import Installation
import MaskAuthoring

/// The performance that was recorded last. It is kept in `$XDG_CONFIG_HOME/bauta/performance.json`.
struct RecordedPerformance {
    /// Nil: none was, or the file cannot be read.
    private(set) var performance: Performance?
    /// Whether drawn heads follow it, instead of the built-in one.
    var isChosen = false
    private let file = ConfigurationFile(named: "performance.json")

    init() { performance = (try? file?.read()).flatMap { Performance($0) } }

    /// Follows it from now on, and in later sessions if it can be written.
    mutating func keep(_ new: Performance) throws(FileError) {
        (performance, isChosen) = (new, true)
        try file?.update { $0 = new.json }
    }
}
