import Compositing
import FaceGeometry
import TrackingEvaluation

/// Draws mesh and landmarks for the evaluations.
enum FaceMarks {
    static func drawing(mesh: FaceMesh) -> DrawFace {
        { face, picture in FaceOverlay(face: face, mesh: mesh).draw([.mesh, .landmarks], in: &picture) }
    }
}
