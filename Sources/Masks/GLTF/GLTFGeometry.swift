import FaceGeometry

/// The triangles of a model while it is read.
struct GLTFGeometry {
    private(set) var vertices: [ModelVertex] = []
    private(set) var indices: [UInt32] = []
    private(set) var parts: [ModelPart] = []

    /// A mesh of one material, in its own coordinates. The tables have one row per vertex.
    struct Primitive {
        let material: Int
        let needsTangents: Bool
        /// Three per triangle.
        let corners: [UInt32]
        let positions: GLTFBuffers.Table
        let normals: GLTFBuffers.Table?
        let tangents: GLTFBuffers.Table?
        let textureCoordinates: GLTFBuffers.Table?
        let colors: GLTFBuffers.Table?

        /// Without normals, a mesh is flat (glTF 2.0, 3.7.2.1): its triangles share no vertices.
        var isFlat: Bool { normals == nil }

        /// For each vertex that is drawn, its row in the tables.
        var rows: [Int] { isFlat ? corners.map { Int($0) } : Array(0..<positions.count) }
    }

    /// The corners of single triangles.
    /// - Parameter mode: 4: they are single triangles; 5: a strip; 6: a fan.
    static func triangles(_ corners: [UInt32], mode: Int) -> [UInt32] {
        guard mode != 4 else { return Array(corners.prefix(corners.count / 3 * 3)) }
        guard corners.count >= 3 else { return [] }
        var result: [UInt32] = []
        result.reserveCapacity(3 * (corners.count - 2))
        for index in 0..<(corners.count - 2) {
            let pair = index % 2 == 0 ? (index + 1, index + 2) : (index + 2, index + 1)
            result +=
                mode == 5
                ? [corners[index], corners[pair.0], corners[pair.1]]
                : [corners[index + 1], corners[index + 2], corners[0]]
        }
        return result
    }

    /// - Parameter pointer: of the node, for errors.
    /// - Returns: its vertices.
    @discardableResult mutating func add(
        _ primitive: Primitive, _ transform: AffineTransform3D, at pointer: String
    ) throws(ModelError) -> Range<Int> {
        guard !primitive.corners.isEmpty else { return vertices.count..<vertices.count }
        let isFlat = primitive.isFlat
        let count = isFlat ? primitive.corners.count : primitive.positions.count
        guard indices.count + primitive.corners.count <= 3 * ModelLimits.maximumTriangles,
            vertices.count + count <= ModelLimits.maximumVertices
        else {
            throw ModelError(
                .tooLarge, at: pointer,
                "with it the model has more than \(ModelLimits.maximumTriangles) triangles or "
                    + "\(ModelLimits.maximumVertices) vertices, the limit")
        }
        let first = vertices.count
        let cofactors = transform.cofactors
        // What mirrors turns front to back.
        let mirrors = transform.determinant < 0
        for index in 0..<count {
            let row = isFlat ? Int(primitive.corners[index]) : index
            vertices.append(vertex(row, of: primitive, transform, normals: mirrors ? -1 : 1, cofactors))
        }
        let start = indices.count
        for triangle in stride(from: 0, to: primitive.corners.count, by: 3) {
            for corner in mirrors ? [0, 2, 1] : [0, 1, 2] {
                let index = isFlat ? UInt32(triangle + corner) : primitive.corners[triangle + corner]
                indices.append(UInt32(first) + index)
            }
        }
        let part = start..<indices.count
        guard vertices[first...].allSatisfy({ ($0.position * $0.position).max() <= Self.farthest }) else {
            throw ModelError(.number, at: pointer, "moves a mesh by more than a million")
        }
        if isFlat { setFlatNormals(part) }
        if primitive.needsTangents, primitive.tangents == nil || isFlat { setTangents(part, first: first) }
        parts.append(ModelPart(material: primitive.material, indices: part))
        return first..<vertices.count
    }

    /// Replaces the places of vertices, for the pose in which a model rests.
    mutating func set(_ moved: [ModelVertex]) {
        precondition(moved.count == vertices.count)
        vertices = moved
    }

