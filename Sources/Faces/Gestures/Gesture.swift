/// A gesture of the face that controls a program. "Left" and "right" are the person's own.
package enum Gesture: String, CaseIterable, Sendable {
    /// The brows raised twice in a row, with the head still.
    case browsTwice
    /// The head held tilted towards the left shoulder.
    case tiltLeft
    case tiltRight
    /// The mouth held wide open.
    case mouthOpen
    /// Both eyes held shut.
    case eyesShut
    /// The head shaken. It takes back what another gesture is about to do, and does nothing else.
    case headShake

    /// Those that can be given something to do.
    package static let bindable: [Gesture] = allCases.filter { $0 != .headShake }

    /// For the user: what has been seen.
    package var title: String {
        switch self {
        case .browsTwice: "Brows raised twice"
        case .tiltLeft: "Head tilted left"
        case .tiltRight: "Head tilted right"
        case .mouthOpen: "Mouth open"
        case .eyesShut: "Eyes shut"
        case .headShake: "Head shaken"
        }
    }
}
