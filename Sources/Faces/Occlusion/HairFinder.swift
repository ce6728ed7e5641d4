import FaceGeometry
import Glibc
import NeuralNetworks
import PersonSegmentation
import Pixels

/// Finds hair, hats and hoods that hang in front of a face in a single picture. MediaPipe's selfie segmentation tells the
/// person from the background; what of the person is no skin, and comes in over the face's outline from above and from the
/// sides, is hair. It never begins within the face. Where the mesh reaches beyond the person, something else is seen. It
/// belongs to one thread at a time.
final class HairFinder {
    private let hair: HairTexels
    private var reader: TexelReader
    private let people: PersonSegmenter
    private var matteMemory = MatteMemory()

    /// Of a face, from ear to ear, in pixels.
    private static let smallestWidth: Float = 32
    /// Of the square that the network sees, in heights of the face.
    private static let square: Float = 1.8
    /// So far below hair, brows and eyes may be covered by it, in texels.
    private static let reach = 4
    /// How far into what is covered the shadow of hair may reach from the skin, in texels.
    private static let shadow = 6

    /// - Throws: `VisionError` with the path of a damaged network.
    init(_ texels: CanonicalTexels, _ networks: NetworkFolder) throws {
        hair = HairTexels(texels)
        reader = TexelReader(texels)
        people = try PersonSegmenter(networks)
    }

    /// What covers the texels of a face, on the mesh with the head points at the hairline.
    struct Covering {
        /// Nil: the forehead ends where that of a mean head does.
        var hairline: Hairline?
        /// Of each texel of the grid, whether hair, a hat or a hood covers it; nil: none is.
        var hair: [Bool]?
        /// Of each texel, whether it may be hair, in parts of the face where `HairParts` doubts that; nil: none is.
        var doubted: [Bool]?
        /// Of each texel, how far it shows something beside the head, 0…1; nil: none does.
        var beside: [Float]?
    }

    /// - Parameters:
    ///   - vertices: of the face's mesh, in pixels.
    ///   - width: of the face from ear to ear, in pixels.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Throws: `VisionError` or `OutOfMemory`.
    func find(vertices: [Point], width: Float, in picture: borrowing PixelBuffer) throws -> Covering {
        guard width >= Self.smallestWidth else { return Covering() }
        let square = Self.square(vertices)
        let person = PersonArea(square: square, matte: try people.matte(of: square, in: picture))
        var (vertices, result) = (vertices, Covering())
        reader.read(picture, vertices)
        var look = SkinLook(hair, reader)
        if let known = look {
            let hairline = Hairline(
                known, person, vertices: vertices, width: width, reference: hair.texels.reference, in: picture)
            if !hairline.isMean {
                result.hairline = hairline
                hairline.raise(&vertices)
                reader.read(picture, vertices)
                look = SkinLook(hair, reader)
            }
        }
        result.beside = BesideHead.coverage(hair.texels, reader, person, vertices)
        if let look {
            (result.hair, result.doubted) = covered(
                HairEvidence(hair, look, reader, person, vertices: vertices, width: width, in: picture))
        }
        return result
    }

    /// How far the texels of the grid are covered, on the mesh with the head points at the hairline.
    struct Coverage {
        /// Of each texel, how far hair, a hat or a hood covers it, 0…1; nil: none is.
        var hair: [Float]?
        /// As in `Covering`, as the others are.
        var doubted: [Bool]?
        var beside: [Float]?
        var hairline: Hairline?
    }

    /// Finds a matte as `MatteRefinement` does, in the texels of the face.
    /// - Throws: `VisionError` or `OutOfMemory`.
    func coverage(vertices: [Point], width: Float, in picture: borrowing PixelBuffer) throws -> Coverage {
        let found = try find(vertices: vertices, width: width, in: picture)
        var result = Coverage(doubted: found.doubted, beside: found.beside, hairline: found.hairline)
        guard let covered = found.hair else { return result }
        var vertices = vertices
        found.hairline?.raise(&vertices)
        var coverage: [Float] = covered.map { $0 ? 1 : 0 }
        matteMemory.beginPicture()
        let matte = MatteRefinement.matte(
            coverage, confidence: hair.texels.certain, hair.texels, vertices: vertices, in: picture, &matteMemory)
        guard let matte else { return result }
        for texel in hair.texels.inside {
            coverage[texel.index] = Float(matte.interpolated(at: texel.interpolate(vertices))) / 255
        }
        result.hair = coverage
        return result
    }

