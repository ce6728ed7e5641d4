import FaceGeometry
import Occlusion

/// The part of a matte's box in which something is in front of the face, as rectangles: hair lies around a face, and
/// most of the box is empty. Its memory is kept from picture to picture.
struct UncoveredArea {
    /// In cells of the matte.
    private struct Run {
        let columns: Range<Int>
        let rows: Range<Int>
    }

    private var runs: [Run] = []
    /// Of the blocks of a row: whether anything is there.
    private var isCovered: [Bool] = []
    private var triangles = ReusedArrays<Triangle>()

    /// A side of the matte has about so many blocks, and a block has at least so many cells on a side.
    private static let (blocks, smallestBlock) = (12, 4)

    /// Lists made so far are no longer needed.
    mutating func beginPicture() { triangles.beginPicture() }

    /// - Returns: what is drawn of the matte, with the place on it as canonical UV, and without texture coordinates; nil
    ///   if nothing is covered.
    mutating func geometry(
        of matte: OcclusionMatte, _ points: inout ReusedArrays<Point>, _ numbers: inout ReusedArrays<Float>
    ) -> LayerGeometry? {
        findRuns(matte)
        guard !runs.isEmpty else { return nil }
        let (runs, size) = (runs, Point(Float(matte.width), Float(matte.height)))
        let places = points.make { result in
            for run in runs {
                let low = Point(Float(run.columns.lowerBound), Float(run.rows.lowerBound)) / size
                let high = Point(Float(run.columns.upperBound), Float(run.rows.upperBound)) / size
                for corner in LayerGeometry.rectangleCorners { result.append(low + corner * (high - low)) }
            }
        }
        let (origin, extent) = (Point(matte.box.x, matte.box.y), Point(matte.box.width, matte.box.height))
        return LayerGeometry(
            triangles: triangles.make { result in
                for first in stride(from: 0, to: places.count, by: 4) {
                    result.append(Triangle(first, first + 1, first + 2))
                    result.append(Triangle(first, first + 2, first + 3))
                }
            },
            positions: points.make { result in for place in places { result.append(origin + place * extent) } },
            textureCoordinates: [], canonicalUV: places,
            visibility: numbers.make { result in for _ in places { result.append(1) } })
    }

    private mutating func findRuns(_ matte: OcclusionMatte) {
        runs.removeAll(keepingCapacity: true)
        func side(_ cells: Int) -> Int { max(Self.smallestBlock, (cells + Self.blocks - 1) / Self.blocks) }
        let (width, height) = (side(matte.width), side(matte.height))
        for top in stride(from: 0, to: matte.height, by: height) {
            let rows = top..<min(top + height, matte.height)
            isCovered.removeAll(keepingCapacity: true)
            for left in stride(from: 0, to: matte.width, by: width) {
                isCovered.append(matte.covers(left..<min(left + width, matte.width), rows))
            }
            var start: Int?
            for block in 0...isCovered.count {
                if block < isCovered.count, isCovered[block] {
                    start = start ?? block
                } else if let first = start.take() {
                    runs.append(Run(columns: first * width..<min(block * width, matte.width), rows: rows))
                }
            }
        }
    }
}

extension OcclusionMatte {
    /// Whether anything is in front of the face in these cells: also what is interpolated from those beside them.
    fileprivate func covers(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        alpha.withUnsafeBufferPointer { alpha in
            let (left, right) = (max(0, columns.lowerBound - 1), min(width, columns.upperBound + 1))
            for y in max(0, rows.lowerBound - 1)..<min(height, rows.upperBound + 1) {
                var all: UInt8 = 0
                for index in y * width + left..<y * width + right { all |= alpha[index] }
                if all > 0 { return true }
            }
            return false
        }
    }
}
