import FaceGeometry
import Hands
import NeuralNetworks
import Pixels
import Vision

/// Detects the occluders of the faces in a stream: hands, cups, microphones, and hair. It knows a face only after it has seen
/// it for a moment without an interruption of the track; until then it has no occluder but hair and hands. Use one for each stream.
package struct OcclusionFollower {
    private let texels: CanonicalTexels
    /// By track ID.
    private var faces: [Int: FaceOcclusion] = [:]
    /// With the last frame in which it was seen.
    private var lastSeen: [Int: Double] = [:]

    private var memory: OcclusionMemory
    private var matteMemory = MatteMemory()
    private var vertices: [Point] = []
    /// Of the last picture.
    private var mattes: [Int: OcclusionMatte] = [:]

    private let search: OccluderSearch
    /// Nil until a face is to be followed.
    private var handFollower: HandFollower?
    /// The same.
    private var hairFollower: HairFollower?
    private var hairMatte = TexelMatte()
    private var glassesFollower: GlassesFollower?
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    /// Known once, because it looks for files.
    private let seesHair: Bool

    /// How long a face is remembered, in seconds: a person who returns need not be learnt again.
    private static let memory = 30.0
    private static let mostRemembered = 32
    /// The matte's edge: what is half face and half hand belongs to the face.
    private static let half: Float = 0.58
    /// That of hands that the networks see.
    private static let halfOfHands: Float = 0.48

    /// While no hand is near, a face that is known is learnt so often, in seconds: that takes longer than to look for hands.
    private static let interval = 0.25

    package init(reference: ReferenceFace, mesh: FaceMesh, search: OccluderSearch = .none) {
        (self.search, seesHair) = (search, search.seesHair)
        (self.reference, self.mesh) = (reference, mesh)
        texels = CanonicalTexels(reference: reference, mesh: mesh)
        memory = OcclusionMemory(texels)
    }

    /// - Parameters:
    ///   - instances: the faces before which hands and the like are looked for; their track IDs differ.
    ///   - props: the track IDs of those that wear props, which reach beyond the face.
    ///   - hair: those before which hair, hats and hoods are looked for, likewise.
    ///   - glasses: those before which glasses are looked for, likewise.
    ///   - hands: those in the picture, where they are known; nil: networks look for them.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - seconds: the time of the picture.
    /// - Returns: by track ID, for those faces before which there is something.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    package mutating func follow(
        _ instances: [FaceInstance], props: [Int] = [], hair: [FaceInstance] = [], glasses: [FaceInstance] = [],
        hands: [Hand]? = nil, in picture: borrowing PixelBuffer, at seconds: Double
    ) throws -> [Int: OcclusionMatte] {
        let (found, targets) = try findHands(near: instances, known: hands, in: picture)
        let isCalm = handFollower?.isAlert == false
        mattes.removeAll(keepingCapacity: true)
        matteMemory.beginPicture()
        for instance in instances where instance.isLargeEnough {
            let identifier = instance.trackID
            if isCalm, let last = lastSeen[identifier], (0..<Self.interval).contains(seconds - last),
                let face = faces[identifier], face.isKnown, !face.isCovered
            {
                continue
            }
            var face =
                faces.removeValue(forKey: identifier) ?? FaceOcclusion(texels)
            instance.face.vertices(into: &vertices)
            if instance.canBeLearnt(vertices) {
                // What is a hand in front of a large face may be none beside a small one.
                let near = found.filter { targets[identifier]?.canBeCovered(by: $0, isKnown: true) ?? false }
                let hands = face.update(
                    instance, vertices: vertices, hands: near, in: picture, at: seconds, &memory)
                if face.isCovered || !hands.isEmpty {
                    mattes[identifier] = MatteRefinement.matte(
                        face.coverage, confidence: texels.evidence, half: hands.isEmpty ? Self.half : Self.halfOfHands,
                        hands: hands, evidence: face.isKnown ? memory.regions.evidence : nil,
                        hasProps: props.contains(identifier), texels, vertices: vertices, in: picture, &matteMemory)
                }
                lastSeen[identifier] = seconds
            } else {
                // Where the face is not exactly known, neither are its occluders.
                face.interrupt()
            }
            // One of which nothing has been seen yet takes no place.
            if lastSeen[identifier] != nil { faces[identifier] = face }
        }
        forgetOld(at: seconds)
        if !hair.isEmpty { try followHair(hair, in: picture, at: seconds) }
        if !glasses.isEmpty { followGlasses(glasses, in: picture, at: seconds) }
        return mattes
    }

    /// Adds hair to `mattes`.
    private mutating func followHair(
        _ instances: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double
    ) throws {
        if hairFollower == nil {
            guard seesHair, let networks = search.networks else { return }
            hairFollower = HairFollower(texels, networks, inBackground: search.isInBackground)
        }
        hairMatte.beginPicture()
        let seen = instances.filter(\.canBeLearnt)
        try hairFollower?.follow(seen, in: picture, at: seconds)
        for instance in seen {
            guard let coverage = hairFollower?.coverage(of: instance.trackID) else { continue }
            instance.face.vertices(into: &vertices)
            hairFollower?.hairline(of: instance.trackID)?.raise(&vertices)
            guard let matte = hairMatte.draw(coverage, texels, vertices) else { continue }
            mattes[instance.trackID] = mattes[instance.trackID]?.union(matte) ?? matte
        }
    }

    /// Of a face before which hair was looked for; nil: of a mean head, as far as anybody knows.
    package func hairline(of trackID: Int) -> Hairline? { hairFollower?.hairline(of: trackID) }

    /// Adds glasses to `mattes`.
    private mutating func followGlasses(
        _ instances: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double
    ) {
        var follower = glassesFollower ?? GlassesFollower(reference: reference, mesh: mesh)
        glassesFollower = nil
        let mayVote = hairFollower?.hasCopied(at: seconds) != true
        for instance in instances {
            instance.face.vertices(into: &vertices)
            let matte = follower.follow(
                instance, vertices: vertices, in: picture, at: seconds, mayVote: mayVote)
            guard let matte else { continue }
            mattes[instance.trackID] = mattes[instance.trackID]?.union(matte) ?? matte
        }
        glassesFollower = follower
    }

    /// Loads the networks that see hands, or begins to do so on another thread.
    /// - Throws: `VisionError` with the path of a damaged network; `OutOfMemory` or `NoThread`.
    package mutating func prepareHands() throws {
        guard handFollower == nil, let networks = search.networks, networks.hasHands else { return }
        handFollower =
            if case .paced(_, let pictures) = search {
                try HandFollower(networks, pictures: pictures)
            } else {
                try HandFollower(networks, inBackground: search.isInBackground)
            }
    }

    private mutating func findHands(
        near instances: [FaceInstance], known: [Hand]?, in picture: borrowing PixelBuffer
    ) throws -> (hands: [Hand], targets: [Int: HandTarget]) {
        if instances.isEmpty { return ([], [:]) }
        if known == nil { try prepareHands() }
        guard handFollower != nil || known?.isEmpty == false else { return ([], [:]) }
        var targets: [Int: HandTarget] = [:]
        for instance in instances where instance.isLargeEnough {
            instance.face.vertices(into: &vertices)
            if instance.canBeLearnt(vertices) {
                targets[instance.trackID] = HandTarget(vertices: vertices, width: instance.width)
            }
        }
        if let known { return (known, targets) }
        // In the same order for the same faces.
        let ordered = targets.sorted { $0.key < $1.key }.map(\.value)
        return (try handFollower?.follow(ordered, in: picture) ?? [], targets)
    }

    /// In a picture in which no face is followed: nobody knows where hands go meanwhile.
    package func forgetHands() { handFollower?.forget() }

    /// Forgets all occluders, as at a cut, and keeps the look of the faces.
    package mutating func interrupt() {
        for identifier in faces.keys { faces[identifier]?.interrupt() }
        handFollower?.forget()
        hairFollower?.forget()
    }

    /// Forgets the faces: another source follows.
    package mutating func forget() {
        (faces, lastSeen, mattes) = ([:], [:], [:])
        handFollower?.forget()
        hairFollower?.forget()
        glassesFollower?.forget()
    }

    /// Forgets what is old. If there are still too many faces, those that are in the picture stay before others, and then those
    /// that are known before those that are not, newer ones before older ones.
    private mutating func forgetOld(at seconds: Double) {
        func age(_ identifier: Int) -> Double { abs(seconds - (lastSeen[identifier] ?? -.infinity)) }
        guard faces.count > Self.mostRemembered || faces.keys.contains(where: { age($0) > Self.memory }) else { return }
        func comesFirst(_ a: Int, _ b: Int) -> Bool {
            func key(_ identifier: Int) -> (Int, Int, Double, Int) {
                let age = age(identifier)
                return (age > 0 ? 1 : 0, faces[identifier]?.isKnown == true ? 0 : 1, age, identifier)
            }
            return key(a) < key(b)
        }
        let kept = Set(
            faces.keys.filter { age($0) <= Self.memory }.sorted(by: comesFirst).prefix(Self.mostRemembered))
        faces = faces.filter { kept.contains($0.key) }
        lastSeen = lastSeen.filter { kept.contains($0.key) }
    }
}
