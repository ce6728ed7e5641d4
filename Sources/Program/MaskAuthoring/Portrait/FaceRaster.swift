import FaceGeometry
import Pixels

/// A small, slightly blurred copy of a face and what surrounds it, in which all faces have the same width.
struct FaceRaster {
    /// Width of the face, in cells.
    static let faceWidth: Float = 160
    /// The margin around the face, in face widths: enough to learn the colours of hair and background.
    private static let margin: Float = 0.3
    private static let marginAbove: Float = 0.45

    let width: Int
    let height: Int
    /// Red, green and blue, 0…255, row by row.
    let colors: [SIMD3<Float>]
    /// False where the portrait ends.
    let isInPortrait: [Bool]
    /// The mesh's vertices, in cells.
    let vertices: [Point]
    /// The raster's corner, in pixels of the portrait.
    private let origin: Point
    /// Cells per pixel of the portrait.
    private let scale: Float

    /// - Parameters:
    ///   - portrait: `rgba8`.
    ///   - vertices: in pixels of the portrait.
    init(_ portrait: borrowing PixelBuffer, vertices: [Point]) {
        let faceWidth = max(1, Landmarks.topology.faceWidth(vertices))
        let bounds = FaceBox(around: vertices)
        let scale = Self.faceWidth / faceWidth
        let origin = Point(bounds.x - Self.margin * faceWidth, bounds.y - Self.marginAbove * faceWidth)
        let (width, height) = (
            Int(scale * (bounds.width + 2 * Self.margin * faceWidth)) + 1,
            Int(scale * (bounds.height + (Self.margin + Self.marginAbove) * faceWidth)) + 1
        )
        var channels = [[Float]](repeating: [Float](repeating: 0, count: width * height), count: 3)
        var isInPortrait = [Bool](repeating: false, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let place = origin + (Point(Float(x), Float(y)) + 0.5) / scale
                let color = PortraitMask.color(portrait, at: place, area: 1 / scale)
                let index = y * width + x
                for channel in 0..<3 { channels[channel][index] = Float(color[channel]) }
                isInPortrait[index] =
                    place.x >= 0 && place.y >= 0 && place.x < Float(portrait.width)
                    && place.y < Float(portrait.height)
            }
        }
        let smooth = channels.map {
            CoarseMap(width: width, height: height, values: $0).blurred(reach: 1, times: 3).values
        }
        colors = (0..<width * height).map { SIMD3(smooth[0][$0], smooth[1][$0], smooth[2][$0]) }
        self.vertices = vertices.map { scale * ($0 - origin) }
        (self.width, self.height, self.isInPortrait) = (width, height, isInPortrait)
        (self.origin, self.scale) = (origin, scale)
    }

    /// A place in the portrait, in cells.
    func place(of pixel: Point) -> Point { scale * (pixel - origin) }

    /// The cells in triangles of the mesh.
    func cells(in triangles: [Triangle]) -> [Bool] {
        TriangleCoverage(triangles, vertices, width: width, height: height).bits
    }

    /// `rgba8`.
    func picture() throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    let color = colors[y * width + x]
                    row[x] = SIMD4<UInt8>(UInt8(color.x + 0.5), UInt8(color.y + 0.5), UInt8(color.z + 0.5), 255)
                }
            }
        }
        return result
    }

    /// A mask of cells as numbers, 0 or 1, blurred.
    func blurred(_ cells: [Bool], reach: Int) -> CoarseMap {
        CoarseMap(width: width, height: height, values: cells.map { $0 ? 1 : 0 }).blurred(reach: reach, times: 3)
    }

    /// The largest difference from the cell to the left and the one above, in any channel.
    func gradient(_ index: Int) -> Float {
        var result: Float = 0
        if index % width > 0 { result = max(result, Self.difference(colors[index], colors[index - 1])) }
        if index >= width { result = max(result, Self.difference(colors[index], colors[index - width])) }
        return result
    }

    private static func difference(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        pointwiseMax(a - b, b - a).max()
    }

    /// The cells that are connected to a seed through passable cells, up, down, left and right. A seed belongs to them if
    /// it is passable.
    func cells(connectedTo seeds: [Bool], through isPassable: [Bool]) -> [Bool] {
        var isReached = zip(seeds, isPassable).map { $0 && $1 }
        var waiting = isReached.indices.filter { isReached[$0] }
        func visit(_ index: Int) {
            guard isPassable[index], !isReached[index] else { return }
            isReached[index] = true
            waiting.append(index)
        }
        while let index = waiting.popLast() {
            let x = index % width
            if x > 0 { visit(index - 1) }
            if x + 1 < width { visit(index + 1) }
            if index >= width { visit(index - width) }
            if index + width < isPassable.count { visit(index + width) }
        }
        return isReached
    }
}
