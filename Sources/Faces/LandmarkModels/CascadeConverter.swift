import CLandmarkCascade
import FaceGeometry
import Files
import Glibc

/// Converts a model from dlib's format to the compact layout. Thresholds become integers, which is exact because pixels
/// are integers; leaf values stay 32-bit floats. (16 bits with a scale for each leaf were tried: rounding changes which
/// pixels are read, and moves the landmarks of one face in six by more than a quarter of a pixel.)
enum CascadeConverter {
    /// The converted model with its header, to be freed by the caller.
    static func convert(
        _ model: UnsafeRawBufferPointer, fingerprint: UInt64
    ) throws(DlibModelReader.FormatError) -> UnsafeMutableRawBufferPointer {
        var reader = DlibModelReader(model)
        let meanShape = try reader.meanShape()
        let cascadeCount = try reader.count(upTo: 64, bytesEach: 8)
        var layout: CascadeLayout?
        var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        do throws(DlibModelReader.FormatError) {
            for cascade in 0..<cascadeCount {
                try readForest(&reader, model.count, cascade, cascadeCount, &layout, &memory)
            }
            guard var layout else { throw DlibModelReader.FormatError(description: "it has no trees") }
            try readFeatures(&reader, &layout, &memory)
            for (index, value) in meanShape.enumerated() {
                memory.storeBytes(of: value, toByteOffset: layout.meanShape + 4 * index, as: Float.self)
            }
            writeHeader(layout, fingerprint, &memory)
            return memory
        } catch {
            free(memory.baseAddress)
            throw error
        }
    }

    // The first tree determines the layout except for the number of features, which comes last in the file. The parts
    // before the leaves are small, so space is reserved for the largest number of features, and the parts are moved
    // together at the end.

    private static func readForest(
        _ reader: inout DlibModelReader, _ modelSize: Int, _ cascade: Int, _ cascadeCount: Int,
        _ layout: inout CascadeLayout?,
        _ memory: inout UnsafeMutableRawBufferPointer
    ) throws(DlibModelReader.FormatError) {
        let treeCount = try reader.count(upTo: CLANDMARKCASCADE_TREES, bytesEach: 8)
        for tree in 0..<treeCount {
            let splitCount = try reader.count(upTo: 255, bytesEach: 8)
            var splits: [DlibModelReader.Split] = []
            for _ in 0..<splitCount { splits.append(try reader.split()) }
            let leafCount = try reader.count(upTo: 256, bytesEach: 4 * CascadeLayout.coordinateCount)
            let depth = leafCount.trailingZeroBitCount
            guard leafCount == 1 << depth, splitCount == leafCount - 1 else {
                throw DlibModelReader.FormatError(
                    description: "a tree has \(splitCount) splits and \(leafCount) leaves")
            }
            let own = CascadeLayout(
                cascadeCount: cascadeCount, treeCount: treeCount, depth: depth,
                featureCount: CLANDMARKCASCADE_FEATURES)
            if layout == nil {
                // Each number takes four bytes of the file at least.
                guard own.isSound, own.size - own.leaves <= modelSize, let start = calloc(1, own.size) else {
                    throw DlibModelReader.FormatError(
                        description: "its \(cascadeCount) × \(treeCount) trees are too many")
                }
                memory = UnsafeMutableRawBufferPointer(start: start, count: own.size)
                layout = own
            }
            guard let layout, layout == own else {
                throw DlibModelReader.FormatError(description: "its trees differ in size")
            }
            for (index, split) in splits.enumerated() {
                try store(split, at: (cascade * treeCount + tree) * splitCount + index, layout, &memory)
            }
            let firstLeaf = (cascade * treeCount + tree) * leafCount
            for leaf in 0..<leafCount {
                let start = layout.leaves + 4 * (firstLeaf + leaf) * CascadeLayout.coordinateCount
                try reader.column(of: CascadeLayout.coordinateCount) { index, value in
                    memory.storeBytes(of: value, toByteOffset: start + 4 * index, as: Float.self)
                }
            }
        }
        guard let layout, layout.treeCount == treeCount else {
            throw DlibModelReader.FormatError(description: "its cascades differ in size")
        }
    }

    private static func store(
        _ split: DlibModelReader.Split, at index: Int, _ layout: CascadeLayout,
        _ memory: inout UnsafeMutableRawBufferPointer
    ) throws(DlibModelReader.FormatError) {
        guard let first = UInt16(exactly: split.first), let second = UInt16(exactly: split.second) else {
            throw DlibModelReader.FormatError(
                description: "a split reads the pixels \(split.first) and \(split.second)")
        }
        // Differences of pixels are integers: d > t is equivalent to d > floor(t).
        let threshold = Int16(max(-32768, min(32767, split.threshold.rounded(.down))))
        memory.storeBytes(
            of: clandmarkcascade_split(first: first, second: second, threshold: threshold),
            toByteOffset: layout.splits + MemoryLayout<clandmarkcascade_split>.stride * index,
            as: clandmarkcascade_split.self)
    }

