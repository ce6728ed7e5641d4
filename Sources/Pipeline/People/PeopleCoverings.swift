import FaceGeometry
import Masks

/// The covering of each person's face, with the masks.
package struct PeopleCoverings: Sendable {
    private let byName: [String: FaceCovering<Mask>]
    private let unknown: FaceCovering<Mask>
    /// The masks that are worn by somebody, besides everybody's.
    package let masks: [Mask]

    /// - Parameter load: loads a mask by its name or folder.
    package init(_ settings: PeopleSettings, load: (String) throws -> Mask) rethrows {
        var byName: [String: FaceCovering<Mask>] = [:]
        for entry in settings.people { byName[entry.name.text] = try entry.covering.mapped(load) }
        self.byName = byName
        unknown = try settings.unknown.mapped(load)
        masks = (byName.values + [unknown]).compactMap { if case .mask(let mask) = $0 { mask } else { nil } }
    }

    /// The covering of a face. An uncertain match gets the stronger covering.
    package func covering(of identity: FaceIdentity) -> FaceCovering<Mask> {
        switch identity {
        case .person(let name): byName[name] ?? unknown
        case .unknown: unknown
        case .uncertain(let names): doubtful(names.map { byName[$0] ?? unknown })
        // Nobody has said whose it is: it may be anybody's.
        case .notSought: doubtful(Array(byName.values))
        }
    }

    private func doubtful(_ candidates: [FaceCovering<Mask>]) -> FaceCovering<Mask> {
        let rank = candidates.map(\.rank).max() ?? 0
        if rank <= unknown.rank { return unknown }
        let best = candidates.filter { $0.rank == rank }
        // Of several masks none is more right than the others.
        return best.count == 1 || rank == FaceCovering<Mask>.blur.rank ? best[0] : .standard
    }

    /// The faces that are not to be left unmasked, in the same order.
    package func covered(_ faces: [FaceInstance]) -> [FaceInstance] {
        faces.filter { if case .unmasked = covering(of: $0.identity) { false } else { true } }
    }
}