    /// Turns the triangles of a part front to back.
    mutating func flip(part: Int) {
        for triangle in stride(from: parts[part].indices.lowerBound, to: parts[part].indices.upperBound, by: 3) {
            indices.swapAt(triangle + 1, triangle + 2)
        }
    }

    private static let farthest = ModelLimits.largestCoordinate * ModelLimits.largestCoordinate

    private func vertex(
        _ row: Int, of primitive: Primitive, _ transform: AffineTransform3D, normals sign: Float,
        _ cofactors: AffineTransform3D
    ) -> ModelVertex {
        let normal = primitive.normals.flatMap { (sign * cofactors.turned($0.vector(row))).normalized }
        var tangent = SIMD4<Float>.zero
        if primitive.needsTangents, let given = primitive.tangents {
            let direction = transform.turned(given.vector(row)).normalized ?? .zero
            tangent = SIMD4(direction, sign * (given.numbers[4 * row + 3] < 0 ? -1 : 1))
        }
        var color = SIMD4<Float>(repeating: 1)
        if let colors = primitive.colors {
            let alpha = colors.columns == 4 ? colors.numbers[4 * row + 3] : 1
            color = SIMD4(colors.vector(row), alpha).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
        }
        return ModelVertex(
            position: transform(primitive.positions.vector(row)), normal: normal ?? SIMD3(0, 0, 1),
            textureCoordinate: primitive.textureCoordinates.map {
                SIMD2($0.numbers[2 * row], $0.numbers[2 * row + 1])
            } ?? .zero, tangent: tangent, color: color)
    }

    private mutating func setFlatNormals(_ part: Range<Int>) {
        for triangle in stride(from: part.lowerBound, to: part.upperBound, by: 3) {
            let corners = indices[triangle..<(triangle + 3)].map { Int($0) }
            let (a, b, c) = (vertices[corners[0]], vertices[corners[1]], vertices[corners[2]])
            guard let normal = (b.position - a.position).cross(c.position - a.position).normalized else { continue }
            for corner in corners { vertices[corner].normal = normal }
        }
    }

    /// The mean direction of u over the triangles around each vertex (Lengyel, "Mathematics for 3D Game Programming and
    /// Computer Graphics", 2011, 7.8).
    private mutating func setTangents(_ part: Range<Int>, first: Int) {
        var directions = [(u: SIMD3<Float>, v: SIMD3<Float>)](repeating: (.zero, .zero), count: vertices.count - first)
        for triangle in stride(from: part.lowerBound, to: part.upperBound, by: 3) {
            let corners = indices[triangle..<(triangle + 3)].map { Int($0) }
            let (a, b, c) = (vertices[corners[0]], vertices[corners[1]], vertices[corners[2]])
            let (p, q) = (b.position - a.position, c.position - a.position)
            let (s, t) = (b.textureCoordinate - a.textureCoordinate, c.textureCoordinate - a.textureCoordinate)
            let determinant = s.x * t.y - t.x * s.y
            guard abs(determinant) > 1e-20 else { continue }
            let u = (t.y * p - s.y * q) / determinant
            let v = (s.x * q - t.x * p) / determinant
            for corner in corners {
                directions[corner - first].u += u
                directions[corner - first].v += v
            }
        }
        for (index, direction) in directions.enumerated() {
            let normal = vertices[first + index].normal
            let across = direction.u - (direction.u * normal).sum() * normal
            guard let tangent = across.normalized else { continue }
            let sign: Float = (normal.cross(tangent) * direction.v).sum() < 0 ? -1 : 1
            vertices[first + index].tangent = SIMD4(tangent, sign)
        }
    }
}

extension GLTFBuffers.Table {
    /// The first three columns of a row.
    func vector(_ row: Int) -> SIMD3<Float> {
        SIMD3(numbers[columns * row], numbers[columns * row + 1], numbers[columns * row + 2])
    }
}
