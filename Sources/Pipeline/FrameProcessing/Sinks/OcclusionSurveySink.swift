import Compositing
import FaceGeometry
import Occlusion
import Pixels

/// Shows all frames of a recording to a survey of its faces.
package final class OcclusionSurveySink: FrameSink {
    package private(set) var survey: FaceSurvey
    private let choice: FaceChoice

    /// - Parameter choice: the faces that are learnt.
    package init(choice: FaceChoice, reference: ReferenceFace, mesh: FaceMesh) {
        survey = FaceSurvey(reference: reference, mesh: mesh)
        self.choice = choice
    }

    package func take(_ frame: consuming Frame) -> PixelBuffer? {
        survey.add(choice.chosen(among: frame.faces), in: frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    package func finish() {}
}
