import FaceGeometry
import FaceRecognition
import Testing

@Suite struct IdentityVoteTests {
    private let doubt = FaceIdentity.uncertain(["Ada", "Bruno"])
    private let ada = FaceIdentity.person("Ada")

    /// The identity after each answer: A for Ada, B for Bruno, u for unknown, ? for an uncertain answer.
    private func identities(_ answers: String, resuming former: FaceIdentity? = nil) -> String {
        var vote = IdentityVote(doubt: doubt, resuming: former)
        return String(
            answers.map { letter in
                switch letter {
                case "A": vote.add(ada)
                case "B": vote.add(.person("Bruno"))
                case "u": vote.add(.unknown)
                default: vote.add(.uncertain(["Ada"]))
                }
                switch vote.identity {
                case .person(let name): return name.first ?? "-"
                case .unknown: return "u"
                case .uncertain, .notSought: return "?"
                }
            })
    }

    @Test(arguments: [
        // Three that agree decide.
        ("AAAA", "??AA"), ("uuu", "??u"), ("ABAB", "????"), ("?????", "?????"),
        // One that is wrong changes nothing; two uncertain ones neither.
        ("AAABAAA", "??AAAAA"), ("AAA?A??", "??AAAAA"), ("AAAuAAA", "??AAAAA"),
        // Three uncertain ones in a row are doubt, which one that confirms ends, and nobody else's.
        ("AAA???A", "??AAA?A"), ("uuu???u", "??uuu?u"), ("AAA???BBB", "??AAA???B"),
        // Two in a row are doubt, three another person.
        ("AAABBB", "??AA?B"), ("AAAuuu", "??AA?u"), ("AAAAAAAABBBB", "??AAAAAAA?BB"),
        // What alternates is nobody for long.
        ("ABAAA", "???AA"),
    ])
    func answersAreVotes(_ answers: String, _ expected: String) { #expect(identities(answers) == expected) }

    @Test func aTrackThatWasLostNeedsOneAnswerLess() {
        #expect(identities("A", resuming: ada) == "A")
        #expect(identities("BBB", resuming: ada) == "??B")
        #expect(identities("?", resuming: ada) == "?")
        #expect(identities("AA", resuming: doubt) == "??")
    }

    @Test func sureIsWhatTheLastAnswersConfirm() {
        var vote = IdentityVote(doubt: doubt)
        for _ in 0..<3 { vote.add(ada) }
        #expect(vote.isSure)
        vote.add(.unknown)
        #expect(!vote.isSure && vote.identity == ada)
    }
}
