import Foundation
import TestSupport

/// The targets under `Sources/`, as `Package.swift` declares them.
struct PackageManifest {
    /// The dependencies of each target, by its name.
    let dependencies: [String: [String]]

    init() throws {
        let manifest = try Repository.text("Package.swift").split(separator: "\n")
            .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
        // Test targets and targets elsewhere (with `path:`) are no part of the program.
        let declaration =
            /\.(?:target|executableTarget)\(\s*name: "([^"]+)"(?:,\s*dependencies: \[([^\]]*)\])?(?:,\s*path: "([^"]+)")?/
        var found: [String: [String]] = [:]
        for match in manifest.matches(of: declaration) where match.3 == nil {
            found[String(match.1)] = (match.2 ?? "").matches(of: /"([^"]+)"/).map { String($0.1) }
        }
        dependencies = found
    }
}
