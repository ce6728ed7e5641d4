import Evaluation
import Testing

@Suite struct SamplesTests {
    @Test func theMedianIsTheMiddleOrTheMeanOfTwo() {
        #expect(Samples("", [3, 1, 2]).median == 2)
        #expect(Samples("", [4, 1, 3, 2]).median == 2.5)
        #expect(Samples().median == 0)
    }

    @Test func percentilesAreSortedValues() {
        let samples = Samples("", (0..<100).reversed().map(Double.init))
        #expect(samples.percentile(0) == 0 && samples.percentile(0.95) == 95 && samples.percentile(1) == 99)
        #expect(Samples().percentile(0.5) == 0)
        #expect(Samples("", [1, 2, 6]).mean == 3)
    }
}

@Suite struct LinePlotTests {
    @Test func namesAreEscapedAndNumbersShort() {
        let plot = LinePlot(
            title: "a < b & c", xLabel: "x", yLabel: "y", xMaximum: 0.08, yMaximum: 1,
            lines: [.init(name: "one", points: [(0, 0), (0.04, 0.5), (1, 2)])])
        let svg = plot.svg
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("a &lt; b &amp; c"))
        for label in [">0<", ">0.02<", ">0.08<", ">0.25<", ">1<"] { #expect(svg.contains(label), "\(label)") }
        // Points beyond the axes are drawn at their ends.
        #expect(svg.contains("M70.0 360.0L340.0 200.0L610.0 40.0"))
    }
}
