import FaceGeometry
import Hands
import Pixels

/// Detects the occluders of faces in single pictures.
package struct StillOcclusion {
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private let search: OccluderSearch
    // What they need is made when they are first asked for.
    private lazy var glassesFinder = GlassesFinder(reference: reference, mesh: mesh)
    private lazy var texels = CanonicalTexels(reference: reference, mesh: mesh)
    private var handFinder: HandFinder?
    private var hairFinder: HairFinder?
    private var matteMemory = MatteMemory()
    private var besideMatte = TexelMatte()
    /// By track ID: of the faces of the last picture before which hair was looked for, those whose foreheads are higher than
    /// that of a mean head.
    package private(set) var hairlines: [Int: Hairline] = [:]
    /// The matte's edge. It is nearer to the hand's outline than in streams, where the learnt face completes that.
    private static let halfOfHands: Float = 0.45
    /// In photographs of more people, hands are looked for less thoroughly: that takes a quarter of the time.
    private static let mostFacesAlone = 3

    package init(reference: ReferenceFace, mesh: FaceMesh, search: OccluderSearch = .none) {
        (self.reference, self.mesh, self.search) = (reference, mesh, search)
    }

    /// - Parameters:
    ///   - hands: the faces before which hands are looked for; their track IDs differ.
    ///   - props: the track IDs of those that wear props, which reach beyond the face.
    ///   - hair: those before which hair, hats and hoods are looked for.
    ///   - glasses: those before which glasses are looked for.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Returns: by track ID, for those faces before which there is something.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    package mutating func find(
        hands: [FaceInstance] = [], props: [Int] = [], hair: [FaceInstance], glasses: [FaceInstance],
        in picture: borrowing PixelBuffer
    ) throws -> [Int: OcclusionMatte] {
        var mattes: [Int: OcclusionMatte] = [:]
        hairlines = [:]
        func add(_ matte: OcclusionMatte?, _ instance: FaceInstance) {
            guard let matte else { return }
            mattes[instance.trackID] = mattes[instance.trackID]?.union(matte) ?? matte
        }
        for instance in hair { add(try self.hair(before: instance, in: picture), instance) }
        for instance in glasses { add(glassesFinder.find(instance, in: picture), instance) }
        let isGroup = hands.count > Self.mostFacesAlone
        for instance in hands {
            let hasProps = props.contains(instance.trackID)
            add(try hand(before: instance, hasProps: hasProps, inGroup: isGroup, in: picture), instance)
        }
        return mattes
    }

    private mutating func hair(
        before instance: FaceInstance, in picture: borrowing PixelBuffer
    ) throws -> OcclusionMatte? {
        var vertices = instance.face.vertices
        guard instance.canBeLearnt(vertices) else { return nil }
        if hairFinder == nil {
            guard let networks = search.networks, networks.hasPerson else { return nil }
            hairFinder = try HairFinder(texels, networks)
        }
        guard let found = try hairFinder?.find(vertices: vertices, width: instance.width, in: picture) else {
            return nil
        }
        if let hairline = found.hairline {
            hairlines[instance.trackID] = hairline
            hairline.raise(&vertices)
        }
        matteMemory.beginPicture()
        besideMatte.beginPicture()
        let hair = found.hair.flatMap { covered in
            MatteRefinement.matte(
                covered.map { $0 ? 1 : 0 }, confidence: texels.certain, texels, vertices: vertices, in: picture,
                &matteMemory)
        }
        guard let beside = found.beside.flatMap({ besideMatte.draw($0, texels, vertices) }) else { return hair }
        return hair?.union(beside) ?? beside
    }

    private mutating func hand(
        before instance: FaceInstance, hasProps: Bool, inGroup isGroup: Bool, in picture: borrowing PixelBuffer
    ) throws -> OcclusionMatte? {
        let vertices = instance.face.vertices
        guard instance.canBeLearnt(vertices) else { return nil }
        if handFinder == nil {
            guard let networks = search.networks, networks.hasHands else { return nil }
            handFinder = try HandFinder(networks)
        }
        let target = HandTarget(vertices: vertices, width: instance.width)
        var hands = try handFinder?.find(near: target, in: picture, isThorough: !isGroup) ?? []
        if hasProps { hands = hands.filter(target.isReached) }
        guard !hands.isEmpty else { return nil }
        matteMemory.beginPicture()
        return MatteRefinement.matte(
            [Float](repeating: 0, count: CanonicalTexels.count), confidence: texels.evidence,
            half: Self.halfOfHands, hands: hands, hasProps: hasProps, texels, vertices: vertices, in: picture,
            &matteMemory)
    }
}
