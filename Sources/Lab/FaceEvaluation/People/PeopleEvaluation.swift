import Evaluation
import FaceRecognition
import FaceTracking
import Files
import ImageFiles
import People
import Pixels

/// How well people are told apart, on a folder of photographs with a folder for each person.
///
/// The folder `unknown` holds photographs of people who are all different and in none of the other folders. A photograph
/// with several faces counts with its largest.
package struct PeopleEvaluation {
    /// Two faces.
    package struct Pair: Sendable {
        package let first: String
        package let second: String
        package let distance: Float
        /// Whether both are of one person.
        package let isGenuine: Bool
    }

    /// The results for faces that were shown to the recogniser.
    package struct Tally: Sendable {
        /// Recognised as who it is.
        package var right = 0
        /// Recognised as somebody else.
        package var wrong = 0
        package var uncertain = 0
        package var unknown = 0

        package var count: Int { right + wrong + uncertain + unknown }
    }

    /// A face with the person whose it is; nil: somebody who is nobody else here.
    private struct Entry {
        let photograph: String
        let person: String?
        let embedding: FaceEmbedding
    }

    /// All pairs of faces that can be compared.
    package let pairs: [Pair]
    /// Faces of people of whom others are enrolled.
    package private(set) var enrolled = Tally()
    /// Faces of people who are not enrolled.
    package private(set) var strangers = Tally()
    /// Described faces; photographs without a face, and those in which it is not seen well enough.
    package let (faces, faceless, unusable): (Int, Int, Int)
    package let people: Int
    /// Of cutting out and describing a face.
    package let milliseconds: Samples

    /// The name of the folder of people who are all different.
    package static let unknown: FilePath = "unknown"
    /// A person is enrolled with half of the faces, but no more.
    private static let mostEnrolled = 8

    /// - Throws: `FileError`, `EvaluationError`, `PictureError`, `VisionError`.
    package init(folder: FilePath, models: FaceModels, isStopped: StopCheck) throws {
        let describer = try PhotographDescriber(models, .recognition)
        var (entries, faceless, unusable, times) = ([Entry](), 0, 0, Samples())
        for (person, path) in try Self.photographs(in: folder) {
            try checkStop(isStopped)
            guard let face = try describer.faces(in: path).first else {
                faceless += 1
                continue
            }
            times.add(face.duration)
            if let embedding = face.embedding {
                let name = person == Self.unknown ? nil : person.description
                entries.append(Entry(photograph: "\(person)/\(path.name)", person: name, embedding: embedding))
            } else {
                unusable += 1
            }
        }
        guard entries.count >= 2 else {
            throw EvaluationError(.unusableInput, "\(folder): it has fewer than two usable faces")
        }
        (faces, self.faceless, self.unusable, milliseconds) = (entries.count, faceless, unusable, times)
        people = Set(entries.compactMap(\.person)).count + entries.count { $0.person == nil }
        pairs = Self.pairs(entries)
        try identify(entries)
    }

    private static func photographs(in folder: FilePath) throws -> [(person: FilePath, path: FilePath)] {
        let names = try Folder.list(folder)
        let people = names.filter { !$0.isHidden && Folder.exists(folder / $0) }
        let photographs = people.flatMap { person in
            (Folder.entries(of: folder / person) ?? []).filter { !$0.isHidden && PictureFormat.isReadableName($0) }
                .map { (person, folder / person / $0) }
        }
        guard !photographs.isEmpty else {
            throw EvaluationError(.noInput, "\(folder): has no folders with photographs, one for each person")
        }
        return photographs
    }

    private static func pairs(_ entries: [Entry]) -> [Pair] {
        entries.indices.flatMap { first in
            entries[(first + 1)...].map { other in
                let isGenuine = entries[first].person != nil && entries[first].person == other.person
                return Pair(
                    first: entries[first].photograph, second: other.photograph,
                    distance: entries[first].embedding.distance(to: other.embedding), isGenuine: isGenuine)
            }
        }
    }

    // MARK: Recognition

    /// Enrols everybody with the first half of their faces, and shows the others to the recogniser: with their person
    /// enrolled, and, as strangers, without.
    private mutating func identify(_ entries: [Entry]) throws {
        let byPerson = Dictionary(grouping: entries.filter { $0.person != nil }) { $0.person ?? "" }
        let several = byPerson.filter { $0.value.count >= 2 }
        func gallery(without absent: String? = nil) throws -> FaceRecognizer {
            var people = EnrolledPeople()
            for (number, name) in several.keys.sorted().enumerated() where name != absent {
                let faces = several[name] ?? []
                let own = faces.prefix(min(faces.count / 2, Self.mostEnrolled)).map(\.embedding)
                _ = try people.enroll(PersonName("person \(number)"), own, on: "2000-01-01")
            }
            return FaceRecognizer(people)
        }
        let whole = try gallery()
        for (number, name) in several.keys.sorted().enumerated() {
            let faces = several[name] ?? []
            let others = try gallery(without: name)
            let expected = "person \(number)"
            for entry in faces.dropFirst(min(faces.count / 2, Self.mostEnrolled)) {
                Self.note(whole, entry.embedding, is: expected, &enrolled)
                Self.note(others, entry.embedding, is: nil, &strangers)
            }
        }
        for entry in entries where entry.person.map({ several[$0] == nil }) ?? true {
            Self.note(whole, entry.embedding, is: nil, &strangers)
        }
    }

    private static func note(
        _ recognizer: FaceRecognizer, _ embedding: FaceEmbedding, is name: String?, _ tally: inout Tally
    ) {
        switch recognizer.identity(of: embedding) {
        case .person(let found) where found == name: tally.right += 1
        case .person: tally.wrong += 1
        case .uncertain: tally.uncertain += 1
        case .unknown, .notSought: tally.unknown += 1
        }
    }
}
