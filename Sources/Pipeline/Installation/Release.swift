/// The release that this is.
package enum Release {
    /// The version; `CHANGELOG.md` lists it, and `scripts/release` compares them.
    package static let version = "0.1.0"
}
