import JSON

/// The bytes of a glTF document's buffers, and typed views of them. Every access is checked against the buffer first.
struct GLTFBuffers {
    private let root: GLTFObject
    private let contents: [[UInt8]]

    init(_ root: GLTFObject, binary: [UInt8]?) throws(ModelError) {
        self.root = root
        var contents: [[UInt8]] = []
        var total = 0
        for (index, value) in (try root.array("buffers", atMost: 64) ?? []).enumerated() {
            let buffer = try GLTFObject(value, pointer: "/buffers/\(index)")
            let bytes: [UInt8]
            if let uri = try buffer.string("uri") {
                bytes = try Self.data(uri, at: buffer.place("uri")).bytes
            } else {
                guard index == 0, let binary else {
                    throw ModelError(.damaged, at: buffer.pointer, "has no bytes: neither in the file nor in \"uri\"")
                }
                bytes = binary
            }
            total += bytes.count
            guard total <= ModelLimits.maximumFileSize else {
                throw ModelError(.tooLarge, at: "/buffers", "have more than \(ModelLimits.maximumFileSize) bytes")
            }
            let length = try buffer.index("byteLength") ?? 0
            guard length <= bytes.count else {
                throw ModelError(.damaged, at: buffer.pointer, "is cut off: it has \(bytes.count) of \(length) bytes")
            }
            contents.append(bytes)
        }
        self.contents = contents
    }

    /// The content of a `data:` URI in base64, the only kind of URI that is read.
    static func data(_ uri: String, at pointer: String) throws(ModelError) -> (type: Substring, bytes: [UInt8]) {
        guard uri.hasPrefix("data:"), let comma = uri.firstIndex(of: ",") else {
            throw ModelError(
                .external, at: pointer,
                "refers to another file, \"\(uri.prefix(80))\"; a model must be one file, so export it as .glb")
        }
        let heading = uri[uri.index(uri.startIndex, offsetBy: 5)..<comma]
        guard heading.hasSuffix(";base64"), let bytes = Base64.bytes(uri[uri.index(after: comma)...].utf8) else {
            throw ModelError(.damaged, at: pointer, "is not base64")
        }
        return (heading.prefix { $0 != ";" }, bytes)
    }

    /// The bytes of a buffer view.
    func view(_ index: Int) throws(ModelError) -> (bytes: ArraySlice<UInt8>, stride: Int?, pointer: String) {
        let view = try root.element("bufferViews", index)
        let buffer = try view.index("buffer") ?? 0
        guard contents.indices.contains(buffer) else {
            throw ModelError(.damaged, at: view.place("buffer"), "there is no buffer \(buffer)")
        }
        let (offset, length) = (try view.index("byteOffset") ?? 0, try view.index("byteLength") ?? 0)
        guard offset + length <= contents[buffer].count else {
            throw ModelError(
                .damaged, at: view.pointer,
                "ends at byte \(offset + length) of a buffer of \(contents[buffer].count) bytes")
        }
        return (contents[buffer][offset..<(offset + length)], try view.index("byteStride"), view.pointer)
    }

    // MARK: Accessors

    /// Numbers of a table: `count` rows of `columns`.
    struct Table {
        let count: Int
        let columns: Int
        /// Row by row.
        let numbers: [Float]
    }

