import Compositing
import FaceGeometry
import FaceTracking
import PhotoRecords
import Records

extension PhotoReview {
    /// Leaves the faces out of a photograph that somebody has uncovered, and adds those to be covered.
    init(_ decisions: ReviewDecisions, appliedTo frame: inout Frame) {
        self.init()
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
