import NetworkBuilder
import NeuralNetworks
import Pixels
import TestSupport
import Testing
import Vision

/// What the reader of ONNX files must do with right and wrong ones.
@Suite(.enabled(if: NeuralNetwork.isAvailable, "XNNPACK (libxnnpack0) is not installed")) struct ONNXNetworkTests {
    private static let size = NeuralNetwork.InputSize(width: 12, height: 8)

    private func network(
        _ builder: ONNXBuilder, _ size: NeuralNetwork.InputSize? = size
    ) throws -> NeuralNetwork {
        try NeuralNetwork(builder.file, path: "net.onnx", inputSize: size)
    }

    private static func input(_ size: NeuralNetwork.InputSize, channels: Int) -> ReferenceTensor {
        var input = ReferenceTensor(channels: channels, height: size.height, width: size.width)
        for index in input.values.indices { input.values[index] = Double(index * 29 % 31 - 15) / 10 }
        return input
    }

    /// The outputs are those that the specification says, in the order row, column, channel.
    private func check(_ builder: ONNXBuilder, _ size: NeuralNetwork.InputSize = size) throws {
        let network = try network(builder, size)
        let input = Self.input(size, channels: network.inputShapes[0][3])
        network.setInput(input.interleaved.map(Float.init))
        try network.run()
        let expected = ONNXReference(builder: builder).outputs(of: input)
        #expect(expected.count == builder.outputs.count)
        for (index, tensor) in expected.enumerated() {
            #expect(network.outputShapes[index] == [1, tensor.height, tensor.width, tensor.channels])
            let found = network.withOutput(index) { $0.map(Double.init) }
            let difference = zip(found, tensor.interleaved).reduce(0) { max($0, abs($1.0 - $1.1)) }
            #expect(difference < 1e-5, "output \(index)")
        }
    }

    @Test(arguments: [(12, 8), (4, 4), (6, 20)]) func allOperatorsComputeWhatTheSpecificationSays(
        _ width: Int, _ height: Int
    ) throws {
        let network = try network(.sample)
        #expect(network.inputShapes == [[1, 8, 12, 2]])
        try check(.sample, NeuralNetwork.InputSize(width: width, height: height))
    }

    /// The sample's only convolution that is normalised is a transposed one.
    @Test(arguments: [0, 2, 6]) func normalizationsOfAllConvolutions(_ node: Int) throws {
        var builder = ONNXBuilder.sample
        let channels = node == 6 ? 2 : 3
        let names = ["w", "x", "y", "z"]
        for (index, name) in names.enumerated() {
            let values = (0..<channels).map { 0.5 + 0.75 * Float($0) + Float(index) / 8 }
            builder.constants.append(.init(name, [Int64(channels)], values))
        }
        let result = builder.nodes[node].outputs[0]
        builder.nodes[node].outputs = ["raw"]
        builder.nodes.insert(
            .init("BatchNormalization", ["raw"] + names, result, [.float("epsilon", 0.001)]), at: node + 1)
        try check(builder)
    }

    /// Padding cuts the edges of the result off.
    @Test func transposedConvolutionsWithPadding() throws {
        var builder = ONNXBuilder.sample
        builder.constants[3] = .init("transposed", [3, 2, 3, 4], (0..<72).map { Float($0 * 17 % 23 - 11) / 10 })
        builder.nodes[3].attributes = [.numbers("strides", [3, 2]), .numbers("pads", [1, 0, 2, 1])]
        try check(builder)
    }

    /// Each defect, and a word of the message.
    private static let defects: [(String, @Sendable (inout ONNXBuilder) -> Void)] = [
        ("older than version 7", { $0.version = 6 }),
        ("kind", { $0.nodes[1].kind = "Softmax" }),
        ("not computed", { $0.nodes.swapAt(0, 2) }),
        ("not computed", { $0.nodes[7].inputs = ["f", "bias"] }),
        ("filter is not", { $0.nodes[0].inputs[1] = "b" }),
        ("filter is not", { $0.constants[0].type = 10 }),
        ("filter is not", { $0.constants[0].shape = [54] }),
        ("filter is not", { $0.constants[0].shape = [54, 1, 1, 1, 1] }),
        ("filter is not", { $0.constants[0].shape = [-1, 2, 3, 3] }),
        ("filter is not", { $0.constants[0].shape = [65536, 65536, 65536, 65536] }),
        ("filter is not", { $0.constants[0].more = [(14, .number(1))] }),
        ("filter is not", { $0.constants[0].more = [(4, .bytes([0, 0, 0, 0]))] }),
        ("does not fit its input", { $0.constants[0].shape = [2, 3, 3, 3] }),
        ("bytes of weights", { $0.constants[0].values.removeLast() }),
        ("weights are not 3", { $0.constants[1] = .init("bias", [2], [1, 2]) }),
        ("weights are not 2", { $0.constants[7] = .init("variance", [1, 2], [1, 2]) }),
        ("attribute", { $0.nodes[0].attributes[3] = .numbers("dilations", [1, 2]) }),
        ("attribute", { $0.nodes[0].attributes[1] = .numbers("strides", [0, 2]) }),
        ("attribute", { $0.nodes[0].attributes[1] = .numbers("strides", [1, 33]) }),
        ("attribute", { $0.nodes[0].attributes[1] = .numbers("strides", [2]) }),
        ("attribute", { $0.nodes[0].attributes[2] = .numbers("pads", [0, 0, -1, 0]) }),
        ("attribute", { $0.nodes[0].attributes[2] = .numbers("pads", [0, 0, 0, 0, 0]) }),
        ("attribute", { $0.nodes[0].attributes.append(.number("auto_pad", 1)) }),
        ("window does not fit its filter", { $0.nodes[0].attributes[0] = .numbers("kernel_shape", [3, 5]) }),
        ("window does not fit its filter", { $0.nodes[0].attributes[2] = .numbers("pads", [3, 0, 0, 0]) }),
        ("window does not fit its input", { $0.nodes[3].attributes = [.numbers("strides", [3, 3])] }),
        ("does not fit its input", { $0.nodes[2].attributes[1] = .number("group", 2) }),
        ("too many elements", { $0.enlarge(by: 32) }),
        ("cannot be joined", { $0.nodes[1].inputs = ["picture"] }),
        ("cannot be joined", { $0.nodes.insert(.init("Relu", ["b"], "bb"), at: 2) }),
        ("cannot be joined", { $0.nodes.insert(.init("Relu", ["f"], "ff"), at: 8) }),
        ("cannot be joined", { $0.nodes.insert(.init("Sigmoid", ["a"], "aa"), at: 1) }),
        ("wrong name", { $0.nodes[1].outputs = ["picture"] }),
        ("used twice", { $0.nodes[2].outputs = ["b"] }),
        ("used twice", { $0.constants[1].name = "filter" }),
        ("a name has 0 bytes", { $0.constants[1].name = "" }),
        ("a name has 129 bytes", { $0.constants[1].name = String(repeating: "b", count: 129) }),
        ("has 2 outputs", { $0.nodes[0].outputs.append("aa") }),
        ("has 3 inputs", { $0.nodes[7].inputs.append("f") }),
        ("more than 5 inputs", { $0.nodes[4].inputs.append("bias") }),
        ("differ in shape", { $0.nodes[7].inputs = ["f", "c"] }),
        ("several inputs", { $0.inputs.append(("other", [1, 2, 32, 32])) }),
        ("has no input", { $0.inputs = [] }),
        ("not a picture", { $0.inputs[0].1 = [2, 32, 32] }),
        ("not a picture", { $0.inputs[0].1[1] = -1 }),
        ("has no output", { $0.outputs = [] }),
        ("output 1 is not computed", { $0.outputs[1] = "bias" }),
        ("output 0 is not computed", { $0.outputs = ["picture"] }),
        ("output is there twice", { $0.outputs[1] = "i" }),
        ("computed but not used", { $0.outputs = ["g"] }),
        ("too many inputs", { $0.inputs += (0..<4096).map { _ in ("filter", [1]) } }),
        ("too much time", { $0.normalizeOften() }),
        ("too many constants", { $0.constants += (0..<1024).map { .init("c\($0)", [1], [0]) } }),
    ]

    @Test(arguments: defects.indices) func aWrongFileIsRefused(_ index: Int) {
        let (word, change) = Self.defects[index]
        var builder = ONNXBuilder.sample
        change(&builder)
        let error = #expect(throws: VisionError.self) { try network(builder) }
        #expect(error?.kind == .modelInvalid)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.hasPrefix("net.onnx: cannot be used: ") == true)
    }

    /// The file has no size, so the caller must give one, which is not too large.
    @Test func inputsNeedASizeThatFits() throws {
        let missing = #expect(throws: VisionError.self) { try network(.sample, nil) }
        #expect(missing?.reason.contains("needs a size") == true)
        for (width, height) in [(0, 8), (8, -8), (65537, 8), (4096, 1025), (.max, .max)] {
            let error = #expect(throws: VisionError.self) {
                try network(.sample, .init(width: width, height: height))
            }
            #expect(error?.reason.contains("pixels is not possible") == true, "\(error?.reason ?? "")")
        }
        #expect(throws: VisionError.self) {
            try NeuralNetwork(NetworkBuilder.sample.file, path: "net.tflite", inputSize: Self.size)
        }
        #expect(throws: VisionError.self) { try NeuralNetwork([], path: "net.onnx", inputSize: Self.size) }
    }

    /// Time and memory that a network may need are in proportion to its input.
    @Test func whatNeedsTooMuchIsRefused() throws {
        for (word, channels) in [("too much memory", 48), ("too much time", 250)] {
            var builder = ONNXBuilder()
            builder.inputs = [("0", [1, 1, 8, 8])]
            builder.constants = [
                .init("first", [Int64(channels), 1, 1, 1], Array(repeating: 1, count: channels)),
                .init(
                    "other", [Int64(channels), Int64(channels), 1, 1], Array(repeating: 1, count: channels * channels)),
            ]
            builder.nodes = [.init("Conv", ["0", "first"], "1"), .init("Conv", ["1", "other"], "2")]
            builder.outputs = ["2"]
            if channels == 48 {
                _ = try network(builder)
                builder.nodes += (2..<6).map { .init("Conv", ["\($0)", "other"], "\($0 + 1)") }
                builder.outputs = ["6"]
            }
            let error = #expect(throws: VisionError.self) { try network(builder) }
            #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
        }
    }

    /// No byte that is changed and no end that is missing makes the program crash.
    @Test func damagedFilesAreRefusedOrHarmless() throws {
        let file = ONNXBuilder.sample.file
        let size = NeuralNetwork.InputSize(width: 4, height: 4)
        for length in 0..<file.count {
            _ = try? NeuralNetwork(Array(file[..<length]), path: "net.onnx", inputSize: size)
        }
        for place in file.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                var changed = file
                changed[place] = value
                guard let network = try? NeuralNetwork(changed, path: "net.onnx", inputSize: size) else { continue }
                try network.run()
            }
        }
    }

    /// The picture lies at the top left of an input of any shape, reduced or magnified, and black is beyond it.
    @Test func picturesBecomeInputs() throws {
        var builder = ONNXBuilder()
        builder.inputs = [("picture", [1, 3, 1, 1])]
        builder.constants = [.init("same", [3, 3, 1, 1], [1, 0, 0, 0, 1, 0, 0, 0, 1])]
        builder.nodes = [.init("Conv", ["picture", "same"], "result")]
        builder.outputs = ["result"]
        let network = try network(builder, .init(width: 4, height: 2))
        var picture = try PixelBuffer(width: 6, height: 2, format: .rgba8)
        for y in 0..<2 {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(20 * x), UInt8(100 + 50 * y), 7, 255) }
            }
        }
        func reds(_ magnification: Float) throws -> [Float] {
            try network.fill(
                from: picture, magnification: magnification, range: .init(black: 0, white: 255, repeatsEdge: false))
            try network.run()
            return network.withOutput(0) { values in (0..<8).map { values[3 * $0].rounded() } }
        }
        #expect(try reds(1) == [0, 20, 40, 60, 0, 20, 40, 60])
        #expect(try reds(0.5) == [10, 50, 90, 0, 0, 0, 0, 0])
        #expect(try reds(2) == [0, 5, 15, 25, 0, 5, 15, 25])
    }
}

extension ONNXBuilder {
    /// Scales a filter so often that reading the file takes longer than an evaluation may.
    fileprivate mutating func normalizeOften() {
        let (inputs, count) = (nodes[4].inputs, 2000)
        constants[3] = .init("transposed", [3, 2, 16, 16], Array(repeating: 0, count: 1536))
        nodes = Array(nodes[..<4])
        nodes[3].attributes = [.numbers("strides", [1, 1])]
        nodes += (0..<count).map { index in
            Node("BatchNormalization", [index == 0 ? "d" : "n\(index)"] + inputs.dropFirst(), "n\(index + 1)")
        }
        outputs = ["n\(count)"]
    }

    /// Makes the result of the transposed convolution larger than a network may need.
    fileprivate mutating func enlarge(by factor: Int) {
        let side = Int64(factor)
        constants[3] = .init("transposed", [3, 2, side, side], Array(repeating: 0, count: 6 * factor * factor))
        nodes[3].attributes = [.numbers("strides", [side, side])]
    }
}
