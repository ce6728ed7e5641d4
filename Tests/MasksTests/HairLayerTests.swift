import Files
import Masks
import TestSupport
import Testing

/// Layers of type `hair`.
@Suite struct HairLayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reading(_ layer: String) throws -> MaskReading { try MaskReading.of(layer, in: folder) }

    @Test func theColorIsRead() throws {
        let reading = try reading(##"{"type": "hair", "color": "#ff0033", "opacity": 0.5}"##)
        #expect(reading.problems.listed.isEmpty)
        let mask = try #require(reading.mask)
        #expect(mask.dyesHair && mask.isOnlyPaint && mask.layers.count == 1)
        guard case .hair(let color) = mask.layers[0].content else {
            Issue.record("\(mask.layers[0].content)")
            return
        }
        #expect(color == SIMD3(1, 0, 0.2))
        #expect(mask.layers[0].opacities.count == 1)
    }

    @Test(arguments: [
        (#"{"type": "hair"}"#, MaskProblem.Code.missingKey, "/layers/0"),
        (#"{"type": "hair", "color": "grey"}"#, .unknownWord, "/layers/0/color"),
        (##"{"type": "hair", "color": "#888888", "texture": "a.png"}"##, .unknownKey, "/layers/0/texture"),
    ])
    func mistakesAreFound(_ layer: String, _ code: MaskProblem.Code, _ pointer: String) throws {
        let problems = try reading(layer).problems.listed
        #expect(problems.map(\.code) == [code] && problems.first?.pointer == pointer, "\(problems)")
    }
}
