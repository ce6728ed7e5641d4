/// A point in the plane: x to the right, y down. In pictures in pixels, with pixel centres at +0.5; on the reference
/// sheet in shares of its side (0…1).
package typealias Point = SIMD2<Float>

/// The 68 landmarks of a face in iBUG's order (Sagonas et al., "300 Faces in-the-Wild Challenge", 2016).
///
/// "Right" and "left" are the subject's own: the right eye is on the left side of a picture.
package struct Landmarks: Sendable {
    package static let count = 68
    package typealias Storage = InlineArray<68, Point>

    /// Along the jaw from the subject's right ear over the chin (8) to the left ear.
    package static let jaw = 0..<17
    package static let rightBrow = 17..<22
    package static let leftBrow = 22..<27
    package static let noseBridge = 27..<31
    package static let nostrils = 31..<36
    package static let rightEye = 36..<42
    package static let leftEye = 42..<48
    package static let outerLips = 48..<60
    package static let innerLips = 60..<68

    /// In the value itself and not on the heap: following faces makes new ones in every frame.
    private var storage: Storage

    /// Nil unless there are 68 finite points.
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

    /// A copy in an array, always of 68.
    package var points: [Point] { (0..<Self.count).map { storage[$0] } }

    package func mapped(_ transform: (Point) -> Point) -> Landmarks {
        mappedWithIndex { _, point in transform(point) }
    }

    package func mappedWithIndex(_ transform: (Int, Point) -> Point) -> Landmarks {
        var result = self
        for index in storage.indices { result.storage[index] = transform(index, storage[index]) }
        return result
    }

    /// The smallest box around all landmarks.
    package var bounds: FaceBox {
        var (low, high) = (storage[0], storage[0])
        for index in storage.indices {
            low = pointwiseMin(low, storage[index])
            high = pointwiseMax(high, storage[index])
        }
        return FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// Whether the face is seen in a mirror: its right and left are exchanged.
    package var isMirrored: Bool {
        let (across, down) = (storage[45] - storage[36], storage[8] - storage[27])
        return across.x * down.y - across.y * down.x < 0
    }

    /// The mean of some of them.
    package func center(of range: Range<Int>) -> Point {
        var sum = Point.zero
        for index in range { sum += storage[index] }
        return sum / Float(range.count)
    }

    /// Distance between the outer corners of the eyes, the usual measure of a face's size (300-W).
    package var interocularDistance: Float { (self[45] - self[36]).length }

    /// For every landmark the one that takes its place when the picture is mirrored.
    package static let mirrored: [Int] = {
        var result = Array(0..<count)
        func swap(_ pairs: [(Int, Int)]) {
            for (a, b) in pairs {
                result[a] = b
                result[b] = a
            }
        }
        swap((0..<8).map { ($0, 16 - $0) })
        swap((17..<22).map { ($0, 43 - $0) })
        swap([(31, 35), (32, 34)])
        swap([(36, 45), (37, 44), (38, 43), (39, 42), (40, 47), (41, 46)])
        swap([(48, 54), (49, 53), (50, 52), (59, 55), (58, 56)])
        swap([(60, 64), (61, 63), (67, 65)])
        return result
    }()
}

extension Landmarks: Equatable {
    package static func == (a: Landmarks, b: Landmarks) -> Bool {
        for index in 0..<count where a.storage[index] != b.storage[index] { return false }
        return true
    }
}

extension SIMD2<Float> {
    package var length: Float { (self * self).sum().squareRoot() }
}
