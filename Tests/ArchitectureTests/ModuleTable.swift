import Foundation
import TestSupport

/// The table of modules in `docs/internals/architecture.md`: folder, what it hides, what it may import.
struct ModuleTable {
    struct Row {
        let folder: String
        let mayImport: [String]
    }

    let rows: [Row]

    init() throws {
        let lines = try Repository.text("docs/internals/architecture.md").split(separator: "\n")
        let heading = lines.firstIndex { $0.hasPrefix("| folder |") } ?? lines.endIndex
        rows = lines[heading...].dropFirst(2).prefix { $0.hasPrefix("|") }.flatMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let mayImport = cells.count > 3 ? Self.names(in: cells[3]) : []
            return (cells.count > 1 ? Self.names(in: cells[1]) : []).map { Row(folder: $0, mayImport: mayImport) }
        }
    }

    private static func names(in cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}
