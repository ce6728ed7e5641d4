import FaceGeometry
import Pixels

/// Detects hair, hats and hoods that hang over a forehead in a single picture. Certain skin, of cheeks and forehead,
/// tells how the whole face would look. A part that differs from it, looks like the area outside the outline, and ends
/// in a hairline is an occluder.
struct HairFinder {
    private let hair: HairTexels
    private var reader: TexelReader

    /// Of a face, from ear to ear, in pixels.
    private static let smallestWidth: Float = 32
    /// So far below hair, brows and eyes may be covered by it, in texels.
    private static let reach = 4
    /// Beside the forehead, hair differs from skin by so large a part of what it does over it.
    private static let leastBeside: Float = 0.6

    init(reference: ReferenceFace, mesh: FaceMesh) {
        let texels = CanonicalTexels(reference: reference, mesh: mesh)
        hair = HairTexels(texels, reference: reference)
        reader = TexelReader(texels)
    }

    /// - Parameter picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Returns: nil if nothing is found.
    mutating func find(_ instance: FaceInstance, in picture: borrowing PixelBuffer) -> OcclusionMatte? {
        guard instance.canBeLearnt, instance.width >= Self.smallestWidth else { return nil }
        let vertices = instance.face.vertices
        reader.read(picture, vertices)
        guard
            let evidence = HairEvidence(hair, reader, vertices: vertices, width: instance.width, in: picture),
            let covered = covered(evidence)
        else { return nil }
        var memory = MatteMemory()
        return MatteRefinement.matte(
            covered.map { $0 ? 1 : 0 }, confidence: [Float](repeating: 1, count: covered.count), hair.texels,
            vertices: vertices, in: picture, &memory)
    }

    /// The texels that hair covers; nil if none exists.
    private func covered(_ evidence: HairEvidence) -> [Bool]? {
        let isHair = evidence.isHair
        let core = isHair.indices.map { isHair[$0] && !hair.isBrowOrEye[$0] }
        // It comes in over the outline.
        var covered = TexelGrid.closed(TexelGrid.grown(core.indices.map { core[$0] && hair.isRim[$0] }, into: core))
        let hairline = Hairline(covered, evidence, hair)
        guard hairline.isHair else { return nil }
        // Shaded temples join hair, and differ less from lit skin, or are divided from it by an edge.
        let least = Self.leastBeside * hairline.difference
        let shaded = HairSides(covered, evidence, hair).isShaded
        let sure = covered.indices.map { index in
            covered[index] && (hair.isForehead[index] || evidence.fromSkin[index] > least && !shaded[index])
        }
        covered = TexelGrid.grown(sure.indices.map { sure[$0] && hair.isForehead[$0] }, into: sure)
        // Brows are dark, too: they are covered only by what hangs down to them.
        var near = covered
        for _ in 0..<Self.reach { near = TexelGrid.dilated(near) }
        let allowed = isHair.indices.map { covered[$0] || isHair[$0] && near[$0] && !shaded[$0] }
        covered = TexelGrid.closed(TexelGrid.grown(covered, into: allowed))
        // Beyond the outline, so that the matte does not fade there.
        for _ in 0..<2 {
            let wide = TexelGrid.dilated(covered)
            covered = covered.indices.map { covered[$0] || wide[$0] && hair.texels.depth[$0] == 0 }
        }
        return covered
    }
}
