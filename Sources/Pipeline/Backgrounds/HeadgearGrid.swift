import FaceGeometry
import GLTF
import Glibc
import MaskComposition

/// A head and the props on it as a camera sees them, in a square of cells that stands upright with the head: where hair
/// would have to stand through headgear, or above it.
struct HeadgearGrid {
    /// Cells of a side.
    static let side = 96
    private static let count = side * side
    /// Of the square, in face widths.
    private static let width: Float = 2.4
    /// A cell, in face widths.
    private static let cell = width / Float(side)
    /// Of the square, in the coordinates of the head.
    private static let center = SIMD3<Float>(0, -0.2, -0.45)
    /// Smaller faces, in pixels, show no hair.
    private static let smallestFace: Float = 24
    /// Headgear covers most of the head above the first height, in the coordinates of the head. Above the second, nothing of a head
    /// is seen above headgear.
    private static let crown: (top: Float, y: Float, share: Float) = (-0.7, -0.5, 0.85)
    /// Props this far behind the skin are hidden by it, in face widths.
    private static let tolerance: Float = 0.03
    /// In face widths from the head: up to the first, hair is pressed, from the second on it is not. About there, nothing
    /// of the person may be seen: an arm, or somebody behind.
    private static let reach: (whole: Float, none: Float) = (0.36, 0.46)
    /// Above the first, in face widths below the eyes, hair is pressed, below the second it is not.
    private static let low: (whole: Float, none: Float) = (0.35, 0.6)
    /// In cells: what is seen through smaller gaps, between a brim and its shadow, belongs to the head.
    private static let gap = 6
    /// How far what is pressed goes on below the edge of props, in thirds of a cell.
    private static let overlap: Int32 = 9