    private static let columns = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16]
    /// By component type: bytes, and what the largest value of a normalised integer is.
    private static let components: [Int: (size: Int, maximum: Float)] = [
        5120: (1, 127), 5121: (1, 255), 5122: (2, 32767), 5123: (2, 65535), 5125: (4, 1), 5126: (4, 1),
    ]

    /// - Parameters:
    ///   - columns: the numbers of columns that are allowed.
    ///   - limit: of rows.
    func table(_ index: Int, columns allowed: Set<Int>, atMost limit: Int) throws(ModelError) -> Table {
        let accessor = try root.element("accessors", index)
        let (view, layout) = try layout(accessor, columns: allowed, atMost: limit)
        let isNormalized = try accessor.bool("normalized")
        var numbers: [Float] = []
        numbers.reserveCapacity(layout.count * layout.columns)
        view.withUnsafeBytes { bytes in
            for row in 0..<layout.count {
                for column in 0..<layout.columns {
                    let place = layout.offset + row * layout.stride + column * layout.component.size
                    let number = Self.number(bytes, place, layout.type)
                    numbers.append(isNormalized ? max(-1, number / layout.component.maximum) : number)
                }
            }
        }
        guard numbers.allSatisfy({ abs($0) <= ModelLimits.largestCoordinate }) else {
            throw ModelError(.number, at: accessor.pointer, "has a number that is not finite, or beyond a million")
        }
        return Table(count: layout.count, columns: layout.columns, numbers: numbers)
    }

    /// The corners of triangles.
    /// - Parameter vertices: their count; each index must be below it.
    func indices(_ index: Int, vertices: Int) throws(ModelError) -> [UInt32] {
        let accessor = try root.element("accessors", index)
        let (view, layout) = try layout(accessor, columns: [1], atMost: 3 * ModelLimits.maximumTriangles)
        guard [5121, 5123, 5125].contains(layout.type) else {
            throw ModelError(.damaged, at: accessor.place("componentType"), "of indices must be an unsigned integer")
        }
        var result: [UInt32] = []
        result.reserveCapacity(layout.count)
        view.withUnsafeBytes { bytes in
            for row in 0..<layout.count {
                result.append(Self.index(bytes, layout.offset + row * layout.stride, layout.type))
            }
        }
        guard result.allSatisfy({ Int($0) < vertices }) else {
            throw ModelError(.damaged, at: accessor.pointer, "has an index beyond the \(vertices) vertices")
        }
        return result
    }

    private struct Layout {
        let count: Int
        let columns: Int
        let type: Int
        let component: (size: Int, maximum: Float)
        /// In bytes.
        let offset: Int
        let stride: Int
    }

    /// Where an accessor's numbers are; all of them lie inside the view.
    private func layout(
        _ accessor: GLTFObject, columns allowed: Set<Int>, atMost limit: Int
    ) throws(ModelError) -> (ArraySlice<UInt8>, Layout) {
        guard !accessor.has("sparse"), let viewIndex = try accessor.index("bufferView") else {
            throw ModelError(.unsupported, at: accessor.pointer, "is sparse or has no buffer view; export without")
        }
        let name = try accessor.string("type") ?? ""
        guard let columns = Self.columns[name], allowed.contains(columns) else {
            throw ModelError(.damaged, at: accessor.place("type"), "cannot be \"\(name.prefix(20))\" here")
        }
        let type = try accessor.index("componentType") ?? 0
        guard let component = Self.components[type] else {
            throw ModelError(.damaged, at: accessor.place("componentType"), "cannot be \(type)")
        }
        let count = try accessor.index("count") ?? 0
        guard count <= limit else {
            throw ModelError(.tooLarge, at: accessor.place("count"), "is \(count), the limit is \(limit)")
        }
        let view = try view(viewIndex)
        let size = columns * component.size
        let (offset, stride) = (try accessor.index("byteOffset") ?? 0, view.stride ?? size)
        guard stride >= size, stride <= 252 else {
            throw ModelError(.damaged, at: view.pointer, "has a stride of \(stride) bytes for elements of \(size)")
        }
        guard count > 0, offset + (count - 1) * stride + size <= view.bytes.count else {
            throw ModelError(
                .damaged, at: accessor.pointer,
                "needs \(count) elements, which do not fit into its buffer view of \(view.bytes.count) bytes")
        }
        return (
            view.bytes,
            Layout(count: count, columns: columns, type: type, component: component, offset: offset, stride: stride)
        )
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ type: Int) -> Float {
        switch type {
        case 5120: Float(bytes.loadUnaligned(fromByteOffset: place, as: Int8.self))
        case 5121: Float(bytes[place])
        case 5122: Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)))
        case 5123: Float(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        case 5125: Float(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        default:
            Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
    }

    private static func index(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ type: Int) -> UInt32 {
        switch type {
        case 5121: UInt32(bytes[place])
        case 5123: UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        default: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
    }
}
