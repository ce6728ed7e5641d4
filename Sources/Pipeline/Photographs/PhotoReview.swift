import Compositing
import FaceGeometry
import FaceTracking
import Records

/// What the decisions of a person have changed in a photograph.
package struct PhotoReview: Equatable, Sendable {
    /// Whether a person has looked at it and said that all is right.
    package var isComplete = false
    /// Found faces that were left as they are.
    var uncovered: [FaceBox] = []
    /// So many of the uncertain detections, the last ones, were told by the person.
    var addedCount = 0
    /// Whether somebody has decided about another photograph in its place, which does not count.
    package var isOfAnother = false
}

extension PhotoReview {
    /// Leaves the faces out of a photograph that somebody has uncovered, and adds those to be covered.
    init(_ decisions: ReviewDecisions, appliedTo frame: inout Frame) {
        isComplete = decisions.isReviewed
        let boxes = frame.faces.map { OrientedBox($0.face.box) } + frame.unsureFaces.map(\.box)
        let left = decisions.uncoveredIndices(of: boxes)
        uncovered = left.sorted().map { FaceBox(boxes[$0]) }
        let kept = boxes.indices.filter { !left.contains($0) }.map { boxes[$0] }
        let count = frame.faces.count
        frame.faces = frame.faces.indices.filter { !left.contains($0) }.map { frame.faces[$0] }
        frame.unsureFaces = frame.unsureFaces.indices.filter { !left.contains(count + $0) }.map {
            frame.unsureFaces[$0]
        }
        let missed = decisions.confirmed.filter { mark in
            !kept.contains { $0.isAroundSameFace(as: OrientedBox(mark.box)) }
        }
        let added = (decisions.covered + missed).map { UnsureFace(box: OrientedBox($0.box), score: 1) }
        frame.unsureFaces += added
        addedCount = added.count
    }
}
