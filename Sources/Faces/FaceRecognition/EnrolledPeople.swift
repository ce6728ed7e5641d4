/// A person who agreed to be recognised.
package struct EnrolledPerson: Equatable, Sendable {
    /// More add nothing, and one person should not fill the store.
    package static let largestCount = 20

    package let name: PersonName
    /// The day of the first enrolment, as in 2026-11-23.
    package let day: String
    /// At least one, at most `largestCount`.
    package private(set) var embeddings: [FaceEmbedding]

    /// - Parameter embeddings: the first `largestCount` of them are kept.
    package init(name: PersonName, day: String, embeddings: [FaceEmbedding]) {
        precondition(!embeddings.isEmpty, "a person has at least one face")
        self.name = name
        self.day = day
        self.embeddings = Array(embeddings.prefix(Self.largestCount))
    }

    /// - Returns: how many of them had room.
    fileprivate mutating func add(_ more: [FaceEmbedding]) -> Int {
        let room = Self.largestCount - embeddings.count
        embeddings += more.prefix(room)
        return min(room, more.count)
    }
}

/// Everybody who is enrolled, in the order of their names, which differ.
package struct EnrolledPeople: Equatable, Sendable {
    package static let largestCount = 256

    /// The store has room for no more people.
    package struct Full: Error, CustomStringConvertible {
        package var description: String { "\(largestCount) people are enrolled, which is the maximum" }
    }

    package private(set) var people: [EnrolledPerson] = []

    package init() {}

    package subscript(name: PersonName) -> EnrolledPerson? { people.first { $0.name == name } }

    package var names: [PersonName] { people.map(\.name) }

    /// Enrols a person, or adds faces to one who is enrolled.
    /// - Parameters:
    ///   - embeddings: at least one.
    ///   - day: as in `EnrolledPerson`.
    /// - Returns: how many of the faces had room.
    package mutating func enroll(
        _ name: PersonName, _ embeddings: [FaceEmbedding], on day: String
    ) throws(Full) -> Int {
        if let index = people.firstIndex(where: { $0.name == name }) { return people[index].add(embeddings) }
        guard people.count < Self.largestCount else { throw Full() }
        let person = EnrolledPerson(name: name, day: day, embeddings: embeddings)
        people.insert(person, at: people.firstIndex { name < $0.name } ?? people.count)
        return person.embeddings.count
    }

    /// - Returns: whether there was such a person.
    package mutating func forget(_ name: PersonName) -> Bool {
        guard let index = people.firstIndex(where: { $0.name == name }) else { return false }
        people.remove(at: index)
        return true
    }
}
