import NeuralNetworks
import TestSupport
import Testing

let hasNetworks = NetworkFolder.standard.isUsable
let absenceOfNetworks: Comment = "MediaPipe's face networks are not installed; scripts/fetch-networks fetches them"

/// The networks compute what the reference interpreter (LiteRT 2.3.0 of the package ai-edge-litert) computed on the same
/// input: a face of ellipses.
@Suite(.enabled(if: hasNetworks, absenceOfNetworks)) struct ConformanceOfNetworksTests {
    struct Expectation: Sendable {
        let network: NetworkFolder.Network
        let output: Int
        let count: Int
        /// Every how manieth number of the output is in `values`.
        let step: Int
        let values: [Float]
    }

    static let expectations: [Expectation] = [
        Expectation(
            network: .detector, output: 0, count: 36864, step: 3072,
            values: [
                -6.397, -7.194, -9.521, -10.243, -10.36, -9.271, -8.642, -8.924, -8.876, -9.235, -9.801, -7.191,
            ]),
        Expectation(
            network: .detector, output: 1, count: 2304, step: 192,
            values: [
                -13.474, -15.123, -21.124, -23.067, -22.77, -20.58, -19.211, -19.51, -21.122, -24.278, -22.158, -14.618,
            ]),
        Expectation(
            network: .mesh, output: 0, count: 1404, step: 117,
            values: [
                98.092, 85.863, 80.58, 53.792, 46.856, 96.307, 41.592, 120.358, 102.835, 100.217, 128.135, 110.563,
            ]),
        Expectation(network: .mesh, output: 1, count: 1, step: 1, values: [8.169]),
        // The operators that crop, which the reference interpreter does not have, were computed apart, and agree with
        // MediaPipe 0.10.14 on three photographs to within 0.02 pixels of the input.
        Expectation(
            network: .attention, output: 0, count: 1404, step: 117,
            values: [
                96.868, 84.357, 77.876, 51.578, 45.332, 96.38, 38.629, 119.701, 101.848, 100.631, 128.629, 111.061,
            ]),
        Expectation(
            network: .attention, output: 1, count: 160, step: 13,
            values: [
                75.34, 148.071, 84.284, 138.774, 101.337, 140.112, 110.964, 145.596, 81.315, 137.936, 96.727, 140.378,
                109.691,
            ]),
        Expectation(
            network: .attention, output: 2, count: 142, step: 12,
            values: [55.651, 77.955, 66.446, 58.537, 84.204, 77.234, 67.656, 51.24, 47.11, 44.187, 80.448, 55.686]),
        Expectation(
            network: .attention, output: 3, count: 142, step: 12,
            values: [
                131.565, 111.66, 121.755, 129.484, 106.021, 111.913, 121.812, 135.412, 139.149, 141.853, 110.143,
                130.263,
            ]),
        Expectation(
            network: .attention, output: 4, count: 10, step: 1,
            values: [70.202, 86.122, 78.855, 85.728, 70.198, 80.084, 61.693, 86.517, 70.231, 92.039]),
        Expectation(
            network: .attention, output: 5, count: 10, step: 1,
            values: [118.377, 85.547, 125.671, 85.378, 118.207, 79.655, 111.077, 85.704, 118.574, 91.375]),
        Expectation(network: .attention, output: 6, count: 1, step: 1, values: [15.804]),
        // The reference joins the outputs of both grids.
        Expectation(
            network: .palm, output: 0, count: 20736, step: 1728,
            values: [-5.56, 2.543, -0.612, -1.823, -0.083, -0.043, -2.53, -1.122, 0.754, -2.378, -2.548, 2.077]),
        Expectation(
            network: .palm, output: 1, count: 15552, step: 1296,
            values: [24.898, 27.047, 17.671, 12.611, 10.012, 6.678, 4.384, 6.864, 12.255, 18.441, 28.599, 29.886]),
        Expectation(
            network: .palm, output: 2, count: 1152, step: 96,
            values: [
                -9.149, -12.099, -9.57, -7.688, -7.424, -7.705, -7.791, -6.946, -8.294, -8.911, -11.82, -13.456,
            ]),
        Expectation(
            network: .palm, output: 3, count: 864, step: 72,
            values: [
                -11.951, -11.348, -11.915, -15.317, -12.944, -12.557, -12.694, -13.809, -17.36, -16.759, -15.219,
                -12.902,
            ]),
        Expectation(
            network: .hand, output: 0, count: 63, step: 5,
            values: [
                122.894, -3.417, 117.931, 108.765, -10.291, 84.266, 111.697, -16.998, 107.523, 116.509, -10.634,
                104.076, 127.126,
            ]),
        Expectation(network: .hand, output: 2, count: 1, step: 1, values: [0.4234]),
    ]

    /// Red, green and blue in 0…255 of a square picture: a gradient, on it an ellipse with two eyes and a mouth. All in
    /// whole numbers, as the reference was computed.
    static func drawing(side: Int) -> [Int] {
        (0..<side * side * 3).map { index in
            let (x, y, channel) = (index / 3 % side, index / 3 / side, index % 3)
            func isInside(_ cx: Int, _ cy: Int, _ rx: Int, _ ry: Int) -> Bool {
                let (dx, dy) = (2 * x + 1 - cx * side / 50, 2 * y + 1 - cy * side / 50)
                let (a, b) = (rx * side / 50, ry * side / 50)
                return dx * dx * b * b + dy * dy * a * a < a * a * b * b
            }
            if isInside(37, 45, 6, 3) || isInside(63, 45, 6, 3) || isInside(50, 80, 10, 3) { return 60 }
            return isInside(50, 55, 30, 40) ? 200 - 30 * channel : 40 + 60 * y / side + 20 * channel
        }
    }

    @Test(arguments: expectations.indices) func outputsAreThoseOfTheReference(_ index: Int) throws {
        let expectation = Self.expectations[index]
        guard NetworkFolder.standard.has(expectation.network) else { return }
        let network = try NetworkFolder.standard.load(expectation.network)
        let (black, white): (Float, Float) = expectation.network == .detector ? (-1, 1) : (0, 1)
        let side = network.inputShapes[0][1]
        network.setInput(Self.drawing(side: side).map { Float($0) / 255 * (white - black) + black })
        try network.run()
        let found = network.withOutput(expectation.output) { Array($0) }
        #expect(found.count == expectation.count)
        for (index, expected) in expectation.values.enumerated() {
            #expect(abs(found[index * expectation.step] - expected) < 0.002 + 0.0005 * abs(expected))
        }
    }
}
