import NeuralNetworks

/// How networks find hands and hair in front of faces.
package enum OccluderSearch: Sendable {
    /// Not at all.
    case none
    /// Each picture waits for them. Where they are not installed, they find nothing.
    case waiting(NetworkFolder)
    /// On a thread of its own, for which no picture waits: what they find is known a little later.
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
    package var seesHands: Bool { networks?.hasHands ?? false }

    package var isInBackground: Bool { if case .background = self { true } else { false } }

    /// The same networks, with a thread of their own or without.
    package func inBackground(_ isInBackground: Bool) -> OccluderSearch {
        guard let networks else { return .none }
        return isInBackground ? .background(networks) : .waiting(networks)
    }
}
