import FaceGeometry
import Pixels

/// A round brush that paints on a texture, or changes its transparency.
package struct MatteBrush: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Makes transparent.
        case erase
        /// Makes opaque, where the picture has a colour.
        case restore
        /// Paints a colour.
        case paint(SIMD3<UInt8>)
    }

    package var action: Action
    /// In pixels of the texture.
    package var diameter: Float
    /// The part of the radius over which the effect fades to the edge, 0…1.
    package var softness: Float

    package init(action: Action, diameter: Float, softness: Float) {
        (self.action, self.diameter, self.softness) = (action, diameter, softness)
    }

    /// At this distance the effect begins to fade, and where it ends. The edge of a hard brush is one pixel wide.
    var fade: (start: Float, end: Float) {
        let radius = max(0.5, diameter / 2)
        return (max(0, min(radius - 0.5, radius * (1 - softness))), radius + 0.5)
    }
}

/// One stroke with the brush. The effect at a place is that of the part of the stroke that passes nearest: crossing the
/// stroke again, or moving slowly, adds nothing. So it does not depend on how often the mouse reports its place.
package struct MatteStroke: Sendable {
    package let brush: MatteBrush
    /// Everything is done on its other side, too; nil: it is not.
    private let symmetry: PointSymmetry?
    private let start: Matte
    /// The matte with the stroke as far as it goes.
    package private(set) var result: Matte
    /// The memory that the result does not share with what was there before, in bytes.
    package var bytes: Int { result.bytes(differingFrom: start) }
    /// How much of the effect there is, 0…255, of the tiles that the stroke has touched.
    private var coverage: [Int: [UInt8]] = [:]
    /// The last two places of the mouse, and where the line has come to.
    private var last: (before: Point, place: Point, end: Point)

    /// - Parameters:
    ///   - place: in pixels of the texture.
    ///   - symmetry: everything is done on its other side, too; nil: it is not.
    package init(_ brush: MatteBrush, on matte: Matte, at place: Point, symmetry: PointSymmetry? = nil) {
        (self.brush, self.symmetry, start, result) = (brush, symmetry, matte, matte)
        let place = Self.isPlace(place) ? place : Point(-1e6, -1e6)
        last = (place, place, place)
        cover([place, place])
    }

    /// Goes on through places of the mouse, in pixels of the texture: a smooth curve between the middles of the ways from
    /// place to place, so that a quick movement has no corners.
    package mutating func move(through places: [Point]) {
        var line = [last.end]
        for place in places where Self.isPlace(place) && (place != last.place || last.end != last.place) {
            let middle = (last.place + place) / 2
            // A quadratic Bézier curve, in pieces shorter than shows.
            let length = (last.place - last.end).length + (middle - last.place).length
            let count = max(1, min(64, Int(length / max(1, brush.diameter / 16))))
            let (from, control) = (last.end, last.place)
            for index in 1...count {
                let t = Float(index) / Float(count)
                line.append((1 - t) * (1 - t) * from + 2 * t * (1 - t) * control + t * t * middle)
            }
            last = (control, place, middle)
        }
        if line.count > 1 { cover(line) }
    }

    /// Whether a place is so near that pixels can be told apart there.
    private static func isPlace(_ place: Point) -> Bool { abs(place.x) < 1e6 && abs(place.y) < 1e6 }

    /// Draws the rest of the way to the last place.
    package mutating func finish() {
        if last.end != last.place { cover([last.end, last.place]) }
        last.end = last.place
    }

    // MARK: Coverage

    private mutating func cover(_ line: [Point]) {
        var touched: Set<Int> = []
        cover(line, &touched)
        if let symmetry { cover(line.map(symmetry.mirrored), &touched) }
        for tile in touched { update(tile) }
    }

    private mutating func cover(_ line: [Point], _ touched: inout Set<Int>) {
        let (fadeStart, fadeEnd) = brush.fade
        for (from, to) in zip(line, line.dropFirst()) {
            let corner = pointwiseMin(from, to) - fadeEnd
            let end = pointwiseMax(from, to) + fadeEnd
            guard let area = PixelRectangle(from: corner, to: end, in: start.bounds) else { continue }
            for tile in start.tiles(in: area) {
                let part = start.rectangle(of: tile).intersection(area)
                var values =
                    coverage.removeValue(forKey: tile)
                    ?? [UInt8](repeating: 0, count: Matte.side * Matte.side)
                let corner = start.rectangle(of: tile)
                if Self.cover(
                    &values, part, at: (corner.x, corner.y), Segment(from, to), fade: (fadeStart, fadeEnd))
                {
                    touched.insert(tile)
                }
                coverage[tile] = values
            }
        }
    }

    private struct Segment {
        let from: Point
        let way: Point
        /// 1 by the square of the length; 0 for a point.
        let scale: Float

        init(_ from: Point, _ to: Point) {
            self.from = from
            way = to - from
            let square = (way * way).sum()
            scale = square > 0 ? 1 / square : 0
        }
    }

    /// - Returns: whether any value has grown.
    private static func cover(
        _ values: inout [UInt8], _ part: PixelRectangle, at corner: (x: Int, y: Int), _ segment: Segment,
        fade: (start: Float, end: Float)
    ) -> Bool {
        var hasGrown = false
        let (inner, outer) = (fade.start * fade.start, fade.end * fade.end)
        for y in part.y..<part.y + part.height {
            let line = (y - corner.y) * Matte.side - corner.x
            // Most of what a stroke passes again has the whole effect.
            for x in part.x..<part.x + part.width where values[line + x] < 255 {
                let offset = Point(Float(x) + 0.5, Float(y) + 0.5) - segment.from
                let along = min(1, max(0, (offset * segment.way).sum() * segment.scale))
                let rest = offset - along * segment.way
                let square = (rest * rest).sum()
                guard square < outer else { continue }
                var value: UInt8 = 255
                if square > inner {
                    let t = (fade.end - square.squareRoot()) / (fade.end - fade.start)
                    value = UInt8(255 * t * t * (3 - 2 * t) + 0.5)
                }
                if value > values[line + x] {
                    values[line + x] = value
                    hasGrown = true
                }
            }
        }
        return hasGrown
    }

    /// Computes the result in a tile from what was there before the stroke.
    private mutating func update(_ tile: Int) {
        guard let coverage = coverage[tile] else { return }
        var alpha = start.alpha(of: tile)
        // Erasing needs none, which are sixteen kilobytes.
        var colors = brush.action == .erase ? [] : start.colors(of: tile)
        for index in coverage.indices where coverage[index] > 0 {
            let (old, share) = (Int(alpha[index]), Int(coverage[index]))
            switch brush.action {
            case .erase: alpha[index] = UInt8((old * (255 - share) + 127) / 255)
            case .restore where Matte.hasColor(colors[index]): alpha[index] = Self.covered(old, share)
            case .restore: break
            case .paint(let color):
                alpha[index] = Self.covered(old, share)
                colors[index] = Self.painted(color, share, over: colors[index], old)
            }
        }
        result.set(alpha, of: tile)
        if case .paint = brush.action { result.set(colors: colors, of: tile) }
    }

    /// The alpha of what is covered by a share of 255.
    private static func covered(_ old: Int, _ share: Int) -> UInt8 {
        UInt8((old * 255 + (255 - old) * share + 127) / 255)
    }

    /// The colour of paint over another colour, neither multiplied by alpha (Porter and Duff, "Compositing Digital Images",
    /// 1984: over).
    private static func painted(
        _ color: SIMD3<UInt8>, _ share: Int, over below: SIMD4<UInt8>, _ alpha: Int
    ) -> SIMD4<UInt8> {
        let (above, rest) = (share * 255, alpha * (255 - share))
        func mixed(_ new: UInt8, _ old: UInt8) -> UInt8 {
            UInt8((Int(new) * above + Int(old) * rest + (above + rest) / 2) / (above + rest))
        }
        return SIMD4(mixed(color.x, below.x), mixed(color.y, below.y), mixed(color.z, below.z), 255)
    }
}

extension PixelRectangle {
    /// The pixels that a rectangle touches, inside of `bounds`; nil: none, or a corner is no place.
    fileprivate init?(from corner: Point, to end: Point, in bounds: PixelRectangle) {
        let size = Point(Float(bounds.width), Float(bounds.height))
        // Also false for what is no number.
        guard all(end .>= Point(0, 0)), all(corner .<= size) else { return nil }
        let low = pointwiseMax(Point(0, 0), corner.rounded(.down))
        let high = pointwiseMin(size, end.rounded(.up))
        self.init(x: Int(low.x), y: Int(low.y), width: Int(high.x - low.x), height: Int(high.y - low.y))
        if isEmpty { return nil }
    }
}
