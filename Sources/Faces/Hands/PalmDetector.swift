import FaceGeometry
import Glibc
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's palm detector, a single-shot detector with anchors (Liu et al., "SSD: Single Shot MultiBox Detector", ECCV
/// 2016). It belongs to one thread at a time.
final class PalmDetector {
    /// A palm in a picture.
    struct Palm {
        var score: Float
        /// In pixels.
        var box: OrientedBox
        var wrist: Point
        /// The base of the middle finger.
        var middle: Point

        /// The square that the network of landmarks looks at, with the factors of MediaPipe's graph.
        var region: OrientedBox {
            OrientedBox(center: box.center, side: box.side, roll: Hand.roll(of: middle - wrist))
                .shifted(by: Point(0, -0.5)).scaled(by: 2.6)
        }
    }

    /// Cells along a side of the input, and anchors in the middle of each, of the two grids, one after the other.
    private static let grids = [(side: 24, anchors: 2), (side: 12, anchors: 6)]
    /// Numbers for each anchor: a box's centre and size, and seven points, of which 0 is the wrist and 2 the base of the
    /// middle finger.
    private static let numbers = 18
    private static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: false)
    /// From this score on, 0…1, a place is a candidate. It is low: the network of landmarks tells what is no hand.
    private static let leastScore: Float = 0.25
    /// Of two boxes that share more of their area than this, the one with the lower score is dropped.
    private static let overlap: Float = 0.3

    private let network: NeuralNetwork
    private let side: Float

    /// - Throws: `VisionError` with the path of the file.
    init(_ folder: NetworkFolder) throws(VisionError) {
        network = try folder.load(.palm)
        let inputs = network.inputShapes
        let counts = Self.grids.map { $0.side * $0.side * $0.anchors }
        // The boxes of both grids, then the scores.
        guard inputs.count == 1, inputs[0].count == 4, inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes.map({ $0.reduce(1, *) }) == counts.map({ Self.numbers * $0 }) + counts
        else { throw folder.isNot("MediaPipe's palm detector", .palm) }
        side = Float(inputs[0][1])
    }

    /// - Parameter picture: grey or RGBA with 8 bits.
    /// - Returns: the palms in a square of the picture, that with the highest score first.
    func palms(in square: OrientedBox, of picture: borrowing PixelBuffer) throws(VisionError) -> [Palm] {
        try network.fill(from: picture, square: square, range: Self.range)
        try network.run()
        let least = log(Self.leastScore / (1 - Self.leastScore))
        var found: [Palm] = []
        for (index, grid) in Self.grids.enumerated() {
            let likely = network.withOutput(Self.grids.count + index) { scores in
                scores.indices.filter { scores[$0] > least }.map { ($0, 1 / (1 + exp(-scores[$0]))) }
            }
            network.withOutput(index) { numbers in
                for (place, score) in likely {
                    let cell = place / grid.anchors
                    let anchor = (Point(Float(cell % grid.side), Float(cell / grid.side)) + 0.5) / Float(grid.side)
                    let part = numbers.extracting(Self.numbers * place..<Self.numbers * (place + 1))
                    if let palm = palm(part, anchor, score, square) { found.append(palm) }
                }
            }
        }
        var kept: [Palm] = []
        for palm in found.sorted(by: { $0.score > $1.score }) where !kept.contains(where: { overlaps($0, palm) }) {
            kept.append(palm)
        }
        return kept
    }

    /// Decodes the numbers of an anchor: all are offsets from the anchor in pixels of the input.
    private func palm(
        _ numbers: UnsafeBufferPointer<Float>, _ anchor: Point, _ score: Float, _ square: OrientedBox
    ) -> Palm? {
        guard numbers.allSatisfy(\.isFinite) else { return nil }
        func place(_ first: Int) -> Point {
            let share = Point(numbers[first], numbers[first + 1]) / side + anchor
            return square.origin + share.x * square.across + share.y * square.down
        }
        let size = max(numbers[2], numbers[3]) / side * square.side
        guard size > 0 else { return nil }
        return Palm(
            score: score, box: OrientedBox(center: place(0), side: size, roll: 0), wrist: place(4), middle: place(8))
    }

    private func overlaps(_ one: Palm, _ other: Palm) -> Bool {
        let (a, b) = (FaceBox(one.box), FaceBox(other.box))
        let width = max(0, min(a.x + a.width, b.x + b.width) - max(a.x, b.x))
        let height = max(0, min(a.y + a.height, b.y + b.height) - max(a.y, b.y))
        return width * height > Self.overlap * (a.area + b.area - width * height)
    }
}
