/// A line plot as SVG, 640 × 430 pixels, with axes from 0.
package struct LinePlot {
    package struct Line {
        package var name: String
        package var points: [(x: Double, y: Double)]

        package init(name: String, points: [(x: Double, y: Double)]) {
            self.name = name
            self.points = points
        }
    }

    package var title: String
    package var xLabel: String
    package var yLabel: String
    package var xMaximum: Double
    package var yMaximum: Double
    package var lines: [Line]

    package init(
        title: String, xLabel: String, yLabel: String, xMaximum: Double, yMaximum: Double, lines: [Line]
    ) {
        self.title = title
        self.xLabel = xLabel
        self.yLabel = yLabel
        self.xMaximum = xMaximum
        self.yMaximum = yMaximum
        self.lines = lines
    }

    private static let colors = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e"]
    private static let frame = (left: 70.0, top: 40.0, width: 540.0, height: 320.0)

    package var svg: String {
        let frame = Self.frame
        func x(_ value: Double) -> String { Self.number(frame.left + value / xMaximum * frame.width) }
        func y(_ value: Double) -> String { Self.number(frame.top + (1 - value / yMaximum) * frame.height) }
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="640" height="430" viewBox="0 0 640 430" \
            font-family="sans-serif" font-size="13">
            <rect width="640" height="430" fill="white"/>
            <text x="340" y="24" text-anchor="middle" font-size="16">\(Self.escaped(title))</text>
            <text x="340" y="405" text-anchor="middle">\(Self.escaped(xLabel))</text>
            <text x="18" y="200" text-anchor="middle" transform="rotate(-90 18 200)">\(Self.escaped(yLabel))</text>

            """
        for step in 0...4 {
            let fraction = Double(step) / 4
            let (right, bottom) = (x(fraction * xMaximum), y(fraction * yMaximum))
            text += "<path d=\"M\(right) \(y(0))V\(y(yMaximum))M\(x(0)) \(bottom)H\(x(xMaximum))\" stroke=\"#ddd\"/>\n"
            text += "<text x=\"\(right)\" y=\"378\" text-anchor=\"middle\">\(Self.label(fraction * xMaximum))</text>\n"
            text +=
                "<text x=\"62\" y=\"\(bottom)\" dy=\"4\" text-anchor=\"end\">\(Self.label(fraction * yMaximum))</text>\n"
        }
        for (index, line) in lines.enumerated() {
            let color = Self.colors[index % Self.colors.count]
            let path = line.points.enumerated().map { position, point in
                (position == 0 ? "M" : "L") + x(min(point.x, xMaximum)) + " " + y(min(point.y, yMaximum))
            }
            text += "<path d=\"\(path.joined())\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>\n"
            text += "<text x=\"600\" y=\"\(340 - 18 * index)\" text-anchor=\"end\" fill=\"\(color)\">"
            text += Self.escaped(line.name) + "</text>\n"
        }
        return text + "</svg>\n"
    }

    private static func number(_ value: Double) -> String { "\((10 * value).rounded() / 10)" }

    private static func label(_ value: Double) -> String {
        var text = "\((1000 * value).rounded() / 1000)"
        if text.hasSuffix(".0") { text.removeLast(2) }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(scalar)
            }
        }.joined()
    }
}
