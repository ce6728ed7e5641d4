/// Writes ONNX files, right and wrong ones, for tests. Tensors have the order batch, channel, row, column.
package struct ONNXBuilder {
    /// A field of a message of a protocol buffer.
    package indirect enum Field {
        case number(Int64)
        case float(Float)
        case bytes([UInt8])
        case text(String)
        case message([(Int, Field)])
    }

    package struct Constant {
        package var name: String
        package var shape: [Int64]
        package var values: [Float]
        /// 1: 32-bit numbers.
        package var type: Int64 = 1
        /// Whether the file has the bytes of the values, and the shape as single numbers. Otherwise both are packed numbers.
        package var isRaw = true
        /// More fields.
        package var more: [(Int, Field)] = []

        package init(_ name: String, _ shape: [Int64], _ values: [Float]) {
            self.name = name
            self.shape = shape
            self.values = values
        }
    }

    package enum Attribute {
        case numbers(String, [Int64])
        case number(String, Int64)
        case float(String, Float)
    }

    package struct Node {
        package var kind: String
        package var inputs: [String]
        package var outputs: [String]
        package var attributes: [Attribute]

        package init(_ kind: String, _ inputs: [String], _ output: String, _ attributes: [Attribute] = []) {
            self.kind = kind
            self.inputs = inputs
            outputs = [output]
            self.attributes = attributes
        }
    }

    package var constants: [Constant] = []
    package var nodes: [Node] = []
    /// Names and shapes.
    package var inputs: [(String, [Int64])] = []
    package var outputs: [String] = []
    /// Of the operators.
    package var version: Int64 = 9

    package init() {}

    /// A network with all kinds of operators, for pictures of 2 channels: a convolution with a stride and uneven padding, a
    /// depthwise one, a transposed one with a normalisation, a sum and a sigmoid.
    package static var sample: ONNXBuilder {
        /// Numbers between -1 and 1, the same each time.
        func values(_ count: Int, _ seed: Int) -> [Float] {
            (0..<count).map { Float((($0 + seed) * 37 + seed * 11) % 41 - 20) / 20 }
        }
        var builder = ONNXBuilder()
        builder.inputs = [("picture", [10, 2, 32, 32]), ("filter", [3, 2, 3, 3])]
        builder.constants = [
            Constant("filter", [3, 2, 3, 3], values(54, 1)), Constant("bias", [3], [0.25, -0.5, 1]),
            Constant("depthwise", [3, 1, 3, 3], values(27, 2)),
            Constant("transposed", [3, 2, 2, 2], values(24, 3)),
            Constant("scale", [2], [1.5, -0.5]), Constant("shift", [2], [0.1, 0.2]),
            Constant("mean", [2], [-0.3, 0.4]), Constant("variance", [2], [2, 0.5]),
            Constant("pointwise", [2, 2, 1, 1], [0.5, -1, 2, 0.75]),
        ]
        builder.constants[1].isRaw = false
        builder.constants[2].isRaw = false
        builder.nodes = [
            Node(
                "Conv", ["picture", "filter", "bias"], "a",
                [
                    .numbers("kernel_shape", [3, 3]), .numbers("strides", [2, 2]), .numbers("pads", [1, 0, 1, 2]),
                    .numbers("dilations", [1, 1]), .number("group", 1),
                ]),
            Node("Relu", ["a"], "b"),
            Node("Conv", ["b", "depthwise"], "c", [.numbers("pads", [1, 1, 1, 1]), .number("group", 3)]),
            Node("ConvTranspose", ["c", "transposed"], "d", [.numbers("strides", [2, 2])]),
            Node(
                "BatchNormalization", ["d", "scale", "shift", "mean", "variance"], "e",
                [.float("epsilon", 0.001), .float("momentum", 0.9)]),
            Node("Relu", ["e"], "f"),
            Node("Conv", ["f", "pointwise"], "g", [.number("group", 1)]),
            Node("Add", ["f", "g"], "h"),
            Node("Sigmoid", ["h"], "i"),
        ]
        builder.outputs = ["i", "g"]
        return builder
    }

    package var file: [UInt8] {
        let text = { (name: String) in Field.text(name) }
        let declarations = { (names: [(String, [Int64])], number: Int) in
            names.map { name, shape in
                let dimensions = shape.map { (1, Field.message([(1, .number($0))])) }
                let type = Field.message([(1, .number(1)), (2, .message(dimensions))])
                return (number, Field.message([(1, text(name)), (2, .message([(1, type)]))]))
            }
        }
        // The constants come last: readers must not rely on an order.
        let graph =
            nodes.map { (1, Self.message($0)) } + [(2, text("graph"))] + declarations(inputs, 11)
            + declarations(outputs.map { ($0, []) }, 12) + constants.map { (5, Self.message($0)) }
        return Self.encoded([
            (1, .number(4)), (2, text("test")), (7, .message(graph)),
            (8, .message([(1, text("")), (2, .number(version))])),
        ])
    }

    private static func message(_ node: Node) -> Field {
        let attributes = node.attributes.map { attribute in
            switch attribute {
            case .numbers(let name, let numbers):
                [(1, .text(name))] + numbers.map { (8, .number($0)) } + [(20, .number(7))]
            case .number(let name, let number): [(1, .text(name)), (3, .number(number)), (20, .number(2))]
            case .float(let name, let number): [(1, .text(name)), (2, .float(number)), (20, .number(1))]
            } as [(Int, Field)]
        }
        return .message(
            node.inputs.map { (1, .text($0)) } + node.outputs.map { (2, .text($0)) } + [(4, .text(node.kind))]
                + attributes.map { (5, .message($0)) })
    }

    private static func message(_ constant: Constant) -> Field {
        let bytes = NetworkBuilder.bytes(constant.values)
        let packed = constant.shape.flatMap { number(UInt64(bitPattern: $0)) }
        let shape: [(Int, Field)] = constant.isRaw ? constant.shape.map { (1, .number($0)) } : [(1, .bytes(packed))]
        return .message(
            shape + [(2, .number(constant.type)), (constant.isRaw ? 9 : 4, .bytes(bytes)), (8, .text(constant.name))]
                + constant.more)
    }

    /// Seven bits in each byte, the lowest first.
    private static func number(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    package static func encoded(_ fields: [(Int, Field)]) -> [UInt8] {
        fields.flatMap { index, field -> [UInt8] in
            func framed(_ bytes: [UInt8]) -> [UInt8] {
                number(UInt64(index << 3 | 2)) + number(UInt64(bytes.count)) + bytes
            }
            switch field {
            case .number(let value): return number(UInt64(index << 3)) + number(UInt64(bitPattern: value))
            case .float(let value): return number(UInt64(index << 3 | 5)) + NetworkBuilder.bytes([value])
            case .bytes(let bytes): return framed(bytes)
            case .text(let text): return framed(Array(text.utf8))
            case .message(let fields): return framed(encoded(fields))
            }
        }
    }
}
