import Files
import Masks
import TestSupport
import Testing

/// Layers of type `comic`.
@Suite struct ComicLayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reading(_ layer: String) throws -> MaskReading { try MaskReading.of(layer, in: folder) }

    @Test(arguments: [
        (#"{"type": "comic"}"#, Comic()),
        (
            ##"{"type": "comic", "levels": 6, "lines": 0.5, "smoothing": 0.25, "color": "#ff0033", "opacity": 0.5}"##,
            Comic(levels: 6, lines: 0.5, smoothing: 0.25, color: SIMD3(1, 0, 0.2))
        ),
    ])
    func itsNumbersAreRead(_ layer: String, _ expected: Comic) throws {
        let reading = try reading(layer)
        #expect(reading.problems.listed.isEmpty)
        let mask = try #require(reading.mask)
        #expect(mask.isOnlyPaint && mask.layers.count == 1)
        guard case .comic(let comic) = mask.layers[0].content else {
            Issue.record("\(mask.layers[0].content)")
            return
        }
        #expect(comic == expected)
    }

    @Test(arguments: [
        (#"{"type": "comic", "levels": 1}"#, MaskProblem.Code.outOfRange, "/layers/0/levels"),
        (#"{"type": "comic", "lines": 1e30}"#, .outOfRange, "/layers/0/lines"),
        (#"{"type": "comic", "smoothing": -0.1}"#, .outOfRange, "/layers/0/smoothing"),
        (#"{"type": "comic", "color": "black"}"#, .unknownWord, "/layers/0/color"),
        (#"{"type": "comic", "blend": "multiply"}"#, .unknownKey, "/layers/0/blend"),
    ])
    func mistakesAreFound(_ layer: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(layer).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }
}
