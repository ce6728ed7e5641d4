/// "Did you mean …?"
package enum Suggestion {
    /// - Returns: a sentence with a space before it, or nothing if no candidate is similar.
    package static func text(for word: String, among candidates: [String], prefix: String = "") -> String {
        let ranked = candidates.map { ($0, distance(word, $0)) }.filter { candidate, distance in
            distance <= max(1, word.count / 3) || (word.count > 1 && candidate.hasPrefix(word))
        }
        guard let best = ranked.min(by: { $0.1 < $1.1 })?.0 else { return "" }
        return " Did you mean '\(prefix)\(best)'?"
    }

    /// The number of insertions, deletions, substitutions and transpositions of neighbours that turn one word into the
    /// other (Damerau 1964, the restricted form).
    package static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
