import FaceGeometry
import PersonSegmentation
import Pixels

/// What the colours of a face in a single picture tell about hair in front of it: what differs from the skin of cheeks
/// and nose in the light on the face, and is more like what belongs to the person beyond the face's outline.
struct HairEvidence {
    /// Of each texel of the grid.
    private(set) var colors = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count)
    /// Of each texel: how far its colour is from that of skin in the same light.
    private(set) var differences = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count)
    /// The same in variances, squared.
    private(set) var fromSkin = [Float](repeating: 0, count: CanonicalTexels.count)
    /// Of each texel: how far it is turned towards the viewer, 0…1; 0 outside the mesh.
    private(set) var visibility = [Float](repeating: 0, count: CanonicalTexels.count)
    /// Of each texel: whether it may be hair.
    private(set) var isHair = [Bool](repeating: false, count: CanonicalTexels.count)
    /// `SkinLook.scale`.
    let scale: Float

    /// Of hair, with its strands and highlights.
    static let hairSpread = SIMD4<Float>(0.25, 0.10, 0.10, 1)
    /// Hair differs by more from skin, and by less, in relation to that, from the person beyond the outline.
    private static let usual: (difference: Float, likeness: Float) = (9, 0.6)
    /// The same where beards and shadows are as likely, and how near to the outline it is, in face widths.
    private static let low: (difference: Float, likeness: Float, depth: Float) = (20, 0.3, 0.16)
    /// Where hair is looked for in each sector, from the outline, in face widths. Those inside of the outline count where the head
    /// ends before `beyond`: there, the outline is the head's own.
    private static let distances: [Float] = [-0.04, -0.01, 0.03, 0.07, 0.12, 0.17, 0.22]
    private static let (insideCount, beyond) = (2, 3)
    /// So many of a sector's places show hair if it is there at all.
    private static let fewestPlaces = 2
    /// So many sectors to both sides are compared; low ones only with these.
    private static let (neighbours, lowNeighbours) = (5, 2)
    /// What the network says at least of a place that belongs to the person, 0…1: outside of the outline, and inside.
    private static let (leastOutside, leastInside): (Float, Float) = (0.6, 0.5)

    /// - Parameters:
    ///   - look: of the face's skin.
    ///   - reader: has read the face.
    ///   - person: where the person is.
    ///   - vertices: of the mesh, in pixels.
    ///   - width: of the face, in pixels.
    init(
        _ hair: HairTexels, _ look: SkinLook, _ reader: TexelReader, _ person: PersonArea, vertices: [Point],
        width: Float, in picture: borrowing PixelBuffer
    ) {
        scale = look.scale
        let texels = hair.texels
        for (place, texel) in texels.inside.enumerated() {
            colors[texel.index] = reader.colors[place]
            visibility[texel.index] = reader.visibility[place]
        }
        let outside = Self.hairOutside(hair, person, vertices, width, in: picture) { color, sector in
            look.distance(color, at: hair.sectorBasis[sector])
        }
        for texel in texels.inside {
            let index = texel.index
            differences[index] = look.difference(colors[index], at: texel.lightBasis)
            fromSkin[index] = look.distance(colors[index], at: texel.lightBasis)
            let isLow = hair.isLow[index]
            guard hair.mayBeHair[index], fromSkin[index] > (isLow ? Self.low.difference : Self.usual.difference),
                !isLow || texels.depth[index] < Self.low.depth,
                person.value(at: texel.interpolate(vertices)) > Self.leastInside
            else { continue }
            let reach = isLow ? Self.lowNeighbours : Self.neighbours
            let distance = Self.distance(colors[index], outside, about: texels.sector[index], reach: reach)
            isHair[index] = distance < (isLow ? Self.low.likeness : Self.usual.likeness) * fromSkin[index]
        }
    }

    /// The colours of the person about the outline that are not those of skin, sector by sector; nil elsewhere.
    /// - Parameter fromSkin: how far a colour is from skin in the light of a sector, in variances, squared.
    private static func hairOutside(
        _ hair: HairTexels, _ person: PersonArea, _ vertices: [Point], _ width: Float,
        in picture: borrowing PixelBuffer,
        fromSkin: (SIMD4<Float>, Int) -> Float
    ) -> [SIMD4<Float>?] {
        let count = distances.count
        let places = hair.texels.outline.places(vertices, distances: distances.map { $0 * width })
        var colors: [SIMD4<Float>] = []
        SkinColors(spacing: max(1, 0.015 * width)).read(picture, at: places, into: &colors)
        let (right, bottom) = (Float(picture.width), Float(picture.height))
        var result: [SIMD4<Float>?] = []
        for sector in 0..<FaceOutline.sectorCount {
            let values = (0..<count).map { person.value(at: places[sector * count + $0]) }
            let endsEarly = hair.isAbove[sector] && values[beyond] < leastOutside
            let found = (0..<count).map { step -> SIMD4<Float>? in
                let (place, color) = (places[sector * count + step], colors[sector * count + step])
                guard hair.isBesideHair[sector], values[step] > leastOutside, endsEarly || step >= insideCount,
                    place.x >= 0, place.y >= 0, place.x < right, place.y < bottom,
                    fromSkin(color, sector) > usual.difference
                else { return nil }
                return color
            }
            let isThere = found.count { $0 != nil } >= fewestPlaces
            result += isThere ? found : Array(repeating: nil, count: count)
        }
        return result
    }

    /// In variances, squared, from the most similar place.
    private static func distance(
        _ color: SIMD4<Float>, _ outside: [SIMD4<Float>?], about sector: Int, reach: Int
    ) -> Float {
        var least = Float.infinity
        let count = FaceOutline.sectorCount
        for offset in -reach...reach {
            let first = (sector + offset + count) % count * distances.count
            for place in first..<first + distances.count {
                guard let other = outside[place] else { continue }
                least = min(least, unlikeness(color, other))
            }
        }
        return least
    }

    /// How far two colours of hair differ, in variances, squared.
    static func unlikeness(_ color: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
        let difference = (color - other) / hairSpread
        return (difference * difference).sum()
    }
}
