import NetworkBuilder
import NeuralNetworks
import TestSupport
import Testing

/// What XNNPACK is given stays as it is for as long as the network exists.
@Suite struct ConstantsTests {
    /// Two channels, each with a slope for negative numbers.
    private static var slopes: NetworkBuilder {
        NetworkBuilder(
            tensors: [
                .init(shape: [1, 3, 3, 2]), .init(shape: [1, 1, 2], data: NetworkBuilder.bytes([Float(0.5), 0.25])),
                .init(shape: [1, 3, 3, 2]),
            ],
            operators: [.init(kind: 54, inputs: [0, 1], outputs: [2])], outputs: [2])
    }

    /// Debian 12's XNNPACK copies all constants. The one of Debian 13 reads slopes where they lie, and found NaN there in
    /// each face, because they had been freed.
    @Test func constantsLiveAsLongAsTheNetwork() async {
        await #expect(processExitsWith: .success) {
            try FakeLibrary.load("xnnpack.c", as: "libXNNPACK.so.0")
            for builder in [ConstantsTests.slopes, .sample] {
                let network = try NeuralNetwork(builder.file, path: "net.tflite")
                try network.run()
                withExtendedLifetime(network) {}
            }
        }
    }

    @Test(.enabled(if: NeuralNetwork.isAvailable, "XNNPACK (libxnnpack0) is not installed"))
    func slopesApplyToNegativeNumbers() throws {
        let network = try NeuralNetwork(Self.slopes.file, path: "net.tflite")
        network.setInput((0..<18).map { Float($0 % 4 < 2 ? -8 : 8) })
        try network.run()
        #expect(network.withOutput(0) { $0.prefix(4).map { $0 } } == [-4, -2, 8, 8])
    }
}
