import FaceGeometry
import FaceRecognition
import Testing

@Suite struct FaceRecognizerTests {
    private let accepted = FaceRecognizer.acceptedDistance
    private let rejected = FaceRecognizer.rejectedDistance

    private func recognizer(_ places: (String, Float)...) throws -> FaceRecognizer {
        var people = EnrolledPeople()
        for (name, place) in places {
            _ = try people.enroll(PersonName(name), [EnrolledPeopleTests.embedding(place)], on: "2026-11-23")
        }
        return FaceRecognizer(people)
    }

    @Test func distanceDecides() throws {
        let recognizer = try recognizer(("Ada", 0))
        func identity(_ distance: Float) -> FaceIdentity {
            recognizer.identity(of: EnrolledPeopleTests.embedding(distance))
        }
        #expect(identity(0) == .person("Ada") && identity(accepted - 0.01) == .person("Ada"))
        #expect(identity(accepted + 0.01) == .uncertain(["Ada"]) && identity(rejected - 0.01) == .uncertain(["Ada"]))
        #expect(identity(rejected + 0.01) == .unknown)
    }

    @Test func nobodyIsRecognisedAmongNobody() {
        #expect(FaceRecognizer(EnrolledPeople()).identity(of: EnrolledPeopleTests.embedding(0)) == .unknown)
    }

    /// In the middle between two people it is neither, however near they are to each other.
    @Test(arguments: [Float(0.02), 0.2, 0.6]) func betweenTwoPeopleIsDoubt(_ distance: Float) throws {
        let recognizer = try recognizer(("Ada", 0), ("Bruno", distance))
        let identity = recognizer.identity(of: EnrolledPeopleTests.embedding(distance / 2))
        guard case .uncertain(let names) = identity else {
            Issue.record("\(identity)")
            return
        }
        #expect(names.sorted() == ["Ada", "Bruno"])
    }

    @Test func lookalikesGetTighterLimits() throws {
        let near = try recognizer(("Ada", 0), ("Bruno", 0.3)).candidates(for: EnrolledPeopleTests.embedding(0))
        let far = try recognizer(("Ada", 0), ("Bruno", 0.9)).candidates(for: EnrolledPeopleTests.embedding(0))
        #expect(near[0].limit < far[0].limit && far[0].limit == accepted)
    }

    /// One bad face of a person is outweighed by a good one.
    @Test func theNearestFaceOfAPersonCounts() throws {
        var people = EnrolledPeople()
        _ = try people.enroll(
            PersonName("Ada"), [EnrolledPeopleTests.embedding(2), EnrolledPeopleTests.embedding(0)], on: "2026-11-23")
        #expect(FaceRecognizer(people).identity(of: EnrolledPeopleTests.embedding(0.1)) == .person("Ada"))
    }
}
