import FaceGeometry
import Glibc

/// Where something moves in front of a face, as points show that move unlike its skin. A hand that hides most of a face
/// would outvote it, so what it has reached is remembered.
package struct ForeignPlaces {
    /// Of the grid over the face's box and its surroundings: cells along a side, and half of the side in those of the box.
    private static let (cells, reach): (Int, Float) = (16, 0.7)
    /// How long a place is remembered, in seconds.
    private static let memory: Float = 0.15
    /// Of a place beside one with something foreign: it moves on.
    private static let neighbour: Float = 0.7
    /// How much less a point counts at most.
    private static let most: Float = 0.98
    /// Where fewer points of the face move unlike it, nothing is in front of it: above the first share they begin to count
    /// less, at the sum of both by as much as they are foreign.
    private static let (calm, range): (Float, Float) = (0.04, 0.08)

    /// Shares of foreign points.
    private var shares = InlineArray<256, Float>(repeating: 0)
    /// 0…1; 0: nothing is in front of the face.
    package private(set) var caution: Float = 0

    package init() {}

    /// The points of one frame.
    package struct Observation {
        fileprivate var counts = InlineArray<256, SIMD2<Float>>(repeating: .zero)
        private var total = SIMD2<Float>.zero

        package init() {}

        /// The share of points that are foreign.
        package var share: Float { total.y / max(1, total.x) }

        /// - Parameter isNearMouth: there, skin moves by itself, so that it alone is no sign of anything in front of it.
        package mutating func note(
            _ point: Point, on box: OrientedBox, isForeign: Bool, isNearMouth: Bool = false
        ) {
            let value = SIMD2<Float>(1, isForeign ? 1 : 0)
            if !isNearMouth { total += value }
            if let cell = ForeignPlaces.cell(of: point, on: box) { counts[cell] += value }
        }
    }

    private static func cell(of point: Point, on box: OrientedBox) -> Int? {
        let place = ((point - box.center) / (2 * reach * max(box.side, 1e-6)) + 0.5) * Float(cells)
        guard place.x >= 0, place.y >= 0, place.x < Float(cells), place.y < Float(cells) else { return nil }
        return Int(place.y) * cells + Int(place.x)
    }

    /// How much less a point counts, 0…1.
    package func share(at point: Point, on box: OrientedBox) -> Float {
        guard caution > 0, let cell = Self.cell(of: point, on: box) else { return 0 }
        let (row, column) = (cell / Self.cells, cell % Self.cells)
        var most = shares[cell]
        for y in max(0, row - 1)...min(Self.cells - 1, row + 1) {
            for x in max(0, column - 1)...min(Self.cells - 1, column + 1) {
                most = max(most, Self.neighbour * shares[y * Self.cells + x])
            }
        }
        // It is still seen whether it is foreign.
        return Self.most * caution * most
    }

    /// - Parameter seconds: since the frame before.
    package func learning(_ observed: Observation, seconds: Float) -> ForeignPlaces {
        var result = self
        let kept = exp(-seconds / Self.memory)
        result.caution = max(min(1, max(0, (observed.share - Self.calm) / Self.range)), caution * kept)
        guard result.caution > 0 else {
            result.shares = InlineArray(repeating: 0)
            return result
        }
        for cell in shares.indices {
            let count = observed.counts[cell]
            let seen = count.x > 0 ? count.y / count.x : shares[cell]
            result.shares[cell] = max(seen, shares[cell] * kept)
        }
        return result
    }
}
