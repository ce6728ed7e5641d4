import FaceGeometry
import FaceTracking
import Records

extension FaceBoxCorrections {
    /// What a person decided about the faces of a clip.
    package init(_ decisions: ReviewDecisions) {
        func places(_ marks: [ReviewDecisions.Mark]) -> [Place] {
            marks.map { Place(frame: $0.frame, box: OrientedBox($0.box)) }
        }
        self.init(
            added: places(decisions.covered), confirmed: places(decisions.confirmed),
            removed: places(decisions.uncovered))
    }
}
