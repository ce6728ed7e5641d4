import Foundation
import TestSupport
import Testing

/// One file, one concern: files stay short.
@Suite struct FileSizeTests {
    private static let longest = 300
    private static let longestFunction = 70
    private static let median = 120

    private func lineCounts(in folder: String) throws -> [(path: String, lines: Int)] {
        let endings = [".swift", ".c", ".cpp", ".h"]
        return try FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/" + folder)
            .filter { path in endings.contains { path.hasSuffix($0) } }
            .map { path in
                (folder + "/" + path, try Repository.text(folder + "/" + path).count { $0 == "\n" })
            }
    }

    @Test func noFileOfTheProgramIsLong() throws {
        let files = try lineCounts(in: "Sources")
        for file in files { #expect(file.lines <= Self.longest, "\(file.path) has \(file.lines) lines") }
        let sorted = files.map(\.lines).sorted()
        #expect(sorted[sorted.count / 2] <= Self.median)
    }

    /// Our format ends a declaration with a brace in the column where the declaration begins.
    @Test func noFunctionIsLong() throws {
        let declaration = /^( *)(?:[@a-z][a-zA-Z()@]* )*(?:func|init|deinit|subscript)\b/
        for file in try lineCounts(in: "Sources") where file.path.hasSuffix(".swift") {
            let lines = try Repository.text(file.path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                // A requirement without a body ends before any brace in its column.
                let rest = lines[(index + 1)...]
                guard
                    let end = rest.firstIndex(where: {
                        $0.prefix { $0 == " " }.count <= match.1.count && $0.contains("}")
                    }),
                    lines[end] == match.1 + "}"
                else { continue }
                let count = end - index + 1
                #expect(count <= Self.longestFunction, "\(file.path):\(index + 1) has \(count) lines")
            }
        }
    }
}
