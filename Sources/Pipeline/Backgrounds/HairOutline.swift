import Glibc
import MaskComposition

/// How far hair lies beyond the face's outline above the chin, by the direction from the middle of the face. Where it reaches a
/// place where no hair may be, or is much thicker than elsewhere, something beside the head was taken for it and its own edge is
/// not seen: there it is as thick as it typically is. Lengths are in heights of the face.
struct HairOutline {
    /// Directions, clockwise from below the face, and those above its middle.
    private static let count = 48
    private static let upper = count / 4..<count * 3 / 4
    /// So many of those must show an edge.
    private static let fewest = 4
    /// The most that is typical.
    private static let most: Float = 0.2
    /// More than what is typical times the first plus the second is not believed.
    private static let believed: (factor: Float, more: Float) = (1.8, 0.1)
    /// So thick is hair then, and over this length it ends.
    private static let assumed: (factor: Float, more: Float) = (1.2, 0.04)
    private static let end: Float = 0.08
    /// Hair that is narrower than the first beside the lower face is short, from the second on it may hang down.
    private static let full: (none: Float, all: Float) = (0.06, 0.14)
    private static let lowerFace: Float = 0.22

    private var thickness = [Float](repeating: 0, count: count)
    private var limits = [Float](repeating: 0, count: count)
    private var isOpen = [Bool](repeating: false, count: count)
    private var seen: [Float] = []

    /// Ends hair where its edge is not seen.
    /// - Parameters:
    ///   - found: how far each cell is hair, 0…1.
    ///   - isHair: whether it is connected with the hair about the upper face.
    ///   - chin: its row of cells.
    mutating func limit(_ found: inout [Float], _ isHair: [Bool], _ places: borrowing HairPlaces, above chin: Int) {
        let cells = 0..<chin * HairPlaces.side
        for direction in 0..<Self.count { (thickness[direction], isOpen[direction]) = (0, false) }
        for index in cells where isHair[index] && !places.isFace[index] && found[index] > 0.5 {
            let direction = Self.direction(index, places)
            thickness[direction] = max(thickness[direction], Self.outside(index, places))
            if places.reach[index] < 0.5 { isOpen[direction] = true }
        }
        seen.removeAll(keepingCapacity: true)
        for direction in Self.upper where !isOpen[direction] && thickness[direction] > 0 {
            seen.append(thickness[direction])
        }
        guard seen.count >= Self.fewest else { return }
        seen.sort()
        let typical = min(Self.most, seen[seen.count / 3])
        // There is more of a head behind a face that is turned.
        let turn = places.turn * places.turn
        let believed = Self.believed.factor * typical
        for direction in Self.upper where thickness[direction] > believed + Self.believed.more + 2 * turn {
            isOpen[direction] = true
        }
        // What stands beside hair goes on downwards.
        for step in 1...Self.upper.lowerBound {
            let (right, left) = (Self.upper.lowerBound - step, Self.upper.upperBound - 1 + step)
            if isOpen[right + 1], thickness[right] > believed { isOpen[right] = true }
            if isOpen[left - 1], thickness[left] > believed { isOpen[left] = true }
        }
        let assumed = Self.assumed.factor * typical + Self.assumed.more + turn
        for direction in 0..<Self.count {
            limits[direction] = isOpen[direction] ? assumed : max(assumed, thickness[direction] + Self.end)
        }
        for index in cells where found[index] > 0 && !places.isFace[index] {
            let direction = Self.direction(index, places)
            let (before, after) = (max(0, direction - 1), min(Self.count - 1, direction + 1))
            let limit = (limits[before] + limits[direction] + limits[after]) / 3
            found[index] *= 1 - smoothstep(limit, limit + Self.end, Self.outside(index, places))
        }
    }

    private static func direction(_ index: Int, _ places: borrowing HairPlaces) -> Int {
        let x = Float(index % HairPlaces.side) - places.center.x
        let y = Float(index / HairPlaces.side) - places.center.y
        return min(count - 1, max(0, Int(Float(count) * (0.5 + atan2(x, -y) / (2 * .pi)))))
    }

    private static func outside(_ index: Int, _ places: borrowing HairPlaces) -> Float {
        HairPlaces.cell / 3 * Float(places.fromFace[index])
    }

    /// From left to right, in cells: the face and the hair beside it.
    static func extent(
        _ isHair: [Bool], _ places: borrowing HairPlaces, above chin: Int
    ) -> (low: Float, high: Float) {
        let side = HairPlaces.side
        let brows = Int(max(0, min(Float(chin), places.brows)))
        var (low, high) = (side, 0)
        for index in brows * side..<chin * side
        where places.isFace[index] || isHair[index] && outside(index, places) < 0.6 {
            low = min(low, index % side)
            high = max(high, index % side)
        }
        return (Float(low), Float(high))
    }

    /// Whether hair is wide enough beside the lower face, where it is widest, to hang down farther, 0…1.
    static func fullness(_ isHair: [Bool], _ places: borrowing HairPlaces, above chin: Int) -> Float {
        let side = HairPlaces.side
        let rows = max(0, chin - Int(lowerFace / HairPlaces.cell))..<chin
        var (left, right) = (0, 0)
        for index in rows.lowerBound * side..<rows.upperBound * side where isHair[index] {
            if Float(index % side) < places.center.x { left += 1 } else { right += 1 }
        }
        let width = HairPlaces.cell * Float(max(left, right)) / Float(max(1, rows.count))
        return smoothstep(full.none, full.all, width)
    }
}
