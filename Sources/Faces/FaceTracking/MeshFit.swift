import FaceGeometry

/// Finds the displacements of the landmarks that agree best with displacements measured at points of the mesh: weighted
/// least squares, solved with Cholesky's decomposition.
struct MeshFit {
    /// The normal equations: the lower triangle of their matrix, and their right side.
    private var matrix = PerLandmark<PerLandmark<Float>>(repeating: PerLandmark(repeating: 0))
    private var right = Landmarks.Storage(repeating: .zero)

    /// A landmark is not displaced.
    mutating func hold(_ index: Int, weight: Float) { matrix[index][index] += weight }

    /// Two landmarks are displaced alike.
    mutating func tie(_ edge: Edge, weight: Float) {
        matrix[edge.from][edge.from] += weight
        matrix[edge.to][edge.to] += weight
        matrix[max(edge.from, edge.to)][min(edge.from, edge.to)] -= weight
    }

    /// A landmark is displaced by this.
    mutating func displace(_ index: Int, by displacement: Point, weight: Float) {
        matrix[index][index] += weight
        right[index] += weight * displacement
    }

    /// A point of the mesh is displaced by this.
    mutating func displace(_ place: LandmarkMesh.Place, by displacement: Point, weight: Float) {
        let corners: InlineArray<3, Int> = [place.triangle.a, place.triangle.b, place.triangle.c]
        for a in corners.indices {
            let share = weight * place.weights[a]
            right[corners[a]] += share * displacement
            for b in corners.indices where corners[b] <= corners[a] {
                matrix[corners[a]][corners[b]] += share * place.weights[b]
            }
        }
    }

    /// The displacements of all landmarks. Every landmark must be held a little.
    consuming func solve() -> Landmarks.Storage {
        for row in matrix.indices {
            for column in 0...row {
                var sum = matrix[row][column]
                for k in 0..<column { sum -= matrix[row][k] * matrix[column][k] }
                matrix[row][column] = column == row ? max(sum, 1e-9).squareRoot() : sum / matrix[column][column]
            }
            var sum = right[row]
            for k in 0..<row { sum -= matrix[row][k] * right[k] }
            right[row] = sum / matrix[row][row]
        }
        for row in matrix.indices.reversed() {
            right[row] /= matrix[row][row]
            for k in 0..<row { right[k] -= matrix[row][k] * right[row] }
        }
        return right
    }
}
