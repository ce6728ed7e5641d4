import FaceGeometry

/// Two equal parts of a room, for a photograph and its result: beside each other, or above each other where they are larger so.
package struct ComparisonHalves: Equatable {
    /// Of each.
    package let size: Point
    /// The corner of the second one; the first one begins at 0.
    package let second: Point

    private static let gap: Float = 12

    /// - Parameters:
    ///   - picture: the size of each picture, in any unit.
    ///   - room: in the window's units, as the result.
    package init(of picture: Point, in room: Point) {
        let beside = Point(max(1, (room.x - Self.gap) / 2), room.y)
        let above = Point(room.x, max(1, (room.y - Self.gap) / 2))
        let isBeside = (beside / picture).min() >= (above / picture).min()
        size = isBeside ? beside : above
        second = isBeside ? Point(beside.x + Self.gap, 0) : Point(0, above.y + Self.gap)
    }
}