    /// Around head and shoulders. It turns with a head that is tilted far, because the network knows upright people.
    static func square(_ vertices: [Point]) -> OrientedBox {
        let topology = Landmarks.topology
        let (chin, top) = (vertices[topology.chin], vertices[Landmarks.count + HeadPoint.hairlineCenter.rawValue])
        let across = vertices[topology.jaw[topology.jaw.count - 1]] - vertices[topology.jaw[0]]
        return OrientedBox(
            center: (chin + top) / 2, side: square * max((chin - top).length, across.length),
            roll: OrientedBox.roll(tilt: atan2(across.y, across.x)))
    }

    /// - Returns: the texels that hair covers, and those of the doubted parts; nil if none exists.
    private func covered(_ evidence: HairEvidence) -> (hair: [Bool]?, doubted: [Bool]?) {
        let isHair = evidence.isHair
        let core = isHair.indices.map { isHair[$0] && !hair.isBrowOrEye[$0] }
        var covered = TexelGrid.grown(rim(of: core), into: core)
        // Brows are dark, too: they are covered only by what hangs down to them.
        var near = covered
        for _ in 0..<Self.reach { near = TexelGrid.dilated(near) }
        let allowed = isHair.indices.map { covered[$0] || isHair[$0] && near[$0] }
        covered = TexelGrid.closed(TexelGrid.grown(covered, into: allowed))
        let parts = HairParts(covered, evidence, hair)
        let sure = covered.indices.map { covered[$0] && parts.isHair[hair.part[$0]] }
        let rest = covered.indices.map { covered[$0] && parts.isDoubted(hair.part[$0]) }
        let doubted = rest.contains(true) ? rest : nil
        covered = withoutShadow(TexelGrid.grown(rim(of: sure), into: sure), evidence, parts)
        guard covered.contains(true) else { return (nil, doubted) }
        // Beyond the outline, so that the matte does not fade there.
        for _ in 0..<2 {
            let wide = TexelGrid.dilated(covered)
            covered = covered.indices.map { covered[$0] || wide[$0] && hair.texels.depth[$0] == 0 }
        }
        return (covered, doubted)
    }

    /// Hair throws its shadow on the skin beside it. Between dark strands, what looks like it is a highlight.
    private func withoutShadow(_ covered: [Bool], _ evidence: HairEvidence, _ parts: HairParts) -> [Bool] {
        let isShade = covered.indices.map {
            covered[$0] && parts.isShade(evidence.differences[$0], in: hair.part[$0])
        }
        var bare = covered.indices.map { !covered[$0] && hair.texels.depth[$0] > 0 }
        for _ in 0..<Self.shadow {
            let wide = TexelGrid.dilated(bare)
            bare = bare.indices.map { bare[$0] || wide[$0] && isShade[$0] }
        }
        let rest = covered.indices.map { covered[$0] && !bare[$0] }
        return TexelGrid.grown(rim(of: rest), into: rest)
    }

    private func rim(of region: [Bool]) -> [Bool] { region.indices.map { region[$0] && hair.isRim[$0] } }
}

/// Where in a square of a picture a person is.
struct PersonArea {
    let square: OrientedBox
    let matte: PersonMatte

    /// At a place of the picture, in pixels: 0 (something else) … 1 (the person); 0 outside the square.
    func value(at place: Point) -> Float {
        let offset = place - square.origin
        let scale = square.side * square.side
        return matte.value(at: Point((offset * square.across).sum(), (offset * square.down).sum()) / scale)
    }
}
