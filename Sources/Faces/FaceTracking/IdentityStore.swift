import FaceGeometry

/// Remembers the descriptors of tracks that have ended, so that a person who comes back gets the same track ID.
package struct IdentityStore: Sendable {
    private struct Person: Sendable {
        var trackID: Int
        var descriptor: FaceDescriptor
        /// When the face was last certain.
        var lastDescriptor: FaceDescriptor
        var center: Point
        var side: Float
        var lastSeen: Double
    }

    /// Only the most recent people are kept.
    package static let capacity = 32
    /// Descriptors above this similarity belong to the same person.
    package static let sameDescriptor: Float = 0.72
    /// The threshold near the place of a face lost less than `nearbySeconds` ago.
    package static let sameDescriptorNearby: Float = 0.40
    package static let nearbySeconds = 1.5

    private var absent: [Person] = []
    private var nextIdentity = 1

    package init() {}

    /// Stores a track that has ended.
    /// - Parameters:
    ///   - descriptor: the mean of the track.
    ///   - lastDescriptor: at its end, for instance of a turned face; nil: the same.
    package mutating func remember(
        trackID: Int, descriptor: FaceDescriptor, lastDescriptor: FaceDescriptor? = nil, box: OrientedBox,
        at seconds: Double
    ) {
        if absent.count >= Self.capacity { absent.removeFirst() }
        absent.append(
            Person(
                trackID: trackID, descriptor: descriptor, lastDescriptor: lastDescriptor ?? descriptor,
                center: box.center, side: box.side, lastSeen: seconds))
    }

    /// After a cut: where somebody was in the last scene says nothing of the next one.
    package mutating func forgetPlaces() {
        for index in absent.indices { absent[index].lastSeen = -.infinity }
    }

    /// The track ID of the most similar absent person, or a new one.
    package mutating func identify(_ descriptor: FaceDescriptor, box: OrientedBox, at seconds: Double) -> Int {
        var best: (index: Int, similarity: Float)?
        for (index, person) in absent.enumerated() {
            let isNear =
                seconds - person.lastSeen < Self.nearbySeconds
                && (person.center - box.center).length < 1.5 * max(person.side, box.side)
            var similarity = person.descriptor.similarity(to: descriptor)
            if isNear { similarity = max(similarity, person.lastDescriptor.similarity(to: descriptor)) }
            guard similarity > (isNear ? Self.sameDescriptorNearby : Self.sameDescriptor) else { continue }
            // Proximity raises the score, but does not outweigh a clearly higher similarity.
            let score = similarity + (isNear ? 0.15 : 0)
            if score > best?.similarity ?? -1 { best = (index, score) }
        }
        if let best { return absent.remove(at: best.index).trackID }
        defer { nextIdentity += 1 }
        return nextIdentity
    }
}
