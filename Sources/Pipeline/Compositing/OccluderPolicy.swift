import Masks

/// Which occluders are shown in front of masks.
package enum OccluderPolicy: Equatable, Sendable {
    /// Those that each mask asks for.
    case mask
    /// Only these, whatever the mask.
    case only(Set<Mask.Occluder>)

    /// Masks are drawn over everything.
    package static let nothing = only([])
    /// Its words: `mask`, `none`, or a list of occluders.
    package static let words = ["mask"] + Mask.Occluder.allCases.map(\.rawValue) + ["none"]

    /// - Parameter text: `mask`, `none`, or occluders with commas between them.
    package init?(_ text: String) {
        switch text {
        case "mask": self = .mask
        case "none": self = .nothing
        default:
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let occluders = names.compactMap { Mask.Occluder(rawValue: String($0)) }
            guard occluders.count == names.count else { return nil }
            self = .only(Set(occluders))
        }
    }

    /// As `init(_:)` reads it.
    package var description: String {
        switch self {
        case .mask: "mask"
        case .only([]): "none"
        case .only(let occluders): occluders.map(\.rawValue).sorted().joined(separator: ",")
        }
    }

    /// Whether a mask lies under an occluder. Stickers and props stand on the face and lie over hair and glasses.
    /// - Parameter seesHands: whether networks do. Without them, hands are looked for only where that is asked for.
    package func includes(_ occluder: Mask.Occluder, _ mask: Mask, seesHands: Bool) -> Bool {
        if occluder.isBehindProps, !mask.isOnlyPaint { return false }
        return switch self {
        case .mask: mask.occluders.contains(occluder) && (occluder != .hands || seesHands)
        case .only(let occluders): occluders.contains(occluder)
        }
    }
}
