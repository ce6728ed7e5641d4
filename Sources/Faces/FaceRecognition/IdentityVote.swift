import FaceGeometry

/// Decides over time whose face a track follows, from what was said of single frames. A single wrong answer changes
/// nothing, so that masks do not flicker; what contradicts itself is uncertain.
package struct IdentityVote: Sendable {
    /// How many of the last answers count.
    static let memory = 7
    /// The least answers for a decision: so many in a row, or also with others between them if they are this share.
    static let needed = 3
    static let neededShare: Float = 0.75

    /// Nobody is excluded yet.
    private let doubt: FaceIdentity
    /// Persons and unknown; what is uncertain is no answer.
    private var answers: [FaceIdentity] = []
    package private(set) var identity: FaceIdentity
    /// How many answers before were uncertain, one after the other.
    private var uncertainCount = 0

    /// - Parameters:
    ///   - doubt: the identity until there is a decision.
    ///   - former: the identity of a track that was lost a moment ago: it takes fewer answers to confirm it.
    package init(doubt: FaceIdentity, resuming former: FaceIdentity? = nil) {
        self.doubt = doubt
        identity = doubt
        if let former, Self.isAnswer(former) {
            answers = [FaceIdentity](repeating: former, count: Self.needed - 1)
        }
    }

    /// Whether the answers agree: then it is enough to look now and then.
    package var isSure: Bool {
        uncertainCount == 0 && Self.isAnswer(identity) && answers.suffix(Self.needed).allSatisfy { $0 == identity }
    }

    private static func isAnswer(_ identity: FaceIdentity) -> Bool {
        switch identity {
        case .person, .unknown: true
        case .uncertain, .notSought: false
        }
    }

    /// Takes what was said of a frame in which the face was seen well.
    package mutating func add(_ answer: FaceIdentity) {
        guard Self.isAnswer(answer) else {
            uncertainCount += 1
            if uncertainCount >= Self.needed, Self.isAnswer(identity) {
                // Perhaps the track follows somebody who looks alike. One answer that confirms the identity is enough.
                answers = [FaceIdentity](repeating: identity, count: Self.needed - 1)
                identity = doubt
            }
            return
        }
        uncertainCount = 0
        answers.append(answer)
        if answers.count > Self.memory { answers.removeFirst() }
        let votes = answers.count { $0 == answer }
        let isMajority = votes >= Self.needed && Float(votes) >= Self.neededShare * Float(answers.count)
        let last = answers.suffix(Self.needed)
        if isMajority || (last.count == Self.needed && last.allSatisfy { $0 == answer }) {
            identity = answer
        } else if Self.isAnswer(identity), answers.suffix(2).allSatisfy({ $0 != identity }) {
            // Perhaps the track follows somebody else by now: older answers say nothing about them.
            identity = doubt
            answers = answers.suffix(2)
        }
    }
}
