import NeuralNetworks

/// How hands and hair in front of faces are found beside what the learnt face tells.
package enum HandSearch: Sendable {
    /// Not at all.
    case none
    /// With networks, for which each picture waits. Where they are not installed, not at all.
    case waiting(NetworkFolder)
    /// Likewise, on a thread of its own, for which no picture waits: they are known a little later.
    case background(NetworkFolder)
    /// As if such a thread always took so many pictures; for measurements.
    case paced(NetworkFolder, pictures: Int)

    var networks: NetworkFolder? {
        switch self {
        case .none: nil
        case .waiting(let networks), .background(let networks), .paced(let networks, _): networks
        }
    }

    /// Whether it finds hair.
    package var seesHair: Bool { networks?.hasPerson ?? false }
    /// Whether it finds hands.
    package var isAvailable: Bool { networks?.hasHands ?? false }

    package var isInBackground: Bool { if case .background = self { true } else { false } }

    /// The same networks, with a thread of their own or without.
    package func inBackground(_ isInBackground: Bool) -> HandSearch {
        guard let networks else { return .none }
        return isInBackground ? .background(networks) : .waiting(networks)
    }
}
