import NeuralNetworks
import Occlusion
import Synchronization
import SyntheticFaces
import TestSupport

/// Detects the occluders of synthetic faces. Its grids are made once for all tests.
enum SharedStillOcclusion {
    private static let shared = Mutex<StillOcclusion?>(nil)

    static func hair(_ portrait: borrowing SyntheticPortrait) throws -> OcclusionMatte? {
        let id = portrait.instance.trackID
        return try shared.withLock { finder in
            try makeIfNeeded(&finder)
            return try finder?.find(hair: [portrait.instance], glasses: [], in: portrait.pixels)[id]
        }
    }

    static func glasses(_ portrait: borrowing SyntheticPortrait) throws -> OcclusionMatte? {
        let id = portrait.instance.trackID
        return try shared.withLock { finder in
            try makeIfNeeded(&finder)
            return try finder?.find(hair: [], glasses: [portrait.instance], in: portrait.pixels)[id]
        }
    }

    private static func makeIfNeeded(_ finder: inout StillOcclusion?) throws {
        if finder == nil {
            finder = StillOcclusion(
                reference: try Repository.referenceFace(), mesh: try Repository.mesh(), search: .waiting(.standard))
        }
    }
}
