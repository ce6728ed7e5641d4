import FaceGeometry
import Glibc

/// A face much too small for its head: the picture around its middle is drawn together, and the skin around it is stretched to
/// the rim, where nothing changes. So there is no seam to be seen, whatever is in front of the face.
struct SmallFace {
    /// From the middle to the rim in the picture, in canonical UV: a little beyond ears, chin and hairline.
    private static let radii = Point(0.365, 0.51)
    /// Its middle is so far down from the eyes to the mouth.
    private static let height: Float = 0.55
    /// Of the face in its middle, and of what is at the rim.
    private static let (size, rimSize): (Float, Float) = (0.5, 4)
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

    /// Of the vertices, in radii from the middle: where each is shown, and where its colours come from.
    static let places: [(shown: Point, source: Point)] = {
        var places: [(Point, Point)] = [(.zero, .zero)]
        for ring in 1...rings {
            let distance = Float(ring) / Float(rings)
            for sector in 0..<sectors {
                let angle = 2 * Float.pi * Float(sector) / Float(sectors)
                let direction = Point(cos(angle), sin(angle))
                places.append((distance * direction, source(of: distance) * direction))
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

    /// The place in the picture, pixels.
    /// - Parameter place: in radii from the middle.
    func position(_ place: Point) -> Point { middle + camera.direction(Self.radii * place) }

    /// Around all that changes, in the picture.
    var box: FaceBox {
        let (across, down) = (
            camera.direction(Point(Self.radii.x, 0)), camera.direction(Point(0, Self.radii.y))
        )
        let half = Point(hypot(across.x, down.x), hypot(across.y, down.y))
        return FaceBox(x: middle.x - half.x, y: middle.y - half.y, width: 2 * half.x, height: 2 * half.y)
    }
}
