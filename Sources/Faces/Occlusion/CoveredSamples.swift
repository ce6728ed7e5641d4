import FaceGeometry

/// Tells which samples of a face show an occluder. An occluder continues outside the outline of the face: there, the
/// colours on both sides of the outline are alike; where the face ends, they are not. A stretch of the outline with
/// both states, in which the colours differ on both sides, is one that something covers for a while, however long.
enum CoveredSamples {
    /// This many samples, and at least this share of them, show no occluder.
    private static let (fewest, leastShare) = (4, 0.17)
    /// Where nothing occludes it, a face changes little: half of the samples differ from their median by less.
    private static let steady: Float = 1
    /// From one state to the other, the colours on both sides change by these unlikenesses.
    private static let change: (inside: Float, outside: Float) = (FaceSurroundings.alike, 2 * FaceSurroundings.alike)
    /// So many sectors of a sample that is covered are.
    private static let sectors = 4

    /// The colours on both sides of the outline in one sector of a sample.
    private struct Edge {
        let sample: Int
        let inside: SIMD4<Float>
        let outside: SIMD4<Float>

        var goesOn: Bool { FaceSurroundings.unlikeness(inside, outside) < FaceSurroundings.alike }
    }

    /// - Returns: for each sample, whether it shows an occluder; none does if too few samples would be left.
    static func find(in samples: [SurveyedFace.Sample], _ texels: CanonicalTexels) -> [Bool] {
        // In how many sectors the samples seem covered, less those in which they do not.
        var covered = [Int](repeating: 0, count: samples.count)
        for sector in 0..<FaceOutline.sectorCount {
            let edges = samples.indices.compactMap { edge(samples[$0], $0, sector, texels) }
            let (joined, apart) = (edges.filter(\.goesOn), edges.filter { !$0.goesOn })
            guard isEnough(joined.count, of: edges.count), isEnough(apart.count, of: edges.count), isSteady(apart)
            else {
                continue
            }
            func change(_ color: (Edge) -> SIMD4<Float>) -> Float {
                FaceSurroundings.unlikeness(SIMD4.median(joined.map(color)), SIMD4.median(apart.map(color)))
            }
            guard change(\.inside) > Self.change.inside, change(\.outside) > Self.change.outside else { continue }
            for edge in joined { covered[edge.sample] += 1 }
            for edge in apart { covered[edge.sample] -= 1 }
        }
        let isCovered = covered.map { $0 >= sectors }
        return isEnough(isCovered.count { !$0 }, of: samples.count) ? isCovered : isCovered.map { _ in false }
    }

    private static func isEnough(_ count: Int, of all: Int) -> Bool {
        count >= fewest && Double(count) >= leastShare * Double(all)
    }

    private static func isSteady(_ edges: [Edge]) -> Bool {
        func deviation(_ color: (Edge) -> SIMD4<Float>) -> Float {
            let middle = SIMD4.median(edges.map(color))
            return edges.map { FaceSurroundings.unlikeness(color($0), middle) }.sorted()[edges.count / 2]
        }
        return max(deviation(\.inside), deviation(\.outside)) < steady
    }

    /// Nil where the sample does not show both sides.
    private static func edge(
        _ sample: SurveyedFace.Sample, _ index: Int, _ sector: Int, _ texels: CanonicalTexels
    ) -> Edge? {
        guard let outside = sample.surroundings[sector * FaceOutline.depth] else { return nil }
        var (sum, count) = (SIMD4<Float>.zero, Float(0))
        for place in texels.rimPlaces[sector] where sample.visibility[place] > 76 {
            sum += SurveyedFace.unit * SIMD4<Float>(sample.colors[place])
            count += 1
        }
        guard count > 1 else { return nil }
        return Edge(sample: index, inside: sum / count, outside: outside)
    }
}
