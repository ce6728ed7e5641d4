import Display
import FaceGeometry

/// A bar for each track of a clip, in rows, the marks that somebody has set, and the place that is shown.
struct TimeLine {
    static let height: Float = 84
    private static let largestRow: Float = 12

    /// The row of each track: those in a row do not overlap.
    private let rows: [Int]
    private let rowCount: Int
    private let frameCount: Int

    init(_ tracks: [ClipFaces.Track], frameCount: Int) {
        var ends: [Int] = []
        rows = tracks.map { track in
            if let row = ends.firstIndex(where: { $0 <= track.first }) {
                ends[row] = track.frames.upperBound
                return row
            }
            ends.append(track.frames.upperBound)
            return ends.count - 1
        }
        rowCount = max(1, ends.count)
        self.frameCount = max(1, frameCount)
    }

    /// What was clicked.
    enum Click: Equatable {
        case track(Int)
        case frame(Int)
    }

    /// - Returns: what the mouse chooses.
    func draw(_ faces: ClipFaces, frame: Int, track chosen: Int?, _ canvas: Canvas) -> Click? {
        canvas.rectangle(at: .zero, size: canvas.size, color: Canvas.Color(14, 14, 16, 255))
        let room = canvas.size.y - 18
        let row = min(Self.largestRow, room / Float(rowCount))
        func x(_ frame: Int) -> Float { canvas.size.x * Float(frame) / Float(frameCount) }
        let half = canvas.size.x / Float(2 * frameCount)
        var clicked: Click?
        for (index, track) in faces.tracks.enumerated() {
            let place = Point(x(track.first), 14 + Float(rows[index]) * row)
            let size = Point(max(3, x(track.frames.upperBound) - place.x), max(1, row - 2))
            let color =
                track.isAdded
                ? ReviewColors.added : track.uncovering == nil ? ReviewColors.covered : ReviewColors.uncovered
            if index == chosen {
                canvas.rectangle(at: place - 2, size: size + 4, color: ReviewColors.chosen)
            }
            canvas.rectangle(at: place, size: size, color: Canvas.Color(14, 14, 16, 255))
            canvas.rectangle(at: place, size: size, color: color.with(alpha: track.isLookedAt ? 110 : 255))
            let reach = Point(3, row < 6 ? 1 : 0)
            if canvas.isPressed, all(canvas.mouse .>= place - reach), all(canvas.mouse .<= place + size + reach) {
                clicked = .track(index)
            }
        }
        for mark in faces.marks {
            canvas.disc(at: Point(x(mark.frame) + half, canvas.size.y - 5), radius: 4, color: ReviewColors.added)
        }
        let cursor = x(frame) + half
        canvas.line(from: Point(cursor, 0), to: Point(cursor, canvas.size.y), thickness: 2, color: ReviewColors.chosen)
        if let clicked { return clicked }
        guard canvas.isHeld || canvas.isPressed else { return nil }
        // The mouse may be anywhere, also nowhere.
        return .frame(Int(max(0, min(Float(frameCount - 1), canvas.mouse.x / canvas.size.x * Float(frameCount)))))
    }
}
