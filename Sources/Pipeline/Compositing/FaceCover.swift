import FaceGeometry
import FaceTracking
import Glibc
import Pixels

/// Covers a face, usually with an opaque area of one colour, so that nothing of it is left. A blur or a mosaic leaves enough to
/// recognise people by (McPherson, Shokri & Shmatikov, "Defeating Image Obfuscation with Deep Learning", 2016); a mask
/// leaves eyes, mouth and the outline unmasked.
package struct FaceCover {
    /// How a cover looks.
    package enum Style: String, CaseIterable, Sendable {
        /// Of one colour. This hides all.
        case solid
        /// A drawn face, which is nobody's. This hides all but the direction in which the head is tilted.
        case face
        /// Two to three squares across the face, of their mean colours.
        case mosaic
        /// The same, without edges.
        case blur
    }

    /// The colour in which all faces are covered; the same for all, because the mean of a face tells its skin.
    package static let color = SIMD4<UInt8>(72, 72, 72, 255)
    /// How far the cover reaches beyond landmarks, head points and box, in widths of the box: over ears and hair, and over
    /// what landmarks on a turned head miss.
    private static let margin: Float = 0.3
    /// The same for a place without landmarks, in sides of its box.
    private static let unsureMargin: Float = 0.35

    /// The corners of a convex polygon, in pixels of the picture, in order around it.
    package let corners: [Point]
    /// Where the face is, in the convention of dlib's detector.
    private let box: OrientedBox

    package init(_ face: Face) {
        let box = face.box
        let width = max(box.width, face.landmarks.bounds.width)
        let points = face.vertices + OrientedBox(box).corners
        self.init(
            around: points, margin: Self.margin * width, box: OrientedBox(around: face.landmarks, uprightRoll: 0))
    }

    package init(_ face: UnsureFace) {
        self.init(around: face.box.corners, margin: Self.unsureMargin * face.box.side, box: face.box)
    }

    /// The hull of circles around points.
    private init(around points: [Point], margin: Float, box: OrientedBox) {
        self.box = box
        let count = 16
        // A polygon around the circle, not in it.
        let radius = margin / cos(.pi / Float(count))
        let circle = (0..<count).map { index in
            let angle = 2 * Float.pi * Float(index) / Float(count)
            return radius * Point(cos(angle), sin(angle))
        }
        corners = Self.hull(
            points.filter { $0.x.isFinite && $0.y.isFinite }.flatMap { point in circle.map { point + $0 } })
    }

    /// The convex hull, counter-clockwise as seen with y up (Andrew, "Another efficient algorithm for convex hulls in two
    /// dimensions", 1979).
    private static func hull(_ points: [Point]) -> [Point] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var result: [Point] = []
            for point in points {
                while result.count >= 2 {
                    let (a, b) = (result[result.count - 1] - result[result.count - 2], point - result[result.count - 1])
                    if a.x * b.y - a.y * b.x > 0 { break }
                    result.removeLast()
                }
                result.append(point)
            }
            return result
        }
        return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
    }

    /// Whether a point, in pixels of the picture, is covered.
    package func contains(_ point: Point) -> Bool {
        corners.count > 2
            && corners.indices.allSatisfy { index in
                let (a, b) = (corners[index], corners[(index + 1) % corners.count])
                return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
            }
    }

    /// - Parameter picture: `rgba8` or `rgba16`. Parts outside of it are clipped.
    package func draw(_ style: Style, in picture: inout PixelBuffer) throws(OutOfMemory) {
        switch style {
        case .solid: draw(in: &picture)
        case .face: drawFace(in: &picture)
        case .mosaic: try blur(in: &picture, isMosaic: true)
        case .blur: try blur(in: &picture)
        }
    }

    /// Covers the area in one colour.
    /// - Parameter picture: `rgba8` or `rgba16`. Parts outside of it are clipped.
    package func draw(in picture: inout PixelBuffer) {
        for span in spans(in: picture.bounds) { picture.fill(span.columns, ofRow: span.row, with: Self.color) }
    }

    /// Draws a face that is nobody's on the whole area, in a hood with a smooth edge around it.
    private func drawFace(in picture: inout PixelBuffer) {
        let (face, hood) = (DrawnFace(box), DrawnHood(around: corners, roll: box.roll))
        func place(_ x: Int, _ y: Int) -> Point { Point(Float(x) + 0.5, Float(y) + 0.5) }
        let area = spans(in: picture.bounds)
        for span in area {
            for x in span.columns {
                let place = place(x, span.row)
                let color = face.color(at: place, inHood: hood?.radius(at: place) ?? 0)
                picture.fill(x..<x + 1, ofRow: span.row, with: color)
            }
        }
        // Beyond the area, where what is under it may be seen.
        guard let hood else { return }
        let scale = picture.format == .rgba16 ? Float(257) : 1
        func mix(_ x: Int, _ y: Int) {
            let place = place(x, y)
            let radius = hood.radius(at: place)
            let cover = hood.cover(radius)
            guard cover > 0 else { return }
            let top = SIMD4<Float>(face.color(at: place, inHood: radius))
            let under = SIMD4<Float>(picture[x, y]) / scale
            let mixed = (under + cover * (top - under)).rounded(.toNearestOrEven)
            picture.fill(x..<x + 1, ofRow: y, with: SIMD4<UInt8>(mixed))
        }
        let beyond = hood.bounds(in: picture.bounds)
        let columns = beyond.x..<beyond.x + beyond.width
        let covered = Dictionary(area.map { ($0.row, $0.columns) }) { first, _ in first }
        for y in beyond.y..<beyond.y + beyond.height {
            let inside = covered[y]?.clamped(to: columns) ?? columns.upperBound..<columns.upperBound
            for x in columns.lowerBound..<inside.lowerBound { mix(x, y) }
            for x in inside.upperBound..<columns.upperBound { mix(x, y) }
        }
    }

    /// Blurs the area instead (`makeUnrecognisable`): two to three squares across the face. A mosaic is of whole squares, on
    /// the rectangle around the area.
    /// - Parameter picture: `rgba8` or `rgba16`. Parts outside of it are clipped.
    package func blur(in picture: inout PixelBuffer, isMosaic: Bool = false) throws(OutOfMemory) {
        let spans = spans(in: picture.bounds)
        guard let first = spans.first, let last = spans.last else { return }
        let left = spans.map(\.columns.lowerBound).min() ?? 0
        let right = spans.map(\.columns.upperBound).max() ?? 0
        let area = PixelRectangle(x: left, y: first.row, width: right - left, height: last.row + 1 - first.row)
        var blurred = try picture.copy(of: area)
        // Of a face that is cut off by the edge, the squares are no smaller.
        if isMosaic {
            blurred.makeMosaic(partOf: longerSide)
            // Whole squares: along the polygon, they would be cut askew.
            for row in 0..<area.height {
                picture.copy(0..<area.width, ofRow: row, from: blurred, to: area.x, row: area.y + row)
            }
            return
        }
        blurred.makeUnrecognisable(partOf: longerSide)
        for span in spans {
            let columns = span.columns.lowerBound - left..<span.columns.upperBound - left
            picture.copy(
                columns, ofRow: span.row - first.row, from: blurred, to: span.columns.lowerBound, row: span.row)
        }
    }

    /// Of the whole area, in pixels.
    private var longerSide: Int {
        func extent(_ coordinates: [Float]) -> Float { (coordinates.max() ?? 0) - (coordinates.min() ?? 0) }
        return Int(min(1e6, max(extent(corners.map(\.x)), extent(corners.map(\.y)))))
    }

    /// The area's part of each row that it touches, from the top.
    private func spans(in bounds: PixelRectangle) -> [(row: Int, columns: Range<Int>)] {
        guard let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max() else { return [] }
        func clamped(_ value: Float, _ limit: Int) -> Int { Int(max(0, min(Float(limit), value))) }
        let rows = clamped(top.rounded(.down), bounds.height)..<clamped(bottom.rounded(.up), bounds.height)
        return rows.compactMap { y in
            guard let columns = columns(in: Float(y)...Float(y + 1)) else { return nil }
            let first = clamped(columns.lowerBound.rounded(.down), bounds.width)
            let end = clamped(columns.upperBound.rounded(.up), bounds.width)
            return first < end ? (y, first..<end) : nil
        }
    }

    /// From where to where the polygon reaches in a row; nil if it does not touch it.
    private func columns(in row: ClosedRange<Float>) -> ClosedRange<Float>? {
        var (low, high) = (Float.infinity, -Float.infinity)
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let (from, to) = (max(min(a.y, b.y), row.lowerBound), min(max(a.y, b.y), row.upperBound))
            guard from <= to else { continue }
            for y in [from, to] {
                let share = a.y == b.y ? 0 : (y - a.y) / (b.y - a.y)
                for x in a.y == b.y ? [a.x, b.x] : [a.x + share * (b.x - a.x)] {
                    (low, high) = (min(low, x), max(high, x))
                }
            }
        }
        return low <= high ? low...high : nil
    }
}

extension OrientedBox {
    fileprivate var corners: [Point] { [origin, origin + across, origin + across + down, origin + down] }
}
