import NeuralNetworks
import PersonSegmentation
import Pixels
import TestSupport
import Testing

private let hasNetwork = NetworkFolder.standard.hasPerson
private let absence: Comment = "MediaPipe's selfie segmentation is not installed; scripts/fetch-networks fetches it"

@Suite(.enabled(if: hasNetwork, absence)) struct PersonSegmenterTests {
    /// A person of ellipses: centre, half axes, and colour; what comes later lies on what comes before.
    private static let ellipses: [(cx: Int, cy: Int, a: Int, b: Int, color: [UInt8])] = [
        (128, 286, 126, 110, [185, 96, 27]), (128, 160, 26, 60, [196, 137, 123]), (128, 102, 59, 74, [45, 32, 24]),
        (128, 116, 53, 66, [216, 157, 143]), (107, 110, 9, 6, [235, 230, 228]), (149, 110, 9, 6, [235, 230, 228]),
        (107, 110, 5, 5, [40, 30, 30]), (149, 110, 5, 5, [40, 30, 30]), (128, 152, 18, 6, [165, 75, 75]),
        (128, 127, 7, 16, [231, 172, 158]),
    ]

    private static func drawing() throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 256, height: 256, format: .rgba8)
        for y in 0..<256 {
            for x in 0..<256 {
                let last = ellipses.last { shape in
                    let (dx, dy) = (x - shape.cx, y - shape.cy)
                    let (a, b) = (shape.a * shape.a, shape.b * shape.b)
                    return dx * dx * b + dy * dy * a < a * b
                }
                let color = last?.color ?? [108, 156, 186]
                picture.fill(x..<x + 1, ofRow: y, with: SIMD4(color[0], color[1], color[2], 255))
            }
        }
        return picture
    }

    /// What the reference interpreter (LiteRT of the package ai-edge-litert) computed, at places along the edge.
    private static let reference: [(index: Int, value: Float)] = [
        (7287, 0.093), (8047, 0.193), (9065, 0.934), (11100, 0.235), (13741, 0.195), (16717, 0.825), (20551, 0.085),
        (23994, 0.917), (26181, 0.245), (27718, 0.781), (29114, 0.928), (31048, 0.946), (32842, 0.873), (34636, 0.613),
        (36943, 0.341), (40106, 0.902), (43104, 0.857), (45158, 0.19), (45977, 0.942), (46501, 0.787), (47280, 0.341),
        (48313, 0.885), (49347, 0.148), (50633, 0.871), (51922, 0.079), (53208, 0.082), (54816, 0.448), (57063, 0.65),
        (59665, 0.095), (63478, 0.109), (65529, 0.451), (1285, 0), (32896, 1), (51328, 1), (25640, 0),
    ]

    @Test func matteIsThatOfTheReference() throws {
        let matte = try PersonSegmenter(.standard).matte(ofWhole: try Self.drawing())
        #expect((matte.width, matte.height) == (256, 256))
        for (index, value) in Self.reference {
            #expect(abs(Float(matte.alpha[index]) / 255 - value) < 0.008, "\(index)")
        }
    }

    /// The network for wide pictures sees the same person in another shape.
    @Test func theOneForWidePicturesSeesThePerson() throws {
        let matte = try PersonSegmenter(.standard, isWide: true).matte(ofWhole: try Self.drawing())
        #expect((matte.width, matte.height) == (256, 144))
        #expect(matte.alpha[72 * 256 + 128] > 250 && matte.alpha[10 * 256 + 10] < 5)
    }

    /// The same person in a wide picture, with other proportions.
    @Test func aWholePictureIsStretched() throws {
        let drawing = try Self.drawing()
        var wide = try PixelBuffer(width: 512, height: 256, format: .rgba8)
        for y in 0..<256 {
            for x in 0..<256 {
                for copy in 2 * x..<2 * x + 2 { wide.copy(x..<x + 1, ofRow: y, from: drawing, to: copy, row: y) }
            }
        }
        let segmenter = try PersonSegmenter(.standard)
        let (narrow, stretched) = (try segmenter.matte(ofWhole: drawing), try segmenter.matte(ofWhole: wide))
        #expect(stretched.alpha[128 * 256 + 128] == 255 && stretched.alpha[40 * 256 + 20] == 0)
        let differences = zip(narrow.alpha, stretched.alpha).map { abs(Int($0) - Int($1)) }
        #expect(differences.count { $0 > 40 } < 300, "the edge is elsewhere")
    }
}
