import Compositing
import Display
import FaceGeometry

/// Draws a cover on a canvas so that one sees what is below it.
struct CoverDrawing {
    let canvas: Canvas
    let view: PictureNavigation.View

    /// From one line of a pattern to the next, in window units.
    private static let spacing: Float = 11
    private static let dash: Float = 7

    /// - Parameters:
    ///   - isChosen: whether keys act on it.
    ///   - isSeenThrough: whether only its outline is drawn.
    func draw(_ face: ReviewFace, isChosen: Bool, isSeenThrough: Bool = false) {
        let corners = face.cover.corners.map(view.canvas)
        guard corners.count > 2 else { return }
        let color = ReviewColors.of(face)
        if face.isCovered, !isSeenThrough {
            canvas.area(corners, color: Canvas.Color(10, 12, 16, 90))
            for line in Self.hatching(of: corners, within: canvas.size, isRising: !face.isAdded) {
                canvas.line(from: line.from, to: line.to, thickness: 1, color: color.with(alpha: 110))
            }
        }
        outline(
            corners, thickness: isChosen ? 7 : 4, color: isChosen ? ReviewColors.chosen : .init(0, 0, 0, 150),
            isDashed: false)
        outline(corners, thickness: isChosen ? 3 : 2, color: color, isDashed: !face.isCovered)
        if face.isDoubtful, let top = corners.map(\.y).min() {
            let middle = corners.map(\.x).reduce(0, +) / Float(corners.count)
            let place = Point(middle, max(10, top))
            canvas.disc(at: place, radius: 9, color: Canvas.Color(0, 0, 0, 220))
            canvas.text("?", at: place - Point(3, 8), color: color)
        }
    }

    /// As the result will show it.
    func drawOpaque(_ face: ReviewFace) {
        guard face.isCovered else { return }
        canvas.area(face.cover.corners.map(view.canvas), color: FaceCover.color)
    }

    private func outline(_ corners: [Point], thickness: Float, color: Canvas.Color, isDashed: Bool) {
        var rest: Float = 0
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            guard isDashed else {
                canvas.line(from: a, to: b, thickness: thickness, color: color)
                continue
            }
            let length = (b - a).length
            guard length > 0 else { continue }
            // Dashes go on around corners. One that is magnified has as many dashes as are in sight, at most.
            var start = -rest
            while start < length {
                let (from, to) = (max(0, start), min(length, start + Self.dash))
                if from < to {
                    canvas.line(
                        from: a + from / length * (b - a), to: a + to / length * (b - a), thickness: thickness,
                        color: color)
                }
                start += max(2 * Self.dash, length / 200)
            }
            rest = max(2 * Self.dash, length / 200) - (start - length)
        }
    }

    /// Parallel lines across a convex area.
    /// - Parameters:
    ///   - size: of the part around the origin in which lines are needed.
    ///   - isRising: to the right.
    static func hatching(
        of corners: [Point], within size: Point, isRising: Bool
    ) -> [(from: Point, to: Point)] {
        // Across the lines.
        let normal = Point(1, isRising ? 1 : -1)
        func place(_ point: Point) -> Float { (point * normal).sum() }
        let sight = [Point.zero, Point(size.x, 0), Point(0, size.y), size].map(place)
        let places = corners.map(place)
        guard let low = places.min(), let high = places.max(), let first = sight.min(), let last = sight.max() else {
            return []
        }
        var lines: [(from: Point, to: Point)] = []
        var level = (max(low, first) / spacing).rounded(.up) * spacing
        while level < min(high, last) {
            var ends: [Point] = []
            for index in corners.indices {
                let next = (index + 1) % corners.count
                let (a, b) = (places[index] - level, places[next] - level)
                if (a < 0) != (b < 0) { ends.append(corners[index] + a / (a - b) * (corners[next] - corners[index])) }
            }
            if ends.count >= 2 { lines.append((ends[0], ends[1])) }
            level += spacing
        }
        return lines
    }
}
