import FaceGeometry

/// The faces of other wearers, which a prop leaves free: hats, collars and ears reach far. Eyes, nose and mouth stay free of it,
/// and all of a face that is much larger, because it is nearer. The wearer's own face is covered whatever is beside it.
struct FaceClearance {
    private struct Neighbour {
        let features: ConvexOutline
        let whole: ConvexOutline
        /// 0: only the features are left free … 1: the whole face.
        let nearness: Float
        /// Of the soft edge, in pixels.
        let edge: Float
        /// Around the free part and its edge.
        let low: Point
        let high: Point

        init(_ vertices: [Point], size: Float, nearness: Float) {
            features = ConvexOutline(around: Landmarks.topology.features.map { vertices[$0] })
            whole = ConvexOutline(around: vertices)
            self.nearness = nearness
            edge = FaceClearance.edge * size
            let corners = (nearness > 0 ? whole : features).corners
            low = corners.reduce(Point(repeating: .infinity), pointwiseMin) - edge
            high = corners.reduce(Point(repeating: -.infinity), pointwiseMax) + edge
        }

        /// How free a place is of it: 0 on the face … 1 beyond the soft edge.
        func visibility(at place: Point) -> Float {
            guard place.x > low.x, place.y > low.y, place.x < high.x, place.y < high.y else { return 1 }
            var distance = features.distance(of: place)
            if nearness > 0 { distance += nearness * (whole.distance(of: place) - distance) }
            return max(0, min(1, distance / edge))
        }
    }

    private let neighbours: [Neighbour]
    private let own: ConvexOutline
    private let ownEdge: Float

    /// Between these ratios of sizes, more and more of a face is left free.
    private static let ratios: (same: Float, nearer: Float) = (1, 1.25)
    /// Of the soft edge, in sizes of the face.
    private static let edge: Float = 0.1
    /// Centres that are nearer to each other, in sizes of the face, are of one face that was found twice.
    private static let sameFace: Float = 0.4
    /// Cells of the cut geometry: so many on the smallest face, but no more per side. A single cell would not be a cut one.
    private static let (cells, fewestCells, mostCells): (Float, Float, Float) = (14, 2, 64)

    /// Nil if the prop is on no other face.
    /// - Parameter box: around the prop.
    init?(of face: MaskedFace, among faces: [MaskedFace], in box: Extent) {
        guard faces.count > 1 else { return nil }
        let ownBox = FaceBox(around: face.vertices)
        var neighbours: [Neighbour] = []
        for other in faces where other.trackID != face.trackID {
            let otherBox = FaceBox(around: other.vertices)
            guard box.box.touches(otherBox),
                (otherBox.center - ownBox.center).length > Self.sameFace * ownBox.faceSize
            else { continue }
            let ratio = otherBox.faceSize / max(1, ownBox.faceSize)
            neighbours.append(
                Neighbour(
                    other.vertices, size: otherBox.faceSize,
                    nearness: smoothstep(Self.ratios.same, Self.ratios.nearer, ratio)))
        }
        guard !neighbours.isEmpty else { return nil }
        self.neighbours = neighbours
        own = ConvexOutline(around: face.vertices)
        ownEdge = Self.edge * ownBox.faceSize
    }

    /// A rectangle whose visibility is 0 on the neighbours' faces.
    func cut(_ box: Extent) -> LayerGeometry {
        let size = box.high - box.low
        let cell = neighbours.reduce(ownEdge) { min($0, $1.edge) } / (Self.edge * Self.cells)
        func count(_ length: Float) -> Int {
            Int(max(Self.fewestCells, min(Self.mostCells, (length / max(1, cell)).rounded(.up))))
        }
        let (columns, rows) = (count(size.x), count(size.y))
        let diagonal = Point(size.x / Float(columns), size.y / Float(rows)).length
        var places: [Point] = []
        for row in 0...rows {
            for column in 0...columns {
                places.append(Point(Float(column) / Float(columns), Float(row) / Float(rows)))
            }
        }
        var triangles: [Triangle] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let first = row * (columns + 1) + column
                triangles.append(Triangle(first, first + 1, first + columns + 2))
                triangles.append(Triangle(first, first + columns + 2, first + columns + 1))
            }
        }
        let positions = places.map { box.low + $0 * size }
        return LayerGeometry(
            triangles: triangles, positions: positions, textureCoordinates: places, canonicalUV: places,
            visibility: positions.map { visibility(at: $0, diagonal: diagonal) })
    }

    /// Of the prop, 0…1. All corners of a cell that touches the wearer's own face are visible, however large cells are.
    private func visibility(at place: Point, diagonal: Float) -> Float {
        var visibility: Float = 1
        for neighbour in neighbours { visibility *= neighbour.visibility(at: place) }
        guard visibility < 1 else { return 1 }
        return max(visibility, max(0, min(1, 1 - (own.distance(of: place) - diagonal) / ownEdge)))
    }
}

extension FaceBox {
    /// About the width of the face seen from the front, in pixels: its height does not shrink when the head turns.
    fileprivate var faceSize: Float { 0.75 * max(width, height) }

    fileprivate func touches(_ other: FaceBox) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}
