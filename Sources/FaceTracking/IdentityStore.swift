import FaceGeometry

/// Remembers who has been seen, so that whoever comes back gets the old trackID.
package struct IdentityStore: Sendable {
    private struct Person: Sendable {
        var trackID: Int
        var descriptor: FaceDescriptor
        var center: Point
        var side: Float
        var lastSeen: Double
    }

    /// The most recent ones; nobody wants to be taken for somebody of an hour ago.
    package static let capacity = 32
    /// Faces that look as alike as this are the same person's.
    package static let sameDescriptor: Float = 0.72
    /// Right after a loss and near the same place less will do.
    package static let sameDescriptorNearby: Float = 0.40
    package static let nearbySeconds = 1.5

    private var absent: [Person] = []
    private var nextIdentity = 1

    package init() {}

    /// Keeps somebody in mind who is no longer followed.
    package mutating func remember(trackID: Int, descriptor: FaceDescriptor, box: OrientedBox, at seconds: Double) {
        if absent.count >= Self.capacity { absent.removeFirst() }
        absent.append(
            Person(
                trackID: trackID, descriptor: descriptor, center: box.center, side: box.side, lastSeen: seconds))
    }

    /// Who this is: the absent person who looks most alike, or somebody new.
    package mutating func identify(_ descriptor: FaceDescriptor, box: OrientedBox, at seconds: Double) -> Int {
        var best: (index: Int, similarity: Float)?
        for (index, person) in absent.enumerated() {
            let isNear =
                seconds - person.lastSeen < Self.nearbySeconds
                && (person.center - box.center).length < 1.5 * max(person.side, box.side)
            let similarity = person.descriptor.similarity(to: descriptor)
            guard similarity > (isNear ? Self.sameDescriptorNearby : Self.sameDescriptor) else { continue }
            // Nearness speaks for a person, but does not outweigh the looks of another.
            let score = similarity + (isNear ? 0.15 : 0)
            if score > best?.similarity ?? -1 { best = (index, score) }
        }
        if let best { return absent.remove(at: best.index).trackID }
        defer { nextIdentity += 1 }
        return nextIdentity
    }
}
