import Masks

/// What is shown before masks.
package enum UnderPolicy: String, CaseIterable, Sendable {
    /// What each mask asks for.
    case mask
    /// Hands and other things that come before a face while it is followed, whatever the mask.
    case hands
    /// Masks are drawn over everything.
    case nothing

    func includesHands(_ mask: Mask) -> Bool {
        switch self {
        case .mask: mask.under.contains(.hands)
        case .hands: true
        case .nothing: false
        }
    }
}
