import FaceGeometry
import Glibc
import Masks
import Occlusion
import Pixels

/// The part of a face that is swapped: from a little above the brows down to the chin. The forehead stays the receiver's,
/// because what hangs into it, or is missing there, belongs to another head.
struct SwapRegion {
    /// Texels per side.
    private static let side = EdgeDistanceMap.side
    /// All is swapped up to `full` above the line of the brows, and nothing from `none` on: a quarter of the forehead. In face
    /// widths, as all that follow.
    private static let (full, none): (Float, Float) = (0.02, 0.08)
    /// The soft edge around openings: a wider one would mix two pairs of lips.
    private static let rim: Float = 0.02

    private let brows: [Point]
    private let rims: [(from: Point, to: Point)]
    private let width: Float

    /// - Parameter openings: the parts that stay the receiver's.
    init(_ reference: ReferenceFace, openings: Set<FaceMesh.Opening>) {
        brows = Self.brows(reference)
        rims = openings.flatMap(\.outlines).flatMap { outline in
            outline.indices.map { index in
                (reference.vertices[outline[index]], reference.vertices[outline[(index + 1) % outline.count]])
            }
        }
        width = reference.width
    }

    /// How much is swapped at a place of canonical UV, 0…1. It is not yet soft at the outline of the mesh.
    func share(at place: Point) -> Float {
        let above = (Self.height(of: brows, at: place.x) - place.y) / width
        let rimDistance = rims.reduce(Float.infinity) {
            min($0, EdgeDistanceMap.squaredDistance(place, $1.from, $1.to))
        }.squareRoot()
        return (1 - smoothstep(Self.full, Self.none, above)) * smoothstep(0, Self.rim, rimDistance / width)
    }

    /// White in canonical UV; alpha is the share.
    func texture() throws(OutOfMemory) -> Texture {
        var pixels = try PixelBuffer(width: Self.side, height: Self.side, format: .rgba8)
        for y in 0..<Self.side {
            pixels.withMutableRow(y) { row in
                for x in 0..<Self.side {
                    let share = share(at: (Point(Float(x), Float(y)) + 0.5) / Float(Self.side))
                    row[x] = SIMD4(255, 255, 255, UInt8(255 * share + 0.5))
                }
            }
        }
        return Texture(path: "", pixels: pixels)
    }

    /// The lower end of the brows, in canonical UV: below it, all of a face is swapped.
    static func browLine(_ reference: ReferenceFace) -> Float { brows(reference).map(\.y).max() ?? 0 }

    /// From the subject's right to their left.
    private static func brows(_ reference: ReferenceFace) -> [Point] {
        Landmarks.topology.brows.map { reference.vertices[$0] }.sorted { $0.x < $1.x }
    }

    /// Of the line through the brows; level beyond its ends.
    private static func height(of brows: [Point], at x: Float) -> Float {
        guard let next = brows.firstIndex(where: { $0.x > x }) else { return brows[brows.count - 1].y }
        guard next > 0 else { return brows[0].y }
        let (from, to) = (brows[next - 1], brows[next])
        return from.y + (x - from.x) / (to.x - from.x) * (to.y - from.y)
    }

    // MARK: Occluders of the giver

    /// The radius of the disc in which occluders are looked for around a place, in face widths.
    private static let reach: Float = 0.06
    /// Shares of the disc: an occluder that covers more than `little` weakens the swap, and one that covers `much` prevents
    /// it. Frames of glasses go with the face; they cover less.
    private static let (little, much): (Float, Float) = (0.2, 0.45)
    /// Shares of the receiver's middle that the giver must fill, because half of one face in another looks like nobody: with
    /// less, nothing is swapped; the swap is full with `range` more. `leastSeen` counts what the giver turns to the viewer;
    /// `leastTurned`, what it or its mirror image does, and is larger because a turned face is also distorted; `leastFree`
    /// counts what is not occluded either.
    private static let (leastSeen, leastTurned, leastFree, range): (Float, Float, Float, Float) = (0.5, 0.72, 0.6, 0.18)

    /// In the disc around a place, in its radii.
    private static let disc: [Point] =
        [.zero]
        + [Float(0.5), 1].flatMap { radius in
            (0..<6).map { index in
                let angle = (Float(index) + radius) * .pi / 3
                return radius * Point(cos(angle), sin(angle))
            }
        }

    /// How much of the giver's face is free at a place of the picture, 0…1.
    /// - Parameters:
    ///   - matte: of the giver.
    ///   - width: of the giver's face, in pixels.
    static func freedom(from matte: OcclusionMatte, at place: Point, width: Float) -> Float {
        let radius = reach * width
        let (low, size) = (Point(matte.box.x, matte.box.y), Point(matte.box.width, matte.box.height))
        guard all(place .> low - radius), all(place .< low + size + radius) else { return 1 }
        let sum = disc.reduce(0) { $0 + Int(matte.interpolated(at: place + radius * $1)) }
        let covered = Float(sum) / Float(255 * disc.count)
        return 1 - smoothstep(little, much, covered)
    }

    /// How much of the swap is drawn, 0…1.
    /// - Parameters:
    ///   - geometry: on the receiver.
    ///   - seen: how much of the giver's face is turned to the viewer, at each vertex.
    ///   - filled: the same of the giver or its mirror image, whichever is seen better.
    ///   - free: `filled`, less what occludes the giver.
    ///   - browLine: of `MaskSurface`.
    static func strength(
        _ geometry: LayerGeometry, seen: [Float], filled: [Float], free: [Float], browLine: Float
    ) -> Float {
        var (seenArea, filledArea, freeArea, area): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for triangle in geometry.triangles where geometry.canonicalUV[triangle.a].y > browLine {
            let part = max(0, triangle.doubleArea(geometry.positions))
            func mean(_ values: [Float]) -> Float {
                (values[triangle.a] + values[triangle.b] + values[triangle.c]) / 3
            }
            (seenArea, filledArea) = (seenArea + part * mean(seen), filledArea + part * mean(filled))
            (freeArea, area) = (freeArea + part * mean(free), area + part)
        }
        guard area > 0 else { return 0 }
        return smoothstep(leastSeen, leastSeen + range, seenArea / area)
            * smoothstep(leastTurned, leastTurned + range, filledArea / area)
            * smoothstep(leastFree, leastFree + range, freeArea / area)
    }
}
