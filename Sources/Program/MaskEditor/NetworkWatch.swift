import NeuralNetworks

/// Looks whether networks are installed or removed while the editor runs.
struct NetworkWatch {
    let networks: NetworkFolder
    /// Tells the user that something is missing.
    let warn: (String) -> Void
    private var seen: [Bool]
    private var lastLook = ContinuousClock.now

    init(_ networks: NetworkFolder, warn: @escaping (String) -> Void) {
        (self.networks, self.warn) = (networks, warn)
        seen = Self.look(networks)
    }

    private static func look(_ networks: NetworkFolder) -> [Bool] { [networks.hasPerson, networks.hasHands] }

    /// Whether others are there than at the last look. Call it often; it looks at the disk every second.
    mutating func hasChanged() -> Bool {
        let now = ContinuousClock.now
        guard now - lastLook > .seconds(1) else { return false }
        lastLook = now
        let new = Self.look(networks)
        defer { seen = new }
        return new != seen
    }

    /// What masks on photographs, clips and cameras lack, for the user; nil: nothing.
    var loss: String? {
        let lost = zip(["hair", "hands"], seen).filter { !$1 }.map(\.0)
        guard !lost.isEmpty else { return nil }
        return "Masks lie over \(lost.joined(separator: " and ")) here: the networks that find "
            + "\(lost.count == 1 && lost[0] == "hair" ? "it" : "them") are not installed; \(NetworkFolder.remedy) "
            + "fetches them"
    }
}
