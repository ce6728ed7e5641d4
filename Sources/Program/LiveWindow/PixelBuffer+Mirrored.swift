import Pixels

extension PixelBuffer {
    /// A mirror image, with left and right exchanged. The format must be `rgba8`.
    borrowing func mirrored() throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            withRow(y) { source in
                result.withMutableRow(y) { row in
                    for x in row.indices { row[x] = source[source.count - 1 - x] }
                }
            }
        }
        return result
    }
}
