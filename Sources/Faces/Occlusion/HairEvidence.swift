import FaceGeometry
import Pixels

/// What the colours of a face in a single picture tell about hair in front of it: what differs from the skin of cheeks
/// and forehead, and is more like what is outside the face's outline.
struct HairEvidence {
    /// Of each texel of the grid.
    private(set) var colors = [SIMD4<Float>](repeating: .zero, count: CanonicalTexels.count)
    /// Of each texel: how far it is from the skin that the light would make there, in variances, squared.
    private(set) var fromSkin = [Float](repeating: 0, count: CanonicalTexels.count)
    /// Of each texel that may be hair: how far it is from the most similar place outside, in variances, squared.
    private(set) var fromOutside = [Float](repeating: 0, count: CanonicalTexels.count)
    /// Of each texel.
    private(set) var isHair = [Bool](repeating: false, count: CanonicalTexels.count)

    /// Of skin, before its own spread is known: standard deviations of `SkinColors`.
    static let spread = SIMD4<Float>(0.20, 0.09, 0.09, 1)
    /// Of hair, with its strands and highlights.
    private static let outsideSpread = SIMD4<Float>(0.30, 0.10, 0.10, 1)
    /// Hair differs by more from skin, and by less, in relation to that, from the outside.
    private static let (leastDifference, likeness): (Float, Float) = (9, 0.6)
    /// Of the places outside, from the outline, in face widths; so many sectors on both sides are compared.
    private static let (distances, neighbours): ([Float], Int) = ([0.05, 0.10, 0.16, 0.22], 5)
    /// With fewer samples nothing is known about the skin.
    private static let fewestSamples = 100

    /// - Parameters:
    ///   - reader: has read the face.
    ///   - vertices: of the mesh, in pixels.
    ///   - width: of the face, in pixels.
    /// - Returns: nil if too little skin is seen.
    init?(
        _ hair: HairTexels, _ reader: TexelReader, vertices: [Point], width: Float, in picture: borrowing PixelBuffer
    ) {
        let texels = hair.texels
        for (texel, color) in zip(texels.inside, reader.colors) { colors[texel.index] = color }
        let precision = 1 / (Self.spread * Self.spread)
        let samples = texels.inside.enumerated().compactMap { place, texel -> LightFit.Sample? in
            let weight = hair.skin[texel.index] * reader.visibility[place]
            guard weight > 0 else { return nil }
            return LightFit.Sample(
                basis: Self.basis(texel), difference: reader.colors[place], precision: precision, weight: weight)
        }
        guard samples.count > Self.fewestSamples else { return nil }
        let skin = LightFit.fit(samples, start: nil, iterations: 6)
        func difference(_ color: SIMD4<Float>, _ basis: SIMD8<Float>) -> Float {
            let rest = color - skin.value(basis)
            return (rest * rest * precision).sum()
        }
        // Freckles, make-up and noise: each skin has its own spread.
        let sure = samples.filter { $0.weight > 0.5 }.map { difference($0.difference, $0.basis) }.sorted()
        guard !sure.isEmpty else { return nil }
        let scale = min(2.5, max(0.6, sure[sure.count * 6 / 10] / 1.2))
        let outside = Self.outside(vertices, width, texels, in: picture)
        for texel in texels.inside where hair.mayBeHair[texel.index] {
            let index = texel.index
            fromSkin[index] = difference(colors[index], Self.basis(texel)) / scale
            guard fromSkin[index] > Self.leastDifference else { continue }
            fromOutside[index] = Self.distance(colors[index], outside, about: texels.sector[index])
            isHair[index] = fromOutside[index] < Self.likeness * fromSkin[index]
        }
    }

    /// The colours outside the outline, sector by sector; nil beyond the picture.
    private static func outside(
        _ vertices: [Point], _ width: Float, _ texels: CanonicalTexels, in picture: borrowing PixelBuffer
    ) -> [SIMD4<Float>?] {
        let places = texels.outline.places(vertices, distances: distances.map { $0 * width })
        var colors: [SIMD4<Float>] = []
        SkinColors(spacing: max(1, 0.015 * width)).read(picture, at: places, into: &colors)
        let (right, bottom) = (Float(picture.width), Float(picture.height))
        return zip(places, colors).map { place, color in
            place.x >= 0 && place.y >= 0 && place.x < right && place.y < bottom ? color : nil
        }
    }

    /// Light is curved only where there is much to tell: the forehead is not sure skin.
    private static func basis(_ texel: CanonicalTexels.Texel) -> SIMD8<Float> {
        texel.lightBasis * SIMD8(1, 1, 1, 0.3, 0.3, 0.3, 0, 0)
    }

    private static func distance(_ color: SIMD4<Float>, _ outside: [SIMD4<Float>?], about sector: Int) -> Float {
        var least = Float.infinity
        let count = FaceOutline.sectorCount
        for offset in -neighbours...neighbours {
            let first = (sector + offset + count) % count * distances.count
            for place in first..<first + distances.count {
                guard let other = outside[place] else { continue }
                let difference = (color - other) / outsideSpread
                least = min(least, (difference * difference).sum())
            }
        }
        return least
    }
}
