/// Writes TensorFlow Lite files, right and wrong ones, for tests.
struct NetworkBuilder {
    /// A value in a FlatBuffer.
    indirect enum Value {
        case byte(UInt8)
        case int(Int32)
        case ints([Int32])
        case bytes([UInt8])
        case text(String)
        /// Fields by number.
        case table([Int: Value])
        case tables([Value])
    }

    struct Tensor {
        var shape: [Int32]
        /// 0: 32-bit numbers, 1: 16-bit numbers, 2: whole numbers.
        var type: UInt8 = 0
        var data: [UInt8] = []
        var sparsity: Value?
    }

    struct Operator {
        var kind: Int32
        var inputs: [Int32]
        var outputs: [Int32]
        var options: [Int: Value] = [:]
    }

    var tensors: [Tensor] = []
    var operators: [Operator] = []
    var inputs: [Int32] = [0]
    var outputs: [Int32] = []
    var version: Int32 = 3

    static func bytes(_ values: [Float]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }
    static func bytes(_ values: [Float16]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }
    static func bytes(_ values: [Int32]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }

    var file: [UInt8] {
        let buffers = [Value.table([:])] + tensors.map { .table($0.data.isEmpty ? [:] : [0: .bytes($0.data)]) }
        let tables = tensors.enumerated().map { index, tensor in
            var fields: [Int: Value] = [
                0: .ints(tensor.shape), 1: .byte(tensor.type), 2: .int(Int32(index + 1)), 3: .text("t\(index)"),
            ]
            fields[6] = tensor.sparsity
            return Value.table(fields)
        }
        let codes = operators.map {
            Value.table([0: .byte(UInt8(truncatingIfNeeded: min($0.kind, 127))), 3: .int($0.kind)])
        }
        let operations = operators.enumerated().map { index, operation in
            Value.table([
                0: .int(Int32(index)), 1: .ints(operation.inputs), 2: .ints(operation.outputs), 3: .byte(1),
                4: .table(operation.options),
            ])
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
