import Files

/// The parts of a glTF file: its JSON, and the bytes that follow it in the binary container (glTF 2.0, 4).
struct GLTFContainer {
    let document: Range<Int>
    /// Nil where there are none: in a `.gltf`, which is JSON alone.
    let binary: Range<Int>?

    private static let magic = 0x4654_6C67
    private static let documentType = 0x4E4F_534A
    private static let binaryType = 0x004E_4942

    init(_ file: UnsafeRawBufferPointer) throws(ModelError) {
        guard file.little32(at: 0) == Self.magic else {
            (document, binary) = (0..<file.count, nil)
            try Self.check(document)
            return
        }
        guard file.count >= 20, let version = file.little32(at: 4), let length = file.little32(at: 8) else {
            throw ModelError(.damaged, "is cut off: it has only \(file.count) bytes")
        }
        guard version == 2 else { throw ModelError(.damaged, "is glTF version \(version); Bauta reads version 2") }
        guard length <= file.count else {
            throw ModelError(.damaged, "is cut off: it has \(file.count) of \(length) bytes")
        }
        var place = 12
        var found: (document: Range<Int>?, binary: Range<Int>?)
        while length - place >= 8, let size = file.little32(at: place), let type = file.little32(at: place + 4) {
            guard size <= length - place - 8 else {
                throw ModelError(.damaged, "is damaged: a chunk of \(size) bytes at byte \(place) does not fit into it")
            }
            let content = (place + 8)..<(place + 8 + size)
            if place == 12 {
                guard type == Self.documentType else {
                    throw ModelError(.damaged, "is damaged: its first chunk is not JSON")
                }
                found.document = content
            } else if type == Self.binaryType, found.binary == nil {
                found.binary = content
            }
            // Chunks end at multiples of four; unknown ones are skipped, as the specification asks.
            place = content.upperBound + (4 - size % 4) % 4
        }
        guard let document = found.document else { throw ModelError(.damaged, "is damaged: it has no JSON") }
        (self.document, binary) = (document, found.binary)
        try Self.check(document)
    }

    private static func check(_ document: Range<Int>) throws(ModelError) {
        guard document.count <= ModelLimits.maximumDocumentSize else {
            throw ModelError(
                .tooLarge, "has \(document.count) bytes of JSON, the limit is \(ModelLimits.maximumDocumentSize)")
        }
    }
}