    private static func readFeatures(
        _ reader: inout DlibModelReader, _ layout: inout CascadeLayout, _ memory: inout UnsafeMutableRawBufferPointer
    ) throws(DlibModelReader.FormatError) {
        let limit = CLANDMARKCASCADE_FEATURES
        var anchors: [[Int]] = []
        var deltas: [[Point]] = []
        guard try reader.count(upTo: 64, bytesEach: 2) == layout.cascadeCount else {
            throw DlibModelReader.FormatError(description: "the numbers of anchor lists and cascades differ")
        }
        for _ in 0..<layout.cascadeCount {
            let count = try reader.count(upTo: limit, bytesEach: 2)
            var list: [Int] = []
            for _ in 0..<count { list.append(try reader.integer()) }
            anchors.append(list)
        }
        guard try reader.count(upTo: 64, bytesEach: 4) == layout.cascadeCount else {
            throw DlibModelReader.FormatError(description: "the numbers of delta lists and cascades differ")
        }
        for _ in 0..<layout.cascadeCount {
            let count = try reader.count(upTo: limit, bytesEach: 4)
            var list: [Point] = []
            for _ in 0..<count { list.append(try reader.point()) }
            deltas.append(list)
        }
        let featureCount = anchors[0].count
        guard anchors.allSatisfy({ $0.count == featureCount }), deltas.allSatisfy({ $0.count == featureCount }),
            anchors.joined().allSatisfy({ (0..<Landmarks.count).contains($0) })
        else { throw DlibModelReader.FormatError(description: "its pixels do not match its landmarks") }

        let roomy = layout
        layout.featureCount = featureCount
        // Moves splits and leaves towards the front; `memmove` because source and target overlap.
        let splitBytes =
            MemoryLayout<clandmarkcascade_split>.stride * layout.cascadeCount * layout.treeCount * layout.splitCount
        if let base = memory.baseAddress {
            memmove(base + layout.splits, base + roomy.splits, splitBytes)
            memmove(base + layout.leaves, base + roomy.leaves, roomy.size - roomy.leaves)
        }
        memory = UnsafeMutableRawBufferPointer(rebasing: memory[..<layout.size])
        for (cascade, list) in anchors.enumerated() {
            for (index, anchor) in list.enumerated() {
                let place = cascade * featureCount + index
                memory.storeBytes(of: UInt16(anchor), toByteOffset: layout.anchors + 2 * place, as: UInt16.self)
                memory.storeBytes(
                    of: deltas[cascade][index], toByteOffset: layout.deltas + 8 * place, as: SIMD2<Float>.self)
            }
        }
        guard CascadeView(layout: layout, bytes: UnsafeRawBufferPointer(memory)).splitsAreSound else {
            throw DlibModelReader.FormatError(description: "a split reads a pixel that does not exist")
        }
    }

    private static func writeHeader(
        _ layout: CascadeLayout, _ fingerprint: UInt64, _ memory: inout UnsafeMutableRawBufferPointer
    ) {
        let payload = UnsafeRawBufferPointer(rebasing: memory[CascadeLayout.headerSize...])
        let checksum = Checksum.of(payload)
        memory[..<CascadeLayout.headerSize].initializeMemory(as: UInt8.self, repeating: 0)
        let words: [UInt64] = [
            CascadeLayout.magic, fingerprint, checksum, UInt64(layout.cascadeCount), UInt64(layout.treeCount),
            UInt64(layout.depth), UInt64(layout.featureCount),
        ]
        for (index, word) in words.enumerated() {
            memory.storeBytes(of: word, toByteOffset: 8 * index, as: UInt64.self)
        }
    }
}

/// A converted model in memory that the caller owns.
struct CascadeView {
    let layout: CascadeLayout
    let bytes: UnsafeRawBufferPointer

    init(layout: CascadeLayout, bytes: UnsafeRawBufferPointer) {
        self.layout = layout
        self.bytes = bytes
    }

    /// Nil unless the bytes are a whole, undamaged model made from the file with that fingerprint.
    init?(checking bytes: UnsafeRawBufferPointer, fingerprint: UInt64) {
        guard bytes.count >= CascadeLayout.headerSize else { return nil }
        let words = (0..<7).map { bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) }
        guard words[0] == CascadeLayout.magic, words[1] == fingerprint, words[3...].allSatisfy({ $0 < 1 << 16 }) else {
            return nil
        }
        layout = CascadeLayout(
            cascadeCount: Int(words[3]), treeCount: Int(words[4]), depth: Int(words[5]), featureCount: Int(words[6]))
        self.bytes = bytes
        guard layout.isSound, bytes.count == layout.size else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[CascadeLayout.headerSize...])
        guard Checksum.of(payload) == words[2] else { return nil }
        // The evaluation does not check these indices, so they are checked even when the checksum is right.
        guard splitsAreSound, anchorsAreSound else { return nil }
    }

    var splitsAreSound: Bool {
        let count = layout.cascadeCount * layout.treeCount * layout.splitCount
        return (0..<count).allSatisfy { index in
            let split = bytes.load(
                fromByteOffset: layout.splits + MemoryLayout<clandmarkcascade_split>.stride * index,
                as: clandmarkcascade_split.self)
            return Int(split.first) < layout.featureCount && Int(split.second) < layout.featureCount
        }
    }

    private var anchorsAreSound: Bool {
        (0..<(layout.cascadeCount * layout.featureCount)).allSatisfy {
            bytes.load(fromByteOffset: layout.anchors + 2 * $0, as: UInt16.self) < UInt16(Landmarks.count)
        }
    }

    /// Calls `body` with the C description of the model.
    func withModel<Result>(_ body: (UnsafePointer<clandmarkcascade_model>) -> Result) -> Result? {
        guard let base = bytes.baseAddress else { return nil }
        var model = clandmarkcascade_model(
            cascade_count: Int32(layout.cascadeCount), tree_count: Int32(layout.treeCount), depth: Int32(layout.depth),
            feature_count: Int32(layout.featureCount),
            mean_shape: (base + layout.meanShape).assumingMemoryBound(to: Float.self),
            anchors: (base + layout.anchors).assumingMemoryBound(to: UInt16.self),
            deltas: (base + layout.deltas).assumingMemoryBound(to: Float.self),
            splits: (base + layout.splits).assumingMemoryBound(to: clandmarkcascade_split.self),
            leaves: (base + layout.leaves).assumingMemoryBound(to: Float.self))
        return body(&model)
    }
}
