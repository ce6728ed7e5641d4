import Arguments
import Testing

@Suite struct ColourTests {
    private func areShown(_ isTerminal: Bool, _ environment: [String: String]) -> Bool {
        TextColour.areShown(isTerminal: isTerminal) { environment[$0] }
    }

    @Test func terminalsShowColoursAndPipesDoNot() {
        #expect(areShown(true, [:]) && !areShown(false, [:]))
        #expect(!areShown(true, ["TERM": "dumb"]))
        #expect(areShown(true, ["CLICOLOR": "1"]) && !areShown(true, ["CLICOLOR": "0"]))
        #expect(!areShown(false, ["CLICOLOR": "1"]))
    }

    @Test func theEnvironmentDecides() {
        #expect(!areShown(true, ["NO_COLOR": "1"]) && areShown(true, ["NO_COLOR": ""]))
        #expect(areShown(false, ["CLICOLOR_FORCE": "1"]) && !areShown(false, ["CLICOLOR_FORCE": "0"]))
        #expect(areShown(false, ["CLICOLOR_FORCE": "1", "CLICOLOR": "0"]))
        #expect(!areShown(true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]))
    }

    @Test func onlyLabelsAtTheStartOfLinesAreColoured() {
        #expect(
            TextColour.coloured("ok  a\nb: ok  c\nMISSING d\n", ["ok": .green, "MISSING": .red])
                == "\u{1B}[32mok\u{1B}[0m  a\nb: ok  c\n\u{1B}[31mMISSING\u{1B}[0m d\n")
    }
}
