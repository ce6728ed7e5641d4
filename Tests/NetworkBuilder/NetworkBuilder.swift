/// Writes TensorFlow Lite files, right and wrong ones, for tests.
package struct NetworkBuilder {
    /// A value in a FlatBuffer.
    package indirect enum Value {
        case byte(UInt8)
        case int(Int32)
        case ints([Int32])
        case bytes([UInt8])
        case text(String)
        /// Fields by number.
        case table([Int: Value])
        case tables([Value])
    }

    package struct Tensor {
        package var shape: [Int32]
        /// 0: 32-bit numbers, 1: 16-bit numbers, 2: whole numbers.
        package var type: UInt8 = 0
        package var data: [UInt8] = []
        package var sparsity: Value?

        package init(shape: [Int32], type: UInt8 = 0, data: [UInt8] = [], sparsity: Value? = nil) {
            self.shape = shape
            self.type = type
            self.data = data
            self.sparsity = sparsity
        }
    }

    package struct Operator {
        package var kind: Int32
        package var inputs: [Int32]
        package var outputs: [Int32]
        package var options: [Int: Value] = [:]
        /// Of an operator that TensorFlow Lite does not define: its name and options.
        package var custom: (name: String, options: [UInt8])?
        package var version: Int32

        package init(
            kind: Int32, inputs: [Int32], outputs: [Int32], options: [Int: Value] = [:],
            custom: (name: String, options: [UInt8])? = nil, version: Int32 = 1
        ) {
            self.version = version
            self.kind = kind
            self.inputs = inputs
            self.outputs = outputs
            self.options = options
            self.custom = custom
        }
    }

    package var tensors: [Tensor] = []
    package var operators: [Operator] = []
    package var inputs: [Int32] = [0]
    package var outputs: [Int32] = []
    package var version: Int32 = 3

    package init(tensors: [Tensor], operators: [Operator], outputs: [Int32]) {
        self.tensors = tensors
        self.operators = operators
        self.outputs = outputs
    }

    /// A network with all kinds of weights: a convolution of one pixel with sparse weights, 3 × 3 pixels and 2 channels to
    /// 1, a depthwise convolution with half precision, a sum, padding, pooling and a reshape.
    package static var sample: NetworkBuilder {
        let dense = Value.table([0: .byte(0), 1: .int(1)])
        let rows = Value.table([
            0: .byte(1), 2: .byte(1), 3: .table([0: .ints([0, 1])]), 4: .byte(3), 5: .table([0: .bytes([1])]),
        ])
        let sparse = Value.table([0: .ints([0, 1, 2, 3]), 2: .tables([dense, dense, dense, rows])])
        let step: [Int: Value] = [0: .byte(1), 1: .int(1), 2: .int(1)]
        return NetworkBuilder(
            tensors: [
                Tensor(shape: [1, 3, 3, 2]), Tensor(shape: [1, 1, 1, 2], data: bytes([Float(100)]), sparsity: sparse),
                Tensor(shape: [1, 1, 1, 2]), Tensor(shape: [1], data: bytes([Float(1)])), Tensor(shape: [1, 3, 3, 1]),
                Tensor(shape: [1, 2, 2, 1], type: 1, data: bytes([Float16(1), 2, 3, 4])), Tensor(shape: [1, 2, 2, 1]),
                Tensor(shape: [1, 2, 2, 1]), Tensor(shape: [1, 2, 2, 1]),
                Tensor(shape: [4, 2], type: 2, data: bytes([Int32(0), 0, 1, 1, 1, 1, 0, 0])),
                Tensor(shape: [1, 4, 4, 1]), Tensor(shape: [1, 2, 2, 1]), Tensor(shape: [1, 4]),
            ],
            operators: [
                Operator(kind: 124, inputs: [1], outputs: [2]),
                Operator(kind: 3, inputs: [0, 2, 3], outputs: [4], options: step),
                Operator(kind: 6, inputs: [5], outputs: [6]),
                Operator(
                    kind: 4, inputs: [4, 6, 3], outputs: [7],
                    options: [0: .byte(1), 1: .int(1), 2: .int(1), 3: .int(1), 4: .byte(1)]),
                Operator(kind: 0, inputs: [7, 7], outputs: [8]), Operator(kind: 34, inputs: [8, 9], outputs: [10]),
                Operator(
                    kind: 17, inputs: [10], outputs: [11],
                    options: [0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2)]),
                Operator(kind: 22, inputs: [11], outputs: [12]),
            ], outputs: [12])
    }

    /// A network with the operators of hands: the mean of 3 × 2 pixels with 2 channels, 2 full connections, a sigmoid, and as
    /// output the concatenation of the mean's full connection and the sigmoid of the other.
    package static var handSample: NetworkBuilder {
        let connection: [Int: Value] = [0: .byte(0), 1: .byte(0)]
        return NetworkBuilder(
            tensors: [
                Tensor(shape: [1, 3, 2, 2]), Tensor(shape: [2], type: 2, data: bytes([Int32(1), 2])),
                Tensor(shape: [1, 2]),
                Tensor(shape: [3, 2], data: bytes([Float(1), 0, 0, 1, 2, -1])),
                Tensor(shape: [3], data: bytes([Float(0), 0.5, -1])), Tensor(shape: [1, 3]),
                Tensor(shape: [1, 2], type: 1, data: bytes([Float16(0.5), -0.25])), Tensor(shape: [1, 2]),
                Tensor(shape: [1], data: bytes([Float(0)])), Tensor(shape: [1, 1]), Tensor(shape: [1, 1]),
                Tensor(shape: [1, 4]),
            ],
            operators: [
                Operator(kind: 40, inputs: [0, 1], outputs: [2], options: [0: .byte(0)]),
                Operator(kind: 9, inputs: [2, 3, 4], outputs: [5], options: connection),
                Operator(kind: 6, inputs: [6], outputs: [7]),
                Operator(kind: 9, inputs: [2, 7, 8], outputs: [9], options: connection),
                Operator(kind: 14, inputs: [9], outputs: [10]),
                Operator(kind: 2, inputs: [5, 10], outputs: [11], options: [0: .int(1)]),
            ], outputs: [11])
    }

    /// A network with the operators of people: the hard swish of 2 × 2 pixels with 2 channels, multiplied with the mean of each
    /// channel, a rectified linear unit, and a transposed convolution to 4 × 4 pixels.
    package static var personSample: NetworkBuilder {
        NetworkBuilder(
            tensors: [
                Tensor(shape: [1, 2, 2, 2]), Tensor(shape: [1, 2, 2, 2]), Tensor(shape: [1, 1, 1, 2]),
                Tensor(shape: [1, 2, 2, 2]), Tensor(shape: [1, 2, 2, 2]),
                Tensor(shape: [1, 2, 2, 2], data: bytes([Float(1), 10, 2, 20, 3, 30, 4, 40])),
                Tensor(shape: [1], data: bytes([Float(0.5)])), Tensor(shape: [1, 4, 4, 1]),
            ],
            operators: [
                Operator(kind: 117, inputs: [0], outputs: [1]),
                Operator(
                    kind: 1, inputs: [1], outputs: [2],
                    options: [0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2)]),
                Operator(kind: 18, inputs: [1, 2], outputs: [3]), Operator(kind: 19, inputs: [3], outputs: [4]),
                Operator(
                    kind: 32, inputs: [4, 5, 6], outputs: [7],
                    custom: ("Convolution2DTransposeBias", bytes([Int32(1), 2, 2]))),
            ], outputs: [7])
    }

    /// A value in a FlexBuffer.
    package enum Option {
        case whole(Int32)
        case number(Float)
        case wholes([Int32])
    }

    /// The options of an operator of MediaPipe's own: a map as a FlexBuffer, all of whose parts are four bytes wide.
    package static func options(_ values: [(key: String, value: Option)]) -> [UInt8] {
        var result: [UInt8] = []
        func bytes(_ number: Int) -> [UInt8] { Self.bytes([Int32(number)]) }
        let keys = values.map { value -> Int in
            result += Array(value.key.utf8) + [0]
            return result.count - value.key.utf8.count - 1
        }
        let vectors = values.map { value -> Int? in
            guard case .wholes(let numbers) = value.value else { return nil }
            result += bytes(numbers.count) + Self.bytes(numbers)
            return result.count - 4 * numbers.count
        }
        result += bytes(keys.count)
        let start = result.count
        for key in keys { result += bytes(result.count - key) }
        result += bytes(result.count - start) + bytes(4) + bytes(values.count)
        let map = result.count
        for ((_, value), vector) in zip(values, vectors) {
            switch value {
            case .whole(let number): result += Self.bytes([number])
            case .number(let number): result += Self.bytes([number])
            case .wholes: result += bytes(result.count - (vector ?? 0))
            }
        }
        for (_, value) in values {
            switch value {
            case .whole: result.append(1 << 2 | 2)
            case .number: result.append(3 << 2 | 2)
            case .wholes: result.append(11 << 2 | 2)
            }
        }
        return result + bytes(result.count - map) + [9 << 2 | 2, 4]
    }

    package static let cropOptions: [(key: String, value: Option)] = [
        ("left_rotation_idx", .whole(0)), ("output_height", .whole(2)), ("output_width", .whole(2)),
        ("right_rotation_idx", .whole(1)), ("scale_x", .number(0.5)), ("scale_y", .number(1)),
        ("subset_idxs", .wholes([0, 1, 2])), ("target_rotation_radians", .whole(0)),
    ]

    /// A network with the operators of attention, in five phases. The 4 × 4 pixels of its input are also 16 landmarks, in
    /// half pixels. The crop of 2 × 2 pixels around three of them is an output, and its numbers, as places in the crop, are
    /// moved to those of the input in quarters of pixels.
    package static var cropSample: NetworkBuilder {
        let factors: [Float] = [1, 1, 1, 4, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1]
        return NetworkBuilder(
            tensors: [
                Tensor(shape: [1, 4, 4, 3]), Tensor(shape: [1, 16, 3]),
                Tensor(shape: [1], type: 1, data: bytes([Float16(0.5)])),
                Tensor(shape: [1]), Tensor(shape: [1, 16, 3]), Tensor(shape: [1, 4, 4]), Tensor(shape: [1, 2, 2, 3]),
                Tensor(shape: [1, 4, 4], data: bytes(factors)), Tensor(shape: [1, 4, 4]), Tensor(shape: [1, 6, 2]),
                Tensor(shape: [1, 6, 2]), Tensor(shape: [3], type: 2, data: bytes([Int32(0), 0, 0])),
                Tensor(shape: [3], type: 2, data: bytes([Int32(1), 6, 2])),
                Tensor(shape: [3], type: 2, data: bytes([Int32(1), 1, 1])), Tensor(shape: [1, 6, 2]),
            ],
            operators: [
                Operator(kind: 22, inputs: [0], outputs: [1]), Operator(kind: 6, inputs: [2], outputs: [3]),
                Operator(kind: 18, inputs: [1, 3], outputs: [4]),
                Operator(
                    kind: 32, inputs: [4], outputs: [5],
                    custom: ("Landmarks2TransformMatrix", options(cropOptions)), version: 2),
                Operator(
                    kind: 32, inputs: [0, 5], outputs: [6],
                    custom: (
                        "TransformTensorBilinear",
                        options([("output_height", .whole(2)), ("output_width", .whole(2))])
                    ), version: 2),
                Operator(kind: 18, inputs: [5, 7], outputs: [8]), Operator(kind: 22, inputs: [6], outputs: [9]),
                Operator(
                    kind: 32, inputs: [9, 8], outputs: [10], custom: ("TransformLandmarks", []), version: 2),
                Operator(kind: 45, inputs: [10, 11, 12, 13], outputs: [14]),
            ], outputs: [6, 14])
    }

    package static func bytes(_ values: [Float]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }
    package static func bytes(_ values: [Float16]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }
    package static func bytes(_ values: [Int32]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }

    package var file: [UInt8] {
        let buffers = [Value.table([:])] + tensors.map { .table($0.data.isEmpty ? [:] : [0: .bytes($0.data)]) }
        let tables = tensors.enumerated().map { index, tensor in
            var fields: [Int: Value] = [
                0: .ints(tensor.shape), 1: .byte(tensor.type), 2: .int(Int32(index + 1)), 3: .text("t\(index)"),
            ]
            fields[6] = tensor.sparsity
            return Value.table(fields)
        }
        let codes = operators.map {
            var fields: [Int: Value] = [0: .byte(UInt8(truncatingIfNeeded: min($0.kind, 127))), 3: .int($0.kind)]
            if let custom = $0.custom { fields[1] = .text(custom.name) }
            if $0.version != 1 { fields[2] = .int($0.version) }
            return Value.table(fields)
        }
        let operations = operators.enumerated().map { index, operation in
            var fields: [Int: Value] = [
                0: .int(Int32(index)), 1: .ints(operation.inputs), 2: .ints(operation.outputs), 3: .byte(1),
                4: .table(operation.options),
            ]
            if let custom = operation.custom { fields[5] = .bytes(custom.options) }
            return Value.table(fields)
        }
        let graph = Value.table([0: .tables(tables), 1: .ints(inputs), 2: .ints(outputs), 3: .tables(operations)])
        let model = Value.table([0: .int(version), 1: .tables(codes), 2: .tables([graph]), 4: .tables(buffers)])
        var writer = Writer(bytes: [0, 0, 0, 0] + Array("TFL3".utf8))
        writer.point(0, to: writer.write(model))
        return writer.bytes
    }

    private struct Writer {
        var bytes: [UInt8]

        mutating func put<Number: FixedWidthInteger>(_ number: Number) {
            bytes += withUnsafeBytes(of: number.littleEndian, Array.init)
        }

        mutating func point(_ place: Int, to target: Int) {
            let offset = withUnsafeBytes(of: UInt32(target - place).littleEndian, Array.init)
            bytes.replaceSubrange(place..<place + 4, with: offset)
        }

        /// Returns the position of the value.
        mutating func write(_ value: Value) -> Int {
            while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
            let start = bytes.count
            switch value {
            case .byte(let number): put(number)
            case .int(let number): put(number)
            case .ints(let numbers):
                put(UInt32(numbers.count))
                numbers.forEach { put($0) }
            case .bytes(let content):
                put(UInt32(content.count))
                bytes += content
            case .text(let text):
                put(UInt32(text.utf8.count))
                bytes += Array(text.utf8) + [0]
            case .tables(let tables):
                put(UInt32(tables.count))
                bytes += [UInt8](repeating: 0, count: 4 * tables.count)
                for (index, table) in tables.enumerated() {
                    let target = write(table)
                    point(start + 4 + 4 * index, to: target)
                }
            case .table(let fields): return write(fields)
            }
            return start
        }

        private mutating func write(_ fields: [Int: Value]) -> Int {
            let count = (fields.keys.max() ?? -1) + 1
            put(UInt16(4 + 2 * count))
            put(UInt16(4 + 4 * count))
            // Four bytes for each field, also for bytes.
            for index in 0..<count { put(UInt16(fields[index] == nil ? 0 : 4 + 4 * index)) }
            let vtable = bytes.count - 4 - 2 * count
            while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
            let table = bytes.count
            put(Int32(table - vtable))
            bytes += [UInt8](repeating: 0, count: 4 * count)
            for (index, field) in fields.sorted(by: { $0.key < $1.key }) {
                let place = table + 4 + 4 * index
                switch field {
                case .byte(let number): bytes[place] = number
                case .int(let number):
                    bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: number, Array.init))
                default:
                    let target = write(field)
                    point(place, to: target)
                }
            }
            return table
        }
    }
}
