import Files

extension HEIFHeader {
    /// Pictures of pictures of pictures: more than any camera or editor nests.
    private static let deepestItem = 16

    /// Whether what the file's items need of each other (ISO/IEC 14496-12, 8.11.12) ends after a few steps: the tiles of
    /// a grid, the parts of an overlay, a picture's transparency. libheif 1.15 follows items that need themselves until its
    /// stack is full.
    static func itemsEnd<Source: ByteSource>(_ source: Source) -> Bool {
        var budget = boxLimit
        var needs: [(item: Int, part: Int)] = []
        var file = 0..<Int.max
        while let meta = next(in: &file, source, &budget) {
            guard meta.type == code("meta"), meta.content.count >= 4 else { continue }
            var content = meta.content.dropFirst(4)
            while let box = next(in: &content, source, &budget) {
                if box.type == code("iref"), !collect(&needs, in: box.content, source, &budget) { return false }
            }
        }
        for _ in 0..<deepestItem where !needs.isEmpty {
            // What needs nothing more is complete.
            let incomplete = Set(needs.map(\.item))
            needs.removeAll { !incomplete.contains($0.part) }
        }
        return needs.isEmpty && budget > 0
    }

    /// Adds the references of a box of references. False where it contradicts itself.
    private static func collect<Source: ByteSource>(
        _ needs: inout [(item: Int, part: Int)], in content: Range<Int>, _ source: Source, _ budget: inout Int
    ) -> Bool {
        let width = source.byte(at: content.lowerBound) == 0 ? 2 : 4
        func item(at place: Int, _ source: Source) -> Int? {
            width == 2 ? source.big16(at: place) : source.big32(at: place)
        }
        var place = content.lowerBound + 4
        while place < content.upperBound {
            guard let size = source.big32(at: place), let type = source.big32(at: place + 4),
                let from = item(at: place + 8, source), let count = source.big16(at: place + 8 + width),
                size == 10 + width + count * width, size <= content.upperBound - place, budget > count
            else { return false }
            budget -= 1 + count
            for index in 0..<count {
                guard let to = item(at: place + 10 + width + index * width, source) else { return false }
                if type == code("dimg") { needs.append((from, to)) }
                if type == code("auxl") { needs.append((to, from)) }
            }
            place += size
        }
        return true
    }
}
