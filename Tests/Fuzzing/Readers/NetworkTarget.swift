import NetworkBuilder
import NeuralNetworks

/// Neural networks in TensorFlow Lite's format.
enum NetworkTarget: FuzzTarget {
    static let name = "network"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        [NetworkBuilder.sample, .handSample, .personSample, .cropSample].map(\.file)
    }

    static func read(_ bytes: [UInt8]) {
        guard let network = try? NeuralNetwork(bytes, path: "fuzz.tflite") else { return }
        try? network.run()
        for index in network.outputShapes.indices {
            let sum = network.withOutput(index) { $0.reduce(0, +) }
            if sum.isInfinite { continue }
        }
    }
}
