import FaceGeometry
import Pixels

/// Whether a cut is certain, and sharp, at the place of a face: then its cover need not reach across.
///
/// A frame beside the cut is compared with the scene beyond it and with its own, in blocks around the face. If the frame is a
/// mixture, r = own + share · (beyond − own), least squares give the share. Where nothing but the own scene is to be seen, it is
/// about 0. Movement in the own scene makes it uncertain, and then the cover stays.
enum CutSharpness {
    /// From the centre of the face, how far it is compared, in sides of the box: as far as a cover reaches.
    private static let reach = FaceBoxTracks.Constant.coverReach
    /// Blocks in a row and in a column.
    private static let blocks = 4
    /// Blocks of which both scenes look alike tell nothing: their mean square difference is less, in grey values squared.
    private static let leastContrast: Float = 100
    /// How many blocks must tell something.
    private static let fewestBlocks = 8
    /// The largest share of the other scene in any block, and of the whole.
    private static let largestShare: (inBlock: Float, inAll: Float) = (0.25, 0.04)

    /// - Parameters:
    ///   - box: of the face, in pixels of the pictures.
    ///   - frame: the one beside the cut; grey, as the others.
    ///   - own: of the same scene, some frames farther from the cut.
    ///   - beyond: the frame on the other side of the cut.
    static func isSharp(
        at box: OrientedBox, frame: borrowing PixelBuffer, own: borrowing PixelBuffer, beyond: borrowing PixelBuffer
    ) -> Bool {
        guard frame.bounds == own.bounds, frame.bounds == beyond.bounds else { return false }
        let (low, high) = (box.center - reach * box.side, box.center + reach * box.side)
        func edge(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit), value.rounded()))) }
        let columns = edge(low.x, frame.width)..<edge(high.x, frame.width)
        let rows = edge(low.y, frame.height)..<edge(high.y, frame.height)
        guard columns.count >= blocks, rows.count >= blocks else { return false }
        var (all, telling) = ((product: Float(0), square: Float(0)), 0)
        for block in 0..<blocks * blocks {
            let (row, column) = block.quotientAndRemainder(dividingBy: blocks)
            let (rows, columns) = (part(row, of: rows), part(column, of: columns))
            let sums = sums(rows, columns, frame, own, beyond)
            guard sums.square >= leastContrast * Float(rows.count * columns.count) else { continue }
            if abs(sums.product) > largestShare.inBlock * sums.square { return false }
            telling += 1
            (all.product, all.square) = (all.product + sums.product, all.square + sums.square)
        }
        return telling >= fewestBlocks && abs(all.product) <= largestShare.inAll * all.square
    }

    private static func part(_ index: Int, of range: Range<Int>) -> Range<Int> {
        let (first, count) = (range.lowerBound, range.count)
        return first + index * count / blocks..<first + (index + 1) * count / blocks
    }

    /// Of (frame − own) · (beyond − own), and of the square of the second.
    private static func sums(
        _ rows: Range<Int>, _ columns: Range<Int>, _ frame: borrowing PixelBuffer, _ own: borrowing PixelBuffer,
        _ beyond: borrowing PixelBuffer
    ) -> (product: Float, square: Float) {
        let stride = (frame.bytesPerRow, own.bytesPerRow, beyond.bytesPerRow)
        return frame.withUnsafeBytes { frame in
            own.withUnsafeBytes { own in
                beyond.withUnsafeBytes { beyond in
                    var (product, square) = (0, 0)
                    for y in rows {
                        for x in columns {
                            let home = Int(own[y * stride.1 + x])
                            let away = Int(beyond[y * stride.2 + x]) - home
                            product += (Int(frame[y * stride.0 + x]) - home) * away
                            square += away * away
                        }
                    }
                    return (Float(product), Float(square))
                }
            }
        }
    }
}
