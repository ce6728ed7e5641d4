import NetworkBuilder
import NeuralNetworks

/// Neural networks in the ONNX format.
enum ONNXTarget: FuzzTarget {
    static let name = "onnx"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        var packed = ONNXBuilder.sample
        for index in packed.constants.indices { packed.constants[index].isRaw.toggle() }
        return [ONNXBuilder.sample.file, packed.file]
    }

    static func read(_ bytes: [UInt8]) {
        let size = NeuralNetwork.InputSize(width: 8, height: 4)
        guard let network = try? NeuralNetwork(bytes, path: "fuzz.onnx", inputSize: size) else { return }
        try? network.run()
        for index in network.outputShapes.indices {
            let sum = network.withOutput(index) { $0.reduce(0, +) }
            if sum.isInfinite { continue }
        }
    }
}
