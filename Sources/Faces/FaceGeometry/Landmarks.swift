/// A point in the plane: x to the right, y down. In pictures in pixels, with pixel centres at +0.5; on the reference
/// face in canonical UV (0…1 of the square's side).
package typealias Point = SIMD2<Float>

/// One value for each landmark, stored inline: following faces makes new ones in every frame and must not allocate.
///
/// The number of landmarks stands here and in `Landmarks.topology`, and nowhere else.
package typealias PerLandmark<Value> = InlineArray<68, Value>

/// The landmarks of a face, in the order of `topology`.
package struct Landmarks: Sendable {
    /// The scheme in which the whole program describes faces.
    package static let topology = LandmarkTopology.ibug68
    package static let count = 68
    package typealias Storage = PerLandmark<Point>

    private var storage: Storage

    /// Nil unless there are `count` finite points.
    package init?(_ points: [Point]) {
        guard points.count == Self.count else { return nil }
        self.init(Storage { points[$0] })
    }

    /// Nil unless all points are finite.
    package init?(_ storage: Storage) {
        self.storage = storage
        for index in storage.indices where !(storage[index].x.isFinite && storage[index].y.isFinite) { return nil }
    }

    package subscript(index: Int) -> Point { storage[index] }

    /// A copy in an array of `count` points.
    package var points: [Point] { Array(storage) }

    package func append(to points: inout [Point]) { for index in storage.indices { points.append(storage[index]) } }

    package func mapped(_ transform: (Point) -> Point) -> Landmarks {
        mappedWithIndex { _, point in transform(point) }
    }

    package func mappedWithIndex(_ transform: (Int, Point) -> Point) -> Landmarks {
        var result = self
        for index in storage.indices { result.storage[index] = transform(index, storage[index]) }
        return result
    }

    /// The smallest upright box around all landmarks.
    package var bounds: FaceBox {
        var (low, high) = (storage[0], storage[0])
        for index in storage.indices {
            low = pointwiseMin(low, storage[index])
            high = pointwiseMax(high, storage[index])
        }
        return FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// Whether the picture shows the face mirrored, with its right and left exchanged.
    package var isMirrored: Bool {
        let topology = Self.topology
        let across = storage[topology.leftEyeOuterCorner] - storage[topology.rightEyeOuterCorner]
        let down = storage[topology.chin] - storage[topology.noseRoot]
        return across.x * down.y - across.y * down.x < 0
    }

    /// The mean of all landmarks.
    package var center: Point {
        var sum = Point.zero
        for index in storage.indices { sum += storage[index] }
        return sum / Float(Self.count)
    }

    /// The mean of some landmarks.
    package func center(of indices: [Int]) -> Point {
        var sum = Point.zero
        for index in indices { sum += storage[index] }
        return sum / Float(indices.count)
    }

    /// Distance between the ears, in the unit of the points.
    package var width: Float { (self[Self.topology.leftEar] - self[Self.topology.rightEar]).length }

    /// Distance between the outer corners of the eyes, the usual measure of a face's size (300-W).
    package var interocularDistance: Float {
        (self[Self.topology.leftEyeOuterCorner] - self[Self.topology.rightEyeOuterCorner]).length
    }
}

extension Landmarks: Equatable {
    package static func == (a: Landmarks, b: Landmarks) -> Bool {
        for index in 0..<count where a.storage[index] != b.storage[index] { return false }
        return true
    }
}

extension Array {
    /// The values of an inline array. Through a span: an index into a stored inline array copies all of it first.
    init<let count: Int>(_ values: borrowing InlineArray<count, Element>) {
        self.init()
        reserveCapacity(count)
        let span = values.span
        for index in span.indices { append(span[index]) }
    }
}

extension SIMD2<Float> {
    package var length: Float { (self * self).sum().squareRoot() }
}
