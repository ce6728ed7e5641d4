import FaceGeometry

/// Prior knowledge about hair in front of a face, in the texels of its grid. Immutable, so that all faces share it.
final class HairTexels: Sendable {
    let texels: CanonicalTexels
    /// How surely each texel shows skin, 0…1: cheeks, and less so the middle of the forehead.
    let skin: [Float]
    /// Whether hair may hang there: above the cheeks.
    let mayBeHair: [Bool]
    /// Whether it is dark by itself.
    let isBrowOrEye: [Bool]
    /// Whether hair comes in there over the outline.
    let isRim: [Bool]
    /// The columns of the middle of the forehead, with the first row inside the mesh.
    let forehead: [(x: Int, top: Int)]
    /// Whether it lies in one of these columns.
    let isForehead: [Bool]

    /// In canonical UV: hair is looked for above it, and comes in over the outline above the second.
    private static let (lowest, lowestRim): (Float, Float) = (0.536, 0.5)
    /// Half of its width, in canonical UV.
    private static let foreheadReach: Float = 0.14

    init(_ texels: CanonicalTexels, reference: ReferenceFace) {
        self.texels = texels
        let regions = FaceRegions(reference)
        let isInside = (0..<CanonicalTexels.count).map { texels.depth[$0] > 0 }
        let places = (0..<CanonicalTexels.count).map(CanonicalTexels.grid.place)
        var skin = [Float](repeating: 0, count: places.count)
        var isBrowOrEye = [Bool](repeating: false, count: places.count)
        for (index, place) in places.enumerated() where isInside[index] {
            let distances = regions.distances(place)
            isBrowOrEye[index] = distances.brow < 0.06 || distances.eye < 0.07
            let side = abs(place.x - 0.5)
            let isCheek = place.y > 0.47 && place.y < 0.66 && side < 0.22 && texels.depth[index] > 0.09
            let isForehead = place.y > 0.24 && place.y < 0.36 && side < 0.14
            let nearest = min(distances.eye / 0.05, distances.mouth / 0.06, distances.nostril / 0.04)
            skin[index] = (isCheek ? 1 : isForehead ? 0.35 : 0) * nearest.limitedToUnit
        }
        (self.skin, self.isBrowOrEye) = (skin, isBrowOrEye)
        mayBeHair = places.indices.map { isInside[$0] && places[$0].y < Self.lowest }
        isRim = places.indices.map { isInside[$0] && places[$0].y < Self.lowestRim && texels.depth[$0] < 0.05 }
        isForehead = places.map { abs($0.x - 0.5) < Self.foreheadReach }
        let width = CanonicalTexels.width
        forehead = (0..<width).compactMap { x in
            guard abs(places[x].x - 0.5) < Self.foreheadReach else { return nil }
            return (0..<CanonicalTexels.height).first { isInside[$0 * width + x] }.map { (x, $0) }
        }
    }
}