    /// In pixels of the picture.
    private(set) var square = OrientedBox(center: .zero, side: 1, roll: 0)
    /// How far hair is to be pressed in each cell, 0…1, row by row.
    private(set) var pressing = [Float](repeating: 0, count: count)
    /// The first row below which less and less hair is pressed.
    private(set) var lowest = 0
    /// Whether each cell shows the head or its neck, were it bald.
    private(set) var isHead = [Bool](repeating: false, count: count)
    /// Cells in which nothing of the person may be if hair is to be pressed: around it, and below.
    private(set) var (beside, lower) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))

    // MARK: Memory

    /// Of the head, in face widths from the camera; infinite where it is not.
    private var depth = [Float](repeating: .infinity, count: count)
    private var (isTop, isCrown) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))
    private(set) var isProp = [Bool](repeating: false, count: count)
    /// In cells, from the head; from what is seen beside the props.
    private var fromHead = [Int32](repeating: 0, count: count)
    private var (fromPressed, fromKept) = ([Int32](repeating: 0, count: count), [Int32](repeating: 0, count: count))
    private var places: [SIMD3<Float>] = []
    private var stack: [Int] = []

    /// - Parameter scenes: the props of one head.
    /// - Returns: whether they are headgear: they cover the top of the head.
    mutating func lay(_ scenes: [PropScene]) -> Bool {
        guard let first = scenes.first, let head = first.occluder, place(first.camera) else { return false }
        for index in depth.indices {
            (depth[index], isProp[index], isHead[index]) = (.infinity, false, false)
            (isTop[index], isCrown[index]) = (false, false)
        }
        project(head.positions, by: first.camera.headToCamera, first.camera)
        for corner in stride(from: 0, to: head.indices.count, by: 3) {
            let (a, b, c) = (Int(head.indices[corner]), Int(head.indices[corner + 1]), Int(head.indices[corner + 2]))
            let (isTop, isCrown) = (head.positions[a].y < Self.crown.top, head.positions[a].y < Self.crown.y)
            forCells(places[a], places[b], places[c]) { grid, index, distance in
                grid.depth[index] = min(grid.depth[index], distance)
                grid.isHead[index] = true
                if isCrown { grid.isCrown[index] = true }
                if isTop { grid.isTop[index] = true }
            }
        }
        for scene in scenes {
            project(scene.vertices.lazy.map(\.position), by: scene.modelToCamera, scene.camera)
            let indices = scene.model.indices
            for corner in stride(from: 0, to: indices.count, by: 3) {
                let (a, b, c) = (Int(indices[corner]), Int(indices[corner + 1]), Int(indices[corner + 2]))
                forCells(places[a], places[b], places[c]) { grid, index, distance in
                    if distance < grid.depth[index] + Self.tolerance { grid.isProp[index] = true }
                }
            }
        }
        let top = isTop.count { $0 }
        let covered = isTop.indices.count { isTop[$0] && isProp[$0] }
        guard top > 0, Float(covered) >= Self.crown.share * Float(top) else { return false }
        closeGaps()
        findPressing()
        return true
    }

    /// - Returns: false if there is nothing to see.
    private mutating func place(_ camera: HeadCamera) -> Bool {
        let distance = -camera.headToCamera(Self.center).z
        guard distance > 0.3 else { return false }
        let face = camera.focalLength / distance
        let center = camera.project(Self.center)
        let down = camera.project(Self.center + SIMD3(0, 0.5, 0)) - center
        guard face >= Self.smallestFace, face < 1e4, abs(center.x) < 1e5, abs(center.y) < 1e5 else { return false }
        square = OrientedBox(center: center, side: Self.width * face, roll: OrientedBox.roll(ofDown: down))
        return square.roll.isFinite
    }

    /// `places`: in cells, and in face widths from the camera.
    private mutating func project(
        _ positions: some Sequence<SIMD3<Float>>, by transform: AffineTransform3D, _ camera: HeadCamera
    ) {
        let scale = Float(Self.side) / (square.side * square.side)
        let (across, down, origin) = (scale * square.across, scale * square.down, square.origin)
        places.removeAll(keepingCapacity: true)
        for position in positions {
            let place = transform(position)
            let distance = max(-place.z, 0.05)
            let offset = camera.principalPoint + camera.focalLength * Point(place.x, place.y) / distance - origin
            places.append(SIMD3((offset * across).sum(), (offset * down).sum(), distance))
        }
    }

    /// The cells of a triangle, some of them several times.
    private mutating func forCells(
        _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>,
        _ body: (inout HeadgearGrid, _ index: Int, _ distance: Float) -> Void
    ) {
        let (low, high) = (pointwiseMin(a, pointwiseMin(b, c)), pointwiseMax(a, pointwiseMax(b, c)))
        let last = Float(Self.side)
        // Also false for what is no number.
        guard low.x < last, low.y < last, high.x >= 0, high.y >= 0 else { return }
        let size = high - low
        let steps = Int(min(120, max(size.x, size.y) / 0.8).rounded(.up))
        for i in 0...steps {
            for j in 0...(steps - i) {
                let (u, v) = (Float(i) / Float(max(1, steps)), Float(j) / Float(max(1, steps)))
                let place = a + u * (b - a) + v * (c - a)
                guard place.x >= 0, place.y >= 0, place.x < last, place.y < last else { continue }
                body(&self, Int(place.y) * Self.side + Int(place.x), place.z)
            }
        }
    }

    // MARK: Where hair is pressed

    /// Makes small gaps between props, one above the other, parts of them.
    private mutating func closeGaps() {
        let side = Self.side
        for x in 0..<side {
            var last: Int?
            for y in 0..<side where isProp[y * side + x] {
                if let last, y - last - 1 <= Self.gap {
                    for between in last + 1..<y { isProp[between * side + x] = true }
                }
                last = y
            }
        }
    }

    private mutating func findPressing() {
        let side = Self.side
        CellDistances.measure(isHead, side: side, into: &fromHead)
        let isOutside = outside()
        var isPressed = [Bool](repeating: false, count: Self.count)
        for x in 0..<side {
            var isAbove = false
            for y in (0..<side).reversed() {
                let index = y * side + x
                isAbove = isAbove || isProp[index]
                // Of the head itself, only its top is surely below the props.
                isPressed[index] = isAbove && isOutside[index] && (!isHead[index] || isCrown[index])
            }
        }
        CellDistances.measure(isPressed, side: side, into: &fromPressed)
        CellDistances.measure(
            isPressed.indices.map { !isPressed[$0] && !isProp[$0] }, side: side, into: &fromKept)
        // The eyes' row.
        let eyes = Float(side) * (0.5 - Self.center.y / Self.width)
        lowest = max(0, min(side, Int(eyes + Self.low.whole / Self.cell)))
        for index in pressing.indices {
            let below = Self.cell * (Float(index / side) + 0.5 - eyes)
            let distance = Self.cell / 3 * Float(fromHead[index])
            beside[index] =
                isPressed[index] && below < Self.low.whole && distance > Self.reach.whole
                && distance < Self.reach.none + 0.05
            // Long hair, which would be cut, goes on there.
            lower[index] =
                isPressed[index] && below > Self.low.whole && below < Self.low.none && distance < Self.reach.whole / 2
            // Nothing that stays may change: beside it, the colours of two cells are mixed.
            let nearness = fromPressed[index] <= Self.overlap ? Self.share(Float(fromKept[index]), 6, 3) : 0
            pressing[index] =
                nearness * Self.share(distance, Self.reach.whole, Self.reach.none)
                * Self.share(below, Self.low.whole, Self.low.none)
        }
    }

    /// 1 on the side of the first, 0 from the second on.
    private static func share(_ value: Float, _ whole: Float, _ none: Float) -> Float {
        max(0, min(1, (none - value) / (none - whole)))
    }

    /// What is seen beside the props: what they enclose, such as a face behind a visor, is not.
    private mutating func outside() -> [Bool] {
        let side = Self.side
        var isOutside = [Bool](repeating: false, count: Self.count)
        stack.removeAll(keepingCapacity: true)
        for step in 0..<side {
            stack.append(step)
            stack.append(Self.count - 1 - step)
            stack.append(step * side)
            stack.append(step * side + side - 1)
        }
        while let index = stack.popLast() {
            guard !isProp[index], !isOutside[index] else { continue }
            isOutside[index] = true
            let x = index % side
            if x > 0 { stack.append(index - 1) }
            if x < side - 1 { stack.append(index + 1) }
            if index >= side { stack.append(index - side) }
            if index < Self.count - side { stack.append(index + side) }
        }
        return isOutside
    }
}

extension OrientedBox {
    fileprivate static func roll(ofDown down: Point) -> Float { atan2(-down.x, down.y) }
}
