import Foundation
import NetworkBuilder

/// Numbers in the order channel, row, column.
struct ReferenceTensor: Equatable {
    var channels: Int
    var height: Int
    var width: Int
    var values: [Double]

    init(channels: Int, height: Int, width: Int) {
        (self.channels, self.height, self.width) = (channels, height, width)
        values = Array(repeating: 0, count: channels * height * width)
    }

    /// 0 outside.
    subscript(channel: Int, y: Int, x: Int) -> Double {
        get {
            (0..<height).contains(y) && (0..<width).contains(x) ? values[(channel * height + y) * width + x] : 0
        }
        set { values[(channel * height + y) * width + x] = newValue }
    }

    /// In the order row, column, channel.
    var interleaved: [Double] {
        (0..<height * width).flatMap { place in
            (0..<channels).map { self[$0, place / width, place % width] }
        }
    }
}

/// Computes an ONNX network as the specification says, one operator after the other, without regard to speed.
struct ONNXReference {
    let builder: ONNXBuilder

    func outputs(of input: ReferenceTensor) -> [ReferenceTensor] {
        var tensors = [builder.inputs[0].0: input]
        for node in builder.nodes {
            guard let first = tensors[node.inputs[0]] else { return [] }
            tensors[node.outputs[0]] =
                switch node.kind {
                case "Conv": convolution(first, node)
                case "ConvTranspose": transposedConvolution(first, node)
                case "BatchNormalization": normalized(first, node)
                case "Relu": map(first) { max($0, 0) }
                case "Sigmoid": map(first) { 1 / (1 + exp(-$0)) }
                default: sum(first, tensors[node.inputs[1]] ?? first)
                }
        }
        return builder.outputs.compactMap { tensors[$0] }
    }

    private func constant(_ node: ONNXBuilder.Node, _ index: Int) -> ONNXBuilder.Constant? {
        node.inputs.count > index ? builder.constants.first { $0.name == node.inputs[index] } : nil
    }

    private func numbers(_ node: ONNXBuilder.Node, _ name: String, _ otherwise: [Int]) -> [Int] {
        for attribute in node.attributes {
            if case .numbers(name, let numbers) = attribute { return numbers.map(Int.init) }
            if case .number(name, let number) = attribute { return [Int(number)] }
        }
        return otherwise
    }

    private func map(_ tensor: ReferenceTensor, _ body: (Double) -> Double) -> ReferenceTensor {
        var result = tensor
        result.values = tensor.values.map(body)
        return result
    }

    private func sum(_ one: ReferenceTensor, _ other: ReferenceTensor) -> ReferenceTensor {
        var result = one
        for index in one.values.indices { result.values[index] += other.values[index] }
        return result
    }

    private func normalized(_ tensor: ReferenceTensor, _ node: ONNXBuilder.Node) -> ReferenceTensor {
        let parameters = (1...4).compactMap { constant(node, $0)?.values.map(Double.init) }
        var result = tensor
        for channel in 0..<tensor.channels {
            for place in 0..<tensor.height * tensor.width {
                let index = channel * tensor.height * tensor.width + place
                let deviation = (parameters[3][channel] + 0.001).squareRoot()
                result.values[index] =
                    (tensor.values[index] - parameters[2][channel]) / deviation * parameters[0][channel]
                    + parameters[1][channel]
            }
        }
        return result
    }

    private func convolution(_ tensor: ReferenceTensor, _ node: ONNXBuilder.Node) -> ReferenceTensor {
        guard let filter = constant(node, 1) else { return tensor }
        let (stride, pads) = (numbers(node, "strides", [1, 1]), numbers(node, "pads", [0, 0, 0, 0]))
        let group = numbers(node, "group", [1])[0]
        let shape = filter.shape.map(Int.init)
        var result = ReferenceTensor(
            channels: shape[0], height: (tensor.height + pads[0] + pads[2] - shape[2]) / stride[0] + 1,
            width: (tensor.width + pads[1] + pads[3] - shape[3]) / stride[1] + 1)
        for to in 0..<shape[0] {
            let firstChannel = to / (shape[0] / group) * shape[1]
            for y in 0..<result.height {
                for x in 0..<result.width {
                    var sum = Double(constant(node, 2)?.values[to] ?? 0)
                    for (index, weight) in filter.values[(to * shape[1] * shape[2] * shape[3])...]
                        .prefix(shape[1] * shape[2] * shape[3]).enumerated()
                    {
                        let (from, row) = (index / (shape[2] * shape[3]), index / shape[3] % shape[2])
                        sum +=
                            Double(weight)
                            * tensor[
                                firstChannel + from, y * stride[0] + row - pads[0],
                                x * stride[1] + index % shape[3] - pads[1]]
                    }
                    result[to, y, x] = sum
                }
            }
        }
        return result
    }

    private func transposedConvolution(_ tensor: ReferenceTensor, _ node: ONNXBuilder.Node) -> ReferenceTensor {
        guard let filter = constant(node, 1) else { return tensor }
        let (stride, pads) = (numbers(node, "strides", [1, 1]), numbers(node, "pads", [0, 0, 0, 0]))
        let shape = filter.shape.map(Int.init)
        var result = ReferenceTensor(
            channels: shape[1], height: (tensor.height - 1) * stride[0] + shape[2] - pads[0] - pads[2],
            width: (tensor.width - 1) * stride[1] + shape[3] - pads[1] - pads[3])
        for (index, weight) in filter.values.enumerated() {
            let (row, column) = (index / shape[3] % shape[2], index % shape[3])
            let (to, from) = (index / (shape[2] * shape[3]) % shape[1], index / (shape[1] * shape[2] * shape[3]))
            for y in 0..<tensor.height {
                for x in 0..<tensor.width {
                    let (i, j) = (y * stride[0] + row - pads[0], x * stride[1] + column - pads[1])
                    guard (0..<result.height).contains(i), (0..<result.width).contains(j) else { continue }
                    result[to, i, j] += Double(weight) * tensor[from, y, x]
                }
            }
        }
        return result
    }
}
