import FaceGeometry

/// Prior knowledge about hair in front of a face, in the texels of its grid. Immutable, so that all faces share it.
final class HairTexels: Sendable {
    let texels: CanonicalTexels
    /// How surely each texel shows skin, 0…1: cheeks and nose, and less so the middle of the forehead.
    let skin: [Float]
    /// Whether hair may hang there: above the jaw.
    let mayBeHair: [Bool]
    /// Whether it is so far down that a beard, or the shadow of the head, is as likely as hair.
    let isLow: [Bool]
    /// Whether it is dark by itself.
    let isBrowOrEye: [Bool]
    /// Whether hair comes in there over the outline.
    let isRim: [Bool]
    /// The part of the face: one temple, the forehead, the other temple, each with the cheek below it.
    let part: [Int]
    static let partCount = 3
    /// Of the sectors of the outline: whether hair hangs beside them, and whether they are above the head's widest place.
    let (isBesideHair, isAbove): ([Bool], [Bool])
    /// Of the sectors: what light is composed of there.
    let sectorBasis: [SIMD8<Float>]

    /// In canonical UV: hair is looked for above the first; above the second it is more likely than anything else; it comes in
    /// over the outline above the third.
    private static let (lowest, low, lowestRim): (Float, Float, Float) = (0.78, 0.62, 0.6)
    /// Texels nearer to the outline of the mesh lie along it, in face widths.
    static let rimDepth: Float = 0.05
    /// In canonical UV: where the forehead begins and ends, from the middle; and the lowest place of the head's top.
    private static let (foreheadReach, top): (Float, Float) = (0.14, 0.3)

    init(_ texels: CanonicalTexels) {
        self.texels = texels
        let regions = FaceRegions(texels.reference)
        let isInside = (0..<CanonicalTexels.count).map { texels.depth[$0] > 0 }
        let places = (0..<CanonicalTexels.count).map(CanonicalTexels.grid.place)
        var skin = [Float](repeating: 0, count: places.count)
        var isBrowOrEye = [Bool](repeating: false, count: places.count)
        for (index, place) in places.enumerated() where isInside[index] {
            let distances = regions.distances(place)
            isBrowOrEye[index] = distances.brow < 0.06 || distances.eye < 0.07
            let side = abs(place.x - 0.5)
            let isCheek = place.y > 0.45 && place.y < 0.68 && side < 0.22 && texels.depth[index] > 0.09
            let isNose = place.y > 0.36 && place.y < 0.56 && side < 0.045
            let isForehead = place.y > 0.24 && place.y < 0.36 && side < Self.foreheadReach
            let nearest = min(distances.eye / 0.05, distances.mouth / 0.06, distances.nostril / 0.04)
            skin[index] = (isCheek || isNose ? 1 : isForehead ? 0.35 : 0) * nearest.limitedToUnit
        }
        (self.skin, self.isBrowOrEye) = (skin, isBrowOrEye)
        mayBeHair = places.indices.map { isInside[$0] && places[$0].y < Self.lowest }
        isLow = places.map { $0.y > Self.low }
        isRim = places.indices.map { isInside[$0] && places[$0].y < Self.lowestRim && texels.depth[$0] < Self.rimDepth }
        part = places.map { $0.x < 0.5 - Self.foreheadReach ? 0 : $0.x > 0.5 + Self.foreheadReach ? 2 : 1 }
        isBesideHair = texels.outline.middles.map { $0.y < Self.lowest }
        isAbove = texels.outline.middles.map { $0.y < Self.top }
        sectorBasis = texels.outline.middles.map(CanonicalTexels.lightBasis)
    }
}
