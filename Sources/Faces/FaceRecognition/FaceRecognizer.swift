import FaceGeometry

/// Says which enrolled person an embedding belongs to.
package struct FaceRecognizer: Sendable {
    /// Nearer than this is the same person, unless two enrolled people are nearer to each other than usual.
    package static let acceptedDistance: Float = 0.5
    /// Farther than this is somebody else. Between the two is doubt.
    package static let rejectedDistance: Float = 0.62
    /// Where another enrolled person is nearly as near, it is doubt: the second must be farther by this factor.
    static let leastRatio: Float = 1.12

    /// How far an embedding is from a person.
    package struct Candidate: Equatable, Sendable {
        package let name: PersonName
        /// To the nearest of the person's embeddings.
        package let distance: Float
        /// Below which the embedding would be the person's.
        package let limit: Float
    }

    private struct Entry: Sendable {
        let person: EnrolledPerson
        let limit: Float
    }

    private let entries: [Entry]
    /// Of a face that was not seen well enough: it may be anybody's.
    package let doubt: FaceIdentity

    package init(_ people: EnrolledPeople) {
        doubt = .uncertain(people.names.map(\.text))
        let people = people.people
        var nearest = [Float](repeating: .infinity, count: people.count)
        for index in people.indices {
            for other in 0..<index {
                let distance = people[other].embeddings.map { Self.distance(of: $0, to: people[index]) }.min()
                nearest[index] = min(nearest[index], distance ?? .infinity)
                nearest[other] = min(nearest[other], distance ?? .infinity)
            }
        }
        // Two people who look alike are recognised only nearer: each within half of their distance and an eighth.
        entries = zip(people, nearest).map { person, nearest in
            Entry(person: person, limit: min(Self.acceptedDistance, nearest / 2 + Self.acceptedDistance / 4))
        }
    }

    private static func distance(of embedding: FaceEmbedding, to person: EnrolledPerson) -> Float {
        person.embeddings.map { $0.distance(to: embedding) }.min() ?? .infinity
    }

    /// Everybody, the nearest first.
    package func candidates(for embedding: FaceEmbedding) -> [Candidate] {
        entries.map { entry in
            Candidate(
                name: entry.person.name, distance: Self.distance(of: embedding, to: entry.person), limit: entry.limit)
        }.sorted { $0.distance < $1.distance }
    }

    package func identity(of embedding: FaceEmbedding) -> FaceIdentity { Self.identity(candidates(for: embedding)) }

    /// - Parameter candidates: the nearest first.
    package static func identity(_ candidates: [Candidate]) -> FaceIdentity {
        guard let first = candidates.first, first.distance <= rejectedDistance else { return .unknown }
        let isAlone = candidates.count < 2 || candidates[1].distance >= leastRatio * first.distance
        if first.distance <= first.limit, isAlone { return .person(first.name.text) }
        return .uncertain(candidates.prefix { $0.distance <= rejectedDistance }.map(\.name.text))
    }

    /// Nobody is twice in a picture: of faces that look like one person the nearest is that person, and the others are
    /// uncertain.
    /// - Parameter found: of each face of a picture, and how far it is from the person that it is.
    static func withoutDoubles(_ found: [(identity: FaceIdentity, distance: Float)]) -> [FaceIdentity] {
        found.indices.map { index in
            let own = found[index]
            guard let name = own.identity.name else { return own.identity }
            let isNearest = found.indices.allSatisfy { other in
                found[other].identity.name != name || (own.distance, index) <= (found[other].distance, other)
            }
            return isNearest ? own.identity : .uncertain([name])
        }
    }
}
