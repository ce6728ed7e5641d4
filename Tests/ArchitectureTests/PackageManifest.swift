import Foundation
import TestSupport

/// The targets under `Sources/`, as `Package.swift` declares them.
struct PackageManifest {
    struct Module {
        let name: String
        /// Relative to `Sources/`: the floor, the module, and perhaps the folder of a C target in it.
        let folder: String
        let dependencies: [String]
        /// Folders of other targets in its own.
        let excluded: [String]

        var floor: String { String(folder.prefix { $0 != "/" }) }
    }

    let modules: [Module]

    init() throws {
        let manifest = try Repository.text("Package.swift").split(separator: "\n")
            .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
        // Test targets have other paths and are no part of the program.
        let declaration =
            /\.(?:target|executableTarget)\(\s*name: "([^"]+)",(?:\s*dependencies: \[([^\]]*)\],)?\s*path: "Sources\/([^"]+)"(?:,\s*exclude: \[([^\]]*)\])?/
        func names(_ list: Substring?) -> [String] {
            (list ?? "").matches(of: /"([^"]+)"/).map { String($0.1) }
        }
        modules = manifest.matches(of: declaration).map { match in
            Module(
                name: String(match.1), folder: String(match.3), dependencies: names(match.2), excluded: names(match.4))
        }
    }
}
