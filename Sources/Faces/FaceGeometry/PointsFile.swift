/// Landmark files in iBUG's text format, `.pts`:
///
/// ```
/// version: 1
/// n_points: 68
/// {
/// 147.25 306.5
/// …
/// }
/// ```
///
/// Coordinates are pixels; the centre of the first pixel is at (0.5, 0.5).
package enum PointsFile {
    /// More points than any real file has; a larger count is an error.
    package static let maximumCount = 1000

    /// The largest coordinate, in pixels; a larger one is an error.
    package static let largestCoordinate: Float = 1e6

    /// - Throws: `ParseError` with the line number.
    package static func parse(_ text: String) throws(ParseError) -> [Point] {
        var announced: Int?
        var points: [Point] = []
        var state = State.header
        for (index, rawLine) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let number = index + 1
            let line = rawLine.trimmingSpaces
            if line.isEmpty { continue }
            switch state {
            case .header where line == "{":
                state = .points
            case .header:
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { throw ParseError("expected 'n_points: COUNT' or '{'", line: number) }
                let value = parts[1].trimmingSpaces
                switch parts[0].trimmingSpaces {
                case "version":
                    guard value == "1" || value == "1.0" else {
                        throw ParseError("version \(value) of the format is unknown; 1 is known", line: number)
                    }
                case "n_points":
                    guard let count = Int(value), (1...maximumCount).contains(count) else {
                        throw ParseError("n_points must be 1…\(maximumCount), not '\(value)'", line: number)
                    }
                    announced = count
                default: break  // iBUG's files have no other keys, but those of other tools may
                }
            case .points where line == "}":
                state = .end
            case .points:
                points.append(try point(line, number))
                guard points.count <= announced ?? maximumCount else {
                    throw ParseError("more points than n_points announces", line: number)
                }
            case .end:
                throw ParseError("nothing may follow '}'", line: number)
            }
        }
        guard state == .end else { throw ParseError("the closing '}' is missing") }
        if let announced, points.count != announced {
            throw ParseError("n_points announces \(announced) points, there are \(points.count)")
        }
        return points
    }

    package static func text(_ points: [Point]) -> String {
        let lines = points.map { "\(decimal($0.x)) \(decimal($0.y))" }
        return "version: 1\nn_points: \(points.count)\n{\n" + lines.joined(separator: "\n") + "\n}\n"
    }

    private enum State { case header, points, end }

    private static func point(_ line: Substring, _ number: Int) throws(ParseError) -> Point {
        let parts = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard parts.count == 2, let x = Float(parts[0]), let y = Float(parts[1]), x.isFinite, y.isFinite else {
            throw ParseError("expected two finite numbers, found '\(line)'", line: number)
        }
        guard max(abs(x), abs(y)) <= largestCoordinate else {
            throw ParseError("larger than any picture: '\(line)'", line: number)
        }
        return Point(x, y)
    }
}

/// A number with at most three decimals.
package func decimal(_ value: Float, places: Int = 3) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (Double(value) * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
}

extension StringProtocol {
    var trimmingSpaces: Substring {
        var result = Substring(self)
        while let first = result.first, first == " " || first == "\t" { result.removeFirst() }
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
    }
}
