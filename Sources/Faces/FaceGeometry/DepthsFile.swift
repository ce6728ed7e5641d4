/// The depths of the reference face as text: one line per vertex, "depth name", after a heading.
package enum DepthsFile {
    package static func text(_ depths: [Float]) -> String {
        let heading = """
            # How far each vertex of face/reference.pts stands out towards the viewer, in the same units; the eyes'
            # outer corners are 0. Measured on the drawn head by `draw-samples depths`.

            """
        let names = (0..<Landmarks.count).map { "landmark \($0)" } + HeadPoint.allCases.map { "\($0)" }
        return heading + zip(depths, names).map { "\(decimal($0, places: 1)) \($1)\n" }.joined()
    }

    /// - Throws: `ParseError` with the line number.
    package static func parse(_ text: String) throws(ParseError) -> [Float] {
        var depths: [Float] = []
        for (index, rawLine) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = rawLine.trimmingSpaces
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let depth = line.split(separator: " ").first.flatMap({ Float($0) }), depth.isFinite else {
                throw ParseError("expected a depth and a name, found '\(line)'", line: index + 1)
            }
            depths.append(depth)
        }
        return depths
    }
}
