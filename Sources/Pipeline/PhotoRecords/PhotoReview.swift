import FaceGeometry

/// What the decisions of a person have changed in a photograph.
package struct PhotoReview: Equatable, Sendable {
    /// Whether a person has looked at it and said that all is right.
    package var isComplete = false
    /// Found faces that were left as they are.
    package var uncovered: [FaceBox] = []
    /// So many of the uncertain detections, the last ones, were told by the person.
    package var addedCount = 0
    /// Whether somebody has decided about another photograph in its place, which does not count.
    package var isOfAnother = false

    package init() {}
}
