import LandmarkModels
import Masks
import NeuralNetworks
import Synchronization
import Vision

/// The network of pupils on its way from the threads that load masks to the one that draws them.
package final class SuppliedPupilFinder: Sendable {
    private enum State {
        case missing
        case loaded(Handed)
        case taken
    }

    /// Whoever has it is the only one.
    private struct Handed: @unchecked Sendable { let finder: PupilFinder }

    private let networks: NetworkFolder
    private let state = Mutex(State.missing)

    package init(_ networks: NetworkFolder = .standard) { self.networks = networks }

    /// Makes sure, before the mask is worn, that its eyes will be able to look where its wearer looks. May be called on any
    /// thread, which waits for the disk.
    /// - Throws: `VisionError` with the path of a damaged network. One that is missing is no error.
    package func prepare(for mask: Mask) throws(VisionError) {
        guard mask.followsGaze, networks.hasAttention else { return }
        let isMissing = state.withLock { if case .missing = $0 { true } else { false } }
        guard isMissing else { return }
        let handed = Handed(finder: try PupilFinder(networks))
        state.withLock { if case .missing = $0 { $0 = .loaded(handed) } }
    }

    /// Does not wait.
    /// - Returns: nil: no mask has asked for it yet, it is not installed, or it has been taken.
    func take() -> PupilFinder? {
        let handed = state.withLock { state -> Handed? in
            guard case .loaded(let handed) = state else { return nil }
            state = .taken
            return handed
        }
        return handed?.finder
    }
}
