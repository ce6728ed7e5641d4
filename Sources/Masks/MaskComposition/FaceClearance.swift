import FaceGeometry

/// What a prop leaves free of the faces of other wearers; hats, collars and ears reach far. Of a face that is in front of the
/// wearer's, all stays free, and what is seen beside it through the window of a helmet. Of one behind it, eyes and nose do,
/// unless a head or a helmet is worn there, too: then the nearer one simply hides the other. The wearer's own face is covered
/// whatever is beside it.
struct FaceClearance {
    private struct Neighbour {
        let outline: ConvexOutline
        /// Of the soft edge, in pixels.
        let edge: Float
        /// Around the free part and its edge.
        let low: Point
        let high: Point

        init(around points: some Sequence<Point>, size: Float) {
            outline = ConvexOutline(around: points)
            edge = FaceClearance.edge * size
            low = outline.corners.reduce(Point(repeating: .infinity), pointwiseMin) - edge
            high = outline.corners.reduce(Point(repeating: -.infinity), pointwiseMax) + edge
        }

        /// How free a place is of it: 0 on the free part … 1 beyond the soft edge.
        func visibility(at place: Point) -> Float {
            guard place.x > low.x, place.y > low.y, place.x < high.x, place.y < high.y else { return 1 }
            return max(0, min(1, outline.distance(of: place) / edge))
        }
    }

    private let neighbours: [Neighbour]
    private let own: ConvexOutline
    private let ownEdge: Float

    /// The eyes and the nose.
    private static let features: [Int] = {
        let topology = Landmarks.topology
        return topology.rightEye.outline + topology.leftEye.outline + [topology.noseTip, topology.noseBase]
    }()
    /// The inside of a helmet, relative to the face in it: hair is seen through its window, too.
    private static let helmet: Float = 1.35
    /// Of the soft edge, in sizes of the face.
    private static let edge: Float = 0.1
    /// Centres that are nearer to each other, in sizes of the face, are of one face that was found twice.
    private static let sameFace: Float = 0.4
    /// Cells of the cut geometry: so many on the smallest face, but no more per side. A single cell would not be a cut one.
    private static let (cells, fewestCells, mostCells): (Float, Float, Float) = (14, 2, 64)

    /// Nil if the prop is on no other face.
    /// - Parameters:
    ///   - faces: in drawing order.
    ///   - box: around the prop.
    init?(of face: MaskedFace, among faces: [MaskedFace], in box: Extent, reference: ReferenceFace) {
        guard faces.count > 1 else { return nil }
        var neighbours: [Neighbour] = []
        // Of the wearer's.
        var isInFront = false
        for other in faces {
            guard other.trackID != face.trackID else {
                isInFront = true
                continue
            }
            guard box.box.touches(other.box),
                (other.box.center - face.box.center).length > Self.sameFace * face.box.faceSize
            else { continue }
            let wearsHead = other.wearsHead(reference)
            if wearsHead && !isInFront { continue }
            let free = isInFront ? other.vertices : Self.features.map { other.vertices[$0] }
            let growth = wearsHead ? Self.helmet : 1
            neighbours.append(
                Neighbour(
                    around: free.lazy.map { other.box.center + growth * ($0 - other.box.center) },
                    size: other.box.faceSize))
        }
        guard !neighbours.isEmpty else { return nil }
        self.neighbours = neighbours
        own = ConvexOutline(around: face.vertices)
        ownEdge = Self.edge * face.box.faceSize
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

extension MaskedFace {
    /// Whether a prop reaches from above the brows to below the chin, as a head or a helmet does.
    fileprivate func wearsHead(_ reference: ReferenceFace) -> Bool {
        let topology = Landmarks.topology
        let brow = HeadCamera.position(of: topology.brows[0], reference: reference).y
        let chin = HeadCamera.position(of: topology.chin, reference: reference).y
        return layers.contains { visible in
            guard case .prop(let prop) = visible.layer.content else { return false }
            let (modelToHead, low, high) = (prop.modelToHead(reference), prop.model.bounds.low, prop.model.bounds.high)
            var (top, bottom): (Float, Float) = (.infinity, -.infinity)
            for corner in 0..<8 {
                let place = SIMD3(
                    corner & 1 == 0 ? low.x : high.x, corner & 2 == 0 ? low.y : high.y, corner & 4 == 0 ? low.z : high.z
                )
                let height = modelToHead(place).y
                (top, bottom) = (min(top, height), max(bottom, height))
            }
            return top < brow && bottom > chin
        }
    }
}

extension FaceBox {
    fileprivate func touches(_ other: FaceBox) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}
