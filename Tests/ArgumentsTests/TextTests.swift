import Arguments
import Testing

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        var table = TextTable([.left("name"), .right("ms"), .left("note")])
        table.rows = [["warp", "1.25", "plain"], ["a longer name", "12.50"], [], ["x", "0", "–"]]
        #expect(
            table.text == """
                name              ms  note
                warp            1.25  plain
                a longer name  12.50

                x                  0  –

                """)
    }

    @Test func widthsMayBeGivenAndHeadingsLeftOut() {
        var table = TextTable([.left("", width: 6), .right("", width: 7)], separator: "", hasHeadings: false)
        table.rows = [["a", "1"], ["b", "−2"]]
        #expect(table.text == "a           1\nb          −2\n")
    }
}

@Suite struct DecimalTextTests {
    @Test(arguments: [
        (1.25, 1, "1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (-2.5, 2, "-2.50"), (12.0, 0, "12"), (0.007, 3, "0.007"),
    ])
    func digitsAreFixed(_ value: Double, _ digits: Int, _ text: String) {
        #expect(DecimalText.fixed(value, digits: digits) == text)
    }

    @Test func numbersAreRounded() {
        #expect(DecimalText.rounded(1.006) == 1.01 && DecimalText.rounded(0.123456, digits: 5) == 0.12346)
    }
}

@Suite struct ProgressTests {
    @Test func theBarGivesWayOnNarrowTerminals() {
        func bar(_ columns: Int) -> String {
            ProgressBar.text(done: 5, total: 10, seconds: 2, note: "note", columns: columns)
        }
        #expect(
            bar(120) == "[" + String(repeating: "#", count: 20) + String(repeating: "-", count: 20)
                + "] 5/10  2.5/s  2.0 s left  note")
        #expect(bar(50).count <= 49 && bar(50).hasPrefix("[#"))
        #expect(bar(20).count <= 19 && !bar(20).contains("["))
    }

    @Test(arguments: [(0.04, "0.0 s"), (4.27, "4.2 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")])
    func durationsAreReadable(_ seconds: Double, _ text: String) {
        #expect(DurationText.text(seconds) == text)
    }
}

@Suite struct SuggestionTests {
    @Test(arguments: [("mesh", "mesh", 0), ("mehs", "mesh", 1), ("", "abc", 3), ("kitten", "sitting", 3)])
    func distancesCountEdits(_ first: String, _ second: String, _ distance: Int) {
        #expect(Suggestion.distance(first, second) == distance)
    }

    @Test func onlySimilarWordsAreSuggested() {
        let words = ["photo", "video", "recursive"]
        #expect(Suggestion.text(for: "fhoto", among: words) == " Did you mean 'photo'?")
        #expect(Suggestion.text(for: "rec", among: words, prefix: "--") == " Did you mean '--recursive'?")
        #expect(Suggestion.text(for: "mask", among: words).isEmpty)
    }
}

@Suite struct HelpTextTests {
    @Test func linesAreBrokenBetweenWords() {
        #expect(HelpText.wrapped("one two three", columns: 30, indent: 0) == "one two three")
        let text = HelpText.wrapped(String(repeating: "word ", count: 20), columns: 40, indent: 4)
        for line in text.split(separator: "\n") { #expect(line.count <= 40) }
        #expect(text.contains("\n    word"))
    }
}
