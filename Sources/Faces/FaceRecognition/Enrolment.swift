/// Chooses the faces with which a person is enrolled.
package struct Enrolment: Sendable {
    package let name: PersonName
    private let people: EnrolledPeople
    /// Those that are good, each with an embedding.
    package private(set) var faces: [DescribedFace] = []

    /// - Parameter people: who is enrolled already.
    package init(_ name: PersonName, among people: EnrolledPeople) {
        self.name = name
        self.people = people
    }

    private var ownEmbeddings: [FaceEmbedding] { (people[name]?.embeddings ?? []) + faces.compactMap(\.embedding) }

    /// Takes all faces of a photograph.
    /// - Returns: why the photograph is refused, as the end of a sentence that begins with it; nil: its face was added.
    package mutating func add(_ found: [DescribedFace]) -> String? {
        guard let face = found.first else { return "shows no face" }
        guard found.count == 1 else {
            return "shows \(found.count) faces; crop the picture to \(name.text)"
        }
        guard let embedding = face.embedding else {
            return "the face \(face.obstacle?.reason ?? "cannot be described"); take another photograph"
        }
        let own = ownEmbeddings
        if !own.isEmpty, own.allSatisfy({ $0.distance(to: embedding) > FaceRecognizer.rejectedDistance }) {
            return "shows a different person from the earlier photographs of \(name.text)"
        }
        faces.append(face)
        return nil
    }

    /// Somebody else who is enrolled and looks like this person.
    package var lookalike: PersonName? {
        let others = people.people.filter { $0.name != name }
        return others.first { other in
            faces.compactMap(\.embedding).contains { embedding in
                other.embeddings.contains { $0.distance(to: embedding) < FaceRecognizer.rejectedDistance }
            }
        }?.name
    }
}
