import CJansson

/// The library that reads and writes JSON.
package enum JSONLibrary {
    /// "Jansson 2.14".
    package static var version: String { "Jansson " + (jansson_version_str().map { String(cString: $0) } ?? "") }
}
