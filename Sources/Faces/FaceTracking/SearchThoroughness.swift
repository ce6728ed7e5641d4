/// How much counts as a face where faces are covered.
package enum SearchThoroughness: String, CaseIterable, Sendable {
    /// What is a face for certain: less is covered needlessly, and faces that are hard to see stay uncovered.
    case sure
    /// What CenterFace takes for a face beside those of the usual search. Photographs without CenterFace: as `careful`.
    case balanced
    /// Whatever may be one; in photographs at each of the four rotations.
    case careful
}
