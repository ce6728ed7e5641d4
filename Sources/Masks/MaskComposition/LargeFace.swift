import FaceGeometry
import Glibc
import Pixels

/// A face much too large for its head: the picture around its middle is magnified, and what is around it is drawn together
/// towards the rim, where nothing changes. So there is no seam to be seen, whatever is in front of the face, and nothing is
/// stretched but the face itself: a face that shrinks would smear forehead and hair.
struct LargeFace {
    /// From the middle to the rim in the picture, in canonical UV: beyond ears, chin and hairline.
    private static let radii = Point(0.42, 0.56)
    /// Its middle is so far down from the eyes to the mouth.
    private static let height: Float = 0.55
    /// Of the face in its middle, and of what is at the rim.
    private static let (size, rimSize): (Float, Float) = (1.6, 0.5)
    private static let (rings, sectors) = (14, 40)

    /// Ring after ring around the middle, which comes first.
    static let triangles: [Triangle] = {
        func vertex(_ ring: Int, _ sector: Int) -> Int { ring == 0 ? 0 : 1 + (ring - 1) * sectors + sector % sectors }
        return (0..<rings).flatMap { ring in
            (0..<sectors).flatMap { sector in
                let (a, b) = (vertex(ring, sector), vertex(ring + 1, sector))
                let (c, d) = (vertex(ring + 1, sector + 1), vertex(ring, sector + 1))
                return ring == 0 ? [Triangle(a, b, c)] : [Triangle(a, b, c), Triangle(a, c, d)]
            }
        }
    }()

    /// The vertices: in which direction each lies, in radii, and how far in that direction it is shown and its colours come from.
    private static let places: [(direction: Point, shown: Float, source: Float)] = {
        var places: [(Point, Float, Float)] = [(.zero, 0, 0)]
        for ring in 1...rings {
            let distance = Float(ring) / Float(rings)
            for sector in 0..<sectors {
                let angle = 2 * Float.pi * Float(sector) / Float(sectors)
                places.append((Point(cos(angle), sin(angle)), distance, source(of: distance)))
            }
        }
        return places
    }()

    /// A cubic from 0 to 1 (Hermite) with the slopes of both sizes.
    private static func source(of distance: Float) -> Float {
        let (t, square) = (distance, distance * distance)
        let cube = square * t
        return (cube - 2 * square + t) / size + 3 * square - 2 * cube + (cube - square) / rimSize
    }

    private let middle: Point
    private let camera: AffineCamera

    /// - Parameter vertices: of the plain mesh in the picture, pixels.
    init(_ face: Face, vertices: [Point]) {
        let topology = Landmarks.topology
        func center(_ outline: [Int]) -> Point {
            outline.reduce(.zero) { $0 + vertices[$1] } / Float(outline.count)
        }
        let eyes = (center(topology.rightEye.outline) + center(topology.leftEye.outline)) / 2
        middle = eyes + Self.height * (center(topology.outerLips.outline) - eyes)
        camera = face.camera
    }

    /// Calls with the places of all vertices in the picture, pixels: where each is shown, and where its colours come from.
    /// - Parameter rectangle: of the picture, where the rim stays: beyond its edge are no colours.
    func forEachVertex(in rectangle: PixelRectangle, _ body: (_ shown: Point, _ source: Point) -> Void) {
        let first = Point(Float(rectangle.x), Float(rectangle.y))
        let last = first + Point(Float(rectangle.width), Float(rectangle.height))
        func reach(_ way: Float, _ middle: Float, _ first: Float, _ last: Float) -> Float {
            way > 0 ? (last - middle) / way : way < 0 ? (first - middle) / way : 1
        }
        for place in Self.places {
            let way = camera.direction(Self.radii * place.direction)
            let (across, down) = (
                reach(way.x, middle.x, first.x, last.x), reach(way.y, middle.y, first.y, last.y)
            )
            let rim = max(0.05, min(1, across, down)) * way
            body(middle + place.shown * rim, middle + place.source * rim)
        }
    }

    /// Around all that changes, in the picture.
    var box: FaceBox {
        let (across, down) = (
            camera.direction(Point(Self.radii.x, 0)), camera.direction(Point(0, Self.radii.y))
        )
        let half = Point(hypot(across.x, down.x), hypot(across.y, down.y))
        return FaceBox(x: middle.x - half.x, y: middle.y - half.y, width: 2 * half.x, height: 2 * half.y)
    }
}
