import FaceGeometry
import Occlusion

/// How much of a giver's face may be shown at each texel of the face. The occluders of the giver end at their own edge, not
/// at the next vertex.
struct SwapShares {
    private let texels: FaceTexels
    /// Of the swapped region, with its soft edges, 0…1: of each texel on the face.
    private let region: [Float]
    /// Whether a cell of the grid lies on the face.
    private let isFace: [Bool]
    /// Occluders that are narrower than twice this are given away with the face, as frames of glasses are. In texels.
    private static let thin = 2
    /// All others end farther out by these texels, at most by the second number, or by so many pixels: their edges are mixed with
    /// their colours.
    private static let (leastMargin, mostMargin, marginInPixels): (Int, Int, Float) = (1, 5, 2)
    /// Of an occluder, less than the first does not count, and the second counts fully.
    private static let (little, much): (Float, Float) = (0.1, 0.5)

    /// - Parameters:
    ///   - openings: the parts that stay the receiver's.
    ///   - feather: of the outline, in face widths.
    init(
        _ texels: FaceTexels, _ mesh: FaceMesh, _ reference: ReferenceFace, openings: Set<FaceMesh.Opening>,
        feather: Float
    ) {
        self.texels = texels
        let region = SwapRegion(reference, openings: openings)
        let side = EdgeDistanceMap.side
        let edge = EdgeDistanceMap(triangles: mesh.triangles(openings: []), vertices: reference.vertices)
        let distances = CoarseMap(width: side, height: side, values: edge.texels.map { Float($0) / 255 })
        let width = max(0.001, feather) * reference.width / EdgeDistanceMap.range
        self.region = texels.texels.map { texel in
            region.share(at: texel.place) * smoothstep(0, width, distances.value(at: Float(side) * texel.place))
        }
        var isFace = [Bool](repeating: false, count: texels.width * texels.height)
        for texel in texels.texels { isFace[texel.index] = true }
        self.isFace = isFace
    }

    /// The memory for measuring, kept from one face to the next.
    struct Memory {
        fileprivate var (covered, across): ([Float], [Float]) = ([], [])
        fileprivate var opened = CoarseMap(width: 1, height: 1, filledWith: 0)
        fileprivate var blurring = CoarseMap.Memory()
    }

    /// How free each texel on the face is of the giver's occluders.
    /// - Parameter result: gets one for each texel, 0…1; empty before.
    func freedom(
        of giver: GivenFace, from matte: OcclusionMatte, into result: inout [Float], _ memory: inout Memory
    ) {
        let (low, size) = (Point(matte.box.x, matte.box.y), Point(matte.box.width, matte.box.height))
        let high = low + size
        memory.covered.removeAll(keepingCapacity: true)
        for isFace in isFace { memory.covered.append(isFace ? 0 : 1) }
        for texel in texels.texels {
            let place = texel.interpolate(giver.vertices)
            guard all(place .> low), all(place .< high) else { continue }
            memory.covered[texel.index] = smoothstep(Self.little, Self.much, Float(matte.interpolated(at: place)) / 255)
        }
        if memory.opened.values.count != isFace.count {
            memory.opened = CoarseMap(width: texels.width, height: texels.height, filledWith: 0)
        }
        let texel = texels.spacing * FaceBox(around: giver.vertices).width / texels.faceWidth
        let margin = Int(min(Float(Self.mostMargin), Self.marginInPixels / max(0.1, texel)))
        extremes(memory.covered, reach: Self.thin, min, into: &memory.opened.values, &memory.across)
        for index in isFace.indices {
            memory.covered[index] = isFace[index] ? memory.opened.values[index] : 0
        }
        extremes(
            memory.covered, reach: Self.thin + max(Self.leastMargin, margin), max, into: &memory.opened.values,
            &memory.across)
        memory.opened.blur(reach: 1, times: 2, &memory.blurring)
        for texel in texels.texels { result.append(1 - memory.opened.values[texel.index]) }
    }

    /// How much of the giver is shown.
    /// - Parameters:
    ///   - freedom: of each texel.
    ///   - result: gets one for each texel; empty before.
    func shown(_ freedom: [Float], into result: inout [Float]) {
        for index in freedom.indices { result.append(region[index] * freedom[index]) }
    }

    /// Whether a part of the giver is hidden.
    /// - Parameter freedom: of the giver, at each texel; nil: all is free.
    func hidesPart(_ giver: GivenFace, _ freedom: [Float]?) -> Bool {
        texels.texels.indices.contains { region[$0] > 0 && hidden(giver, freedom, at: $0) > 0.02 }
    }

    /// How much of the giver's other side is shown where the giver is hidden.
    /// - Parameters:
    ///   - giver: the given face.
    ///   - freedom: as above.
    ///   - otherFreedom: the same of the other side.
    ///   - result: gets one for each texel; empty before.
    func filled(_ giver: GivenFace, _ freedom: [Float]?, otherFreedom: [Float]?, into result: inout [Float]) {
        for index in texels.texels.indices {
            let need = min(1, 2 * hidden(giver, freedom, at: index))
            result.append(region[index] * need * (otherFreedom?[index] ?? 1))
        }
    }

    private func hidden(_ giver: GivenFace, _ freedom: [Float]?, at index: Int) -> Float {
        1 - texels.texels[index].interpolate(giver.seen) * (freedom?[index] ?? 1)
    }

    /// The largest or smallest value in a square window; nothing beyond the border.
    private func extremes(
        _ values: [Float], reach: Int, _ choose: (Float, Float) -> Float, into result: inout [Float],
        _ across: inout [Float]
    ) {
        let (width, height) = (texels.width, texels.height)
        across.removeAll(keepingCapacity: true)
        for y in 0..<height {
            for x in 0..<width {
                var value = values[y * width + x]
                for other in max(0, x - reach)...min(width - 1, x + reach) {
                    value = choose(value, values[y * width + other])
                }
                across.append(value)
            }
        }
        for y in 0..<height {
            for x in 0..<width { result[y * width + x] = across[y * width + x] }
            for other in max(0, y - reach)...min(height - 1, y + reach) {
                for x in 0..<width {
                    result[y * width + x] = choose(result[y * width + x], across[other * width + x])
                }
            }
        }
    }
}

extension FaceTexels.Texel {
    /// - Parameter values: of the mesh's vertices, and perhaps of more.
    func interpolate(_ values: [Point]) -> Point {
        weights.x * values[triangle.a] + weights.y * values[triangle.b] + weights.z * values[triangle.c]
    }

    /// - Parameter values: of the mesh's vertices.
    func interpolate(_ values: [Float]) -> Float {
        weights.x * values[triangle.a] + weights.y * values[triangle.b] + weights.z * values[triangle.c]
    }
}
