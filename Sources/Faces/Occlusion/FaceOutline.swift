import FaceGeometry

/// Places just outside the outline of a face, in equal sectors along it.
struct FaceOutline: Sendable {
    static let sectorCount = 72
    /// So many places lie in each sector, one behind the other.
    static let depth = 2
    /// From the outline to the first place, and from each place to the next: in face widths, and at least so many pixels.
    /// Nearer to it, pixels show the face as well, and an error of the landmarks of a pixel counts.
    private static let spacing: (share: Float, first: Float, next: Float) = (0.03, 2, 1.5)
    /// Of which a sector's direction is told, in sectors to both sides.
    private static let reach = 2

    /// Where the middle of each sector lies on the mesh's boundary: so far from one vertex to another.
    private let positions: [(from: Int, to: Int, share: Float)]
    /// The middles of the sectors in canonical UV.
    let middles: [Point]

    init(reference: ReferenceFace, mesh: FaceMesh) {
        let vertices = reference.vertices
        let loop = Self.loop(mesh)
        let lengths = loop.indices.map { (vertices[loop[($0 + 1) % loop.count]] - vertices[loop[$0]]).length }
        let sector = lengths.reduce(0, +) / Float(Self.sectorCount)
        var positions: [(from: Int, to: Int, share: Float)] = []
        var (edge, passed) = (0, Float(0))
        for index in 0..<Self.sectorCount {
            let way = (Float(index) + 0.5) * sector
            while edge + 1 < loop.count, passed + lengths[edge] < way {
                passed += lengths[edge]
                edge += 1
            }
            positions.append((loop[edge], loop[(edge + 1) % loop.count], (way - passed) / max(lengths[edge], 1e-6)))
        }
        self.positions = positions
        middles = positions.map { vertices[$0.from] + $0.share * (vertices[$0.to] - vertices[$0.from]) }
    }

    /// The vertices of the boundary in their order.
    private static func loop(_ mesh: FaceMesh) -> [Int] {
        var edges = FaceMesh.boundary(of: mesh.triangles)
        var loop: [Int] = []
        var next = edges.first?.from
        while let vertex = next {
            loop.append(vertex)
            guard let index = edges.firstIndex(where: { $0.from == vertex || $0.to == vertex }) else { break }
            let edge = edges.remove(at: index)
            next = edge.from == vertex ? edge.to : edge.from
            if next == loop[0] { break }
        }
        return loop
    }

    /// - Parameter place: in canonical UV.
    func sector(nearest place: Point) -> Int {
        middles.indices.min { (middles[$0] - place).length < (middles[$1] - place).length } ?? 0
    }

    /// Sector by sector, the nearest place first.
    /// - Parameters:
    ///   - vertices: of the mesh, in pixels.
    ///   - width: of the face, in pixels.
    ///   - places: gets them; its memory is kept.
    func places(_ vertices: [Point], width: Float, into places: inout [Point]) {
        let spacing = Self.spacing.share * width
        self.places(vertices, count: Self.depth, into: &places) { step in
            max(Self.spacing.first, spacing) + Float(step) * max(Self.spacing.next, spacing)
        }
    }

    /// Sector by sector, in the order of the distances.
    /// - Parameters:
    ///   - vertices: of the mesh, in pixels.
    ///   - distances: from the outline, in pixels.
    func places(_ vertices: [Point], distances: [Float]) -> [Point] {
        var places: [Point] = []
        self.places(vertices, count: distances.count, into: &places) { distances[$0] }
        return places
    }

    private func places(
        _ vertices: [Point], count: Int, into places: inout [Point], distance: (Int) -> Float
    ) {
        let sectors = positions.count
        func middle(_ sector: Int) -> Point {
            let position = positions[sector % sectors]
            return vertices[position.from] + position.share * (vertices[position.to] - vertices[position.from])
        }
        var area: Float = 0
        for sector in 0..<sectors {
            let (a, b) = (middle(sector), middle(sector + 1))
            area += a.x * b.y - a.y * b.x
        }
        places.removeAll(keepingCapacity: true)
        for sector in 0..<sectors {
            let along = middle(sector + Self.reach) - middle(sector + sectors - Self.reach)
            let length = max(along.length, 1e-6)
            let outward = (area > 0 ? 1 : -1) / length * Point(along.y, -along.x)
            for step in 0..<count { places.append(middle(sector) + distance(step) * outward) }
        }
    }
}

/// One value for each sector of an outline: `FaceOutline.sectorCount` of them.
typealias PerSector<Value> = InlineArray<72, Value>
