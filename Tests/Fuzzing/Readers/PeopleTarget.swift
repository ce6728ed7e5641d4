import FaceRecognition

/// The file of enrolled people.
enum PeopleTarget: FuzzTarget {
    static let name = "people"
    static let longest = 16384

    static func seeds() throws -> [[UInt8]] {
        var people = EnrolledPeople()
        let empty = people.text
        for (index, name) in ["Ada", "Ana María", "Žofie Ω"].enumerated() {
            let values = (0..<FaceEmbedding.count).map { Float(($0 * 7 + index) % 19) / 40 - 0.2 }
            guard let embedding = FaceEmbedding(values) else { fatalError("a seed is no embedding") }
            _ = try people.enroll(PersonName(name), [embedding, embedding], on: "2026-11-23")
        }
        return [
            empty, people.text, #"{"format": 2, "network": "x", "people": []}"#,
            #"{"format": 1, "network": "dlib_face_recognition_resnet_model_v1", "people": [{"name": "unknown"}]}"#,
        ].map { Array($0.utf8) }
    }

    /// What has been read recognises faces, and is the same after it has been written.
    static func read(_ bytes: [UInt8]) {
        guard let people = try? bytes.withUnsafeBytes({ try EnrolledPeople(parsing: $0) }) else { return }
        guard people.people.count <= EnrolledPeople.largestCount else { fatalError("too many people") }
        let recognizer = FaceRecognizer(people)
        for person in people.people {
            guard (try? PersonName(person.name.text)) == person.name else { fatalError("\(person.name) is no name") }
            for embedding in person.embeddings {
                guard embedding.values.allSatisfy(\.isFinite) else { fatalError("a number is not finite") }
                // Those of two people may be the same; nobody is nobody.
                if recognizer.identity(of: embedding) == .unknown { fatalError("\(person.name) is not recognised") }
            }
        }
        // Numbers are written with six digits.
        guard let once = try? Array(people.text.utf8).withUnsafeBytes({ try EnrolledPeople(parsing: $0) }),
            once.text == people.text, once.names == people.names
        else { fatalError("\(people.text) is not read back") }
    }
}
