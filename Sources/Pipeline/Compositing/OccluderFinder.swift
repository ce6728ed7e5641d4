import FaceGeometry
import MaskComposition
import Masks
import Occlusion
import Pixels

/// Finds what stays in front of the masks that faces wear: hands, hair and glasses, each before those faces whose masks lie under
/// it. It belongs to one stream of frames.
package struct OccluderFinder {
    package var policy = OccluderPolicy.mask
    /// How networks look for hands and hair.
    package var search = OccluderSearch.none {
        didSet { (stream, still, found, seesHands) = (nil, nil, nil, search.seesHands) }
    }
    /// Whether the next still is the picture of the last one: then what was found there holds, and is not searched for again.
    package var isSameStill = false
    /// Known once, because it looks for files.
    private var seesHands = false
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    /// Nil until a mask has asked for it.
    private var stream: OcclusionFollower?
    /// The same, for photographs.
    private var still: StillOcclusion?
    /// What was found in the last still, and before which faces hands, hair and glasses were looked for, and
    /// which wear props, by track ID.
    private var found: (before: [[Int]], mattes: [Int: OcclusionMatte])?

    init(reference: ReferenceFace, mesh: FaceMesh) { (self.reference, self.mesh) = (reference, mesh) }

    /// Ends the search by networks after a failure.
    /// - Returns: whether the search may have caused it.
    package mutating func endSearch() -> Bool {
        guard stream != nil, seesHands || search.seesHair else { return false }
        search = .none
        return true
    }

    /// Begins to load the networks that see hands, on their own thread, before there is a face.
    /// - Parameters:
    ///   - mask: the one that is worn first.
    ///   - warn: see `find`.
    /// - Throws: `OutOfMemory` or `NoThread`.
    mutating func prepareHands(for mask: Mask, warn: ((FrameWarning) -> Void)?) throws {
        guard stream == nil, policy.includes(.hands, mask, seesHands: seesHands) else { return }
        var follower = OcclusionFollower(reference: reference, mesh: mesh, search: search)
        do {
            try follower.prepareHands()
        } catch  where !(error is OutOfMemory) {
            return try leaveOutNetworks(error, warn)
        }
        stream = follower
    }

    /// - Parameters:
    ///   - worn: the masks of the faces; paint on high foreheads is raised to the hair.
    ///   - frame: as it was taken, with the chosen faces: on another background, hair and hands have other edges.
    ///   - warn: is told once that networks are left out from then on, because one is damaged; nil: that is an error.
    /// - Returns: the mattes of the chosen faces before which there is something, by track ID.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    mutating func find(
        before worn: inout [WornMask], in frame: borrowing Frame, warn: ((FrameWarning) -> Void)?
    ) throws -> [Int: OcclusionMatte] {
        guard !worn.isEmpty else {
            stream?.forgetHands()
            return [:]
        }
        var mattes: [Int: OcclusionMatte]
        do {
            mattes = try self.mattes(worn, frame)
        } catch  where !(error is OutOfMemory) {
            guard seesHands || search.seesHair else { throw error }
            try leaveOutNetworks(error, warn)
            mattes = try self.mattes(worn, frame)
        }
        OcclusionMatte.spareNeighbours(&mattes, worn.map(\.instance))
        raiseToHairlines(&worn, isStill: frame.seconds == nil)
        return mattes
    }

    private mutating func leaveOutNetworks(_ error: any Error, _ warn: ((FrameWarning) -> Void)?) throws {
        guard let warn else { throw error }
        search = .none
        warn(FrameWarning(error, "masks are drawn over hands and hair"))
    }

    private mutating func mattes(_ worn: [WornMask], _ frame: borrowing Frame) throws -> [Int: OcclusionMatte] {
        let (policy, seesHands, chosen) = (policy, seesHands, frame.chosenFaces)
        func faces(occludedBy occluder: Mask.Occluder) -> [FaceInstance] {
            let trackIDs = worn.filter { policy.includes(occluder, $0.mask, seesHands: seesHands) }.map(
                \.instance.trackID)
            return chosen.filter { trackIDs.contains($0.trackID) }
        }
        let (handed, hair, glasses) = (
            faces(occludedBy: .hands), faces(occludedBy: .hair), faces(occludedBy: .glasses)
        )
        let props = worn.filter(\.mask.hasProps).map(\.instance.trackID)
        guard let seconds = frame.seconds else {
            guard !hair.isEmpty || !glasses.isEmpty || !handed.isEmpty else { return [:] }
            let before = [handed, hair, glasses].map { $0.map(\.trackID) } + [props]
            if isSameStill, let found, found.before == before { return found.mattes }
            var finder = still ?? StillOcclusion(reference: reference, mesh: mesh, search: search)
            still = nil
            defer { still = finder }
            let mattes = try finder.find(
                hands: handed, props: props, hair: hair, glasses: glasses, in: frame.pixels)
            found = (before, mattes)
            return mattes
        }
        if handed.isEmpty { stream?.forgetHands() }
        guard !handed.isEmpty || !hair.isEmpty || !glasses.isEmpty else { return [:] }
        var follower = stream ?? OcclusionFollower(reference: reference, mesh: mesh, search: search)
        // Not kept here meanwhile: two owners would copy what it holds.
        stream = nil
        defer { stream = follower }
        return try follower.follow(
            handed, props: props, hair: hair, glasses: glasses, in: frame.pixels, at: seconds)
    }

    private func raiseToHairlines(_ worn: inout [WornMask], isStill: Bool) {
        for index in worn.indices where policy.includes(.hair, worn[index].mask, seesHands: seesHands) {
            let trackID = worn[index].instance.trackID
            let hairline = isStill ? still?.hairlines[trackID] : stream?.hairline(of: trackID)
            if let hairline { worn[index].instance.face.raise(to: hairline) }
        }
    }

    /// Another scene follows: nothing is in front of faces, which look as they did.
    mutating func interrupt() { stream?.interrupt() }

    /// Another source follows: nothing is known of the faces.
    mutating func forget() { stream?.forget() }
}
