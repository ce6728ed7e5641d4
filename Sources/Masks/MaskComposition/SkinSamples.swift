import FaceGeometry

/// The places of the skin where light is measured: cheeks, nose, chin and forehead, without eyes, brows, lips and the
/// outermost rim.
struct SkinSamples {
    struct Sample {
        let triangle: Triangle
        /// Barycentric coordinates in the triangle.
        let weights: SIMD3<Float>
        /// Index into the map of `FaceLight.side`² cells.
        let cell: Int

        /// - Parameter vertices: of the mesh.
        func position(_ vertices: [Point]) -> Point {
            weights.x * vertices[triangle.a] + weights.y * vertices[triangle.b] + weights.z * vertices[triangle.c]
        }
    }

    let all: [Sample]
    /// The cells from this one on lie below the brows.
    let firstCellOfMiddle: Int
    /// Of each cell of the map, while all of the face is in the picture: 1 where there are samples.
    private let usualWeights: [Float]
    private let usualSmoothed: [Float]

    init(_ mesh: FaceMesh, reference: ReferenceFace) {
        let side = FaceLight.side
        let skin = mesh.triangles(openings: Set(FaceMesh.Opening.allCases))
        let topology = Landmarks.topology
        // Hair may cover the upper part of the forehead; ears and background are close to the outline.
        let left = reference.landmarks[topology.jaw[1]].x
        let right = reference.landmarks[topology.jaw[topology.jaw.count - 2]].x
        let noseRoot = reference.landmarks[topology.noseRoot].y
        let top = noseRoot - 0.75 * (noseRoot - reference.vertices[HeadPoint.hairlineCenter.vertex].y)
        let triangles = skin.filter { $0.indices.count(where: topology.features.contains) < 3 }
        var samples: [Sample] = []
        // Two by two in each cell of the map.
        for y in 0..<(2 * side) {
            for x in 0..<(2 * side) {
                let place = (Point(Float(x), Float(y)) + 0.5) / Float(2 * side)
                guard place.x > left, place.x < right, place.y > top else { continue }
                for triangle in triangles {
                    guard let weights = triangle.weights(of: place, reference.vertices) else { continue }
                    samples.append(Sample(triangle: triangle, weights: weights, cell: y / 2 * side + x / 2))
                    break
                }
            }
        }
        all = samples
        firstCellOfMiddle = side * Int((Float(side) * SwapRegion.browLine(reference)).rounded(.up))
        var weights = [Float](repeating: Self.unknown, count: side * side)
        for sample in samples { weights[sample.cell] = 1 }
        usualWeights = weights
        var smoothed = CoarseMap(width: side, height: side, values: weights)
        var memory = CoarseMap.Memory()
        Self.smooth(&smoothed, &memory)
        usualSmoothed = smoothed.values
    }

    /// The mean of a map over the skin below the brows.
    func meanOfMiddle(_ map: CoarseMap) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        for cell in firstCellOfMiddle..<usualWeights.count where usualWeights[cell] == 1 {
            (sum, count) = (sum + map.values[cell], count + 1)
        }
        return count > 0 && sum > 0 ? sum / count : 1
    }

    /// The weight of a cell without samples.
    private static let unknown: Float = 0.0001

    /// The positions of every fourth sample, given those of the mesh's vertices.
    func places(among vertices: [Point]) -> [Point] {
        stride(from: 0, to: all.count, by: 4).map { all[$0].position(vertices) }
    }

    /// The memory for smoothing, kept from one map to the next.
    struct Memory {
        private static let side = FaceLight.side
        fileprivate var sums = CoarseMap(width: side, height: side, filledWith: 0)
        fileprivate var weights = CoarseMap(width: side, height: side, filledWith: 0)
        fileprivate var blurring = CoarseMap.Memory()

        /// The smoothed values.
        var values: [Float] { sums.values }
    }

    /// Fills unknown values (below 0) from their neighbours and smooths all of them.
    func smooth(_ values: [Float], _ memory: inout Memory) {
        var isUsual = true
        for index in values.indices {
            let weight = values[index] < 0 ? Self.unknown : 1
            memory.weights.values[index] = weight
            // Unknown values far from known ones tend to the mean.
            memory.sums.values[index] = values[index] < 0 ? weight : values[index]
            if weight != usualWeights[index] { isUsual = false }
        }
        Self.smooth(&memory.sums, &memory.blurring)
        if !isUsual { Self.smooth(&memory.weights, &memory.blurring) }
        for index in values.indices {
            memory.sums.values[index] /= max(isUsual ? usualSmoothed[index] : memory.weights.values[index], 1e-9)
        }
    }

    /// Nearly a Gaussian of σ = 2.4 cells.
    private static func smooth(_ map: inout CoarseMap, _ memory: inout CoarseMap.Memory) {
        map.blur(reach: 2, times: 3, &memory)
    }
}
