import FaceRecognition
import Testing

@Suite struct EnrolledPeopleTests {
    static func embedding(_ first: Float, _ second: Float = 0) -> FaceEmbedding {
        FaceEmbedding([first, second] + [Float](repeating: 0.1, count: FaceEmbedding.count - 2))
            ?? {
                fatalError("these are numbers of an embedding")
            }()
    }

    static func people(_ entries: (String, [FaceEmbedding])...) throws -> EnrolledPeople {
        var people = EnrolledPeople()
        for (name, embeddings) in entries { _ = try people.enroll(PersonName(name), embeddings, on: "2026-11-23") }
        return people
    }

    private func parse(_ text: String) throws -> EnrolledPeople {
        try Array(text.utf8).withUnsafeBytes { try EnrolledPeople(parsing: $0) }
    }

    @Test func peopleAreReadBack() throws {
        let people = try Self.people(
            ("Žofie", [Self.embedding(0.5)]), ("Ana María", [Self.embedding(-0.25), Self.embedding(0.125)]))
        #expect(people.names.map(\.text) == ["Ana María", "Žofie"])
        #expect(try parse(people.text) == people)
        #expect(try parse(EnrolledPeople().text) == EnrolledPeople())
    }

    @Test func facesAreAddedUpToALimit() throws {
        var people = try Self.people(("Ada", [Self.embedding(0)]))
        let ada = try PersonName("Ada")
        let many = (0..<100).map { Self.embedding(Float($0) / 100) }
        let added = try people.enroll(ada, many, on: "2026-11-24")
        #expect(added == EnrolledPerson.largestCount - 1)
        #expect(people[ada]?.embeddings.count == EnrolledPerson.largestCount && people[ada]?.day == "2026-11-23")
        let (isForgotten, isForgottenAgain) = (people.forget(ada), people.forget(ada))
        #expect(isForgotten && !isForgottenAgain && people.people.isEmpty)
    }

    @Test func thereIsALimitOfPeople() throws {
        var people = EnrolledPeople()
        for number in 0..<EnrolledPeople.largestCount {
            _ = try people.enroll(PersonName("p\(number)"), [Self.embedding(0)], on: "2026-11-23")
        }
        #expect(throws: EnrolledPeople.Full.self) {
            _ = try people.enroll(PersonName("one more"), [Self.embedding(0)], on: "2026-11-23")
        }
        #expect(people.text.utf8.count < EnrolledPeople.largestFile)
    }

    /// A valid file in which one thing is replaced, and where the message points.
    @Test(arguments: [
        (#""format":1"#, #""format":2"#, "/format"), (#""format":1"#, #""format":"1""#, "/format"),
        ("dlib_face", "other_face", "/network"), (#""people":["#, #""extra":1,"people":["#, "/extra"),
        (#""enrolled":"2026-11-23","#, "", "/people/0/enrolled"),
        ("2026-11-23", "2026-11-2x", "/people/0/enrolled"), (#""Ada""#, #""unknown""#, "/people/0/name"),
        (#""Ada""#, "7", "/people/0/name"), (#""Bob""#, #""Ada""#, "/people/1/name"),
        ("[[0.5,", "[[0.5,0.5,", "/people/0/embeddings/0"), ("[[0.5,", "[[5,", "/people/0/embeddings/0"),
        ("[[0.5,", "[[null,", "/people/0/embeddings/0"), ("[[0.5,", "[[1e999,", "line 1"),
        ("[[0.5,", "[[NaN,", "line 1"), (#""people":["#, #""people":[7,"#, "/people/0"),
        (#"{"format""#, #"[{"format""#, "line 2"),
    ])
    func damageIsNamed(_ old: String, _ new: String, _ place: String) throws {
        let people = try Self.people(("Ada", [Self.embedding(0.5)]), ("Bob", [Self.embedding(0.25)]))
        let range = try #require(people.text.firstRange(of: old), "the format has changed")
        let text = people.text.replacingCharacters(in: range, with: new)
        let error = #expect(throws: EnrolledPeople.Damage.self) { try parse(text) }
        #expect(error?.place.hasPrefix(place) == true, "\(error.map { "\($0)" } ?? "accepted")")
    }

    @Test func everyPrefixOfAFileIsRefused() throws {
        let text = try Self.people(("Ada", [Self.embedding(0.5)])).text
        for count in stride(from: 0, to: text.utf8.count - 2, by: 7) {
            #expect(throws: EnrolledPeople.Damage.self) { try parse(String(text.prefix(count))) }
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
