import Clips
import Evaluation
import FaceGeometry
import FaceTracking

/// How many triangles of the skin are turned over on the faces of a clip.
package struct ClipFolds {
    package private(set) var frames = 0
    /// Faces in all frames together.
    package private(set) var faces = 0
    package private(set) var folds = 0
    package private(set) var framesWithFolds = 0
    /// The number of triangles of one face.
    package let triangles: Int

    /// - Throws: `ClipError`, `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        clip: String, models: FaceModels, mesh: FaceMesh, reference: ReferenceFace, isStopped: StopCheck
    ) throws {
        let reader = try ClipReader(clip)
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: try models.loadLandmarkModel(for: .frames), reference: reference, settings: settings
        ) { try models.makeDetector(for: .frames) }
        let refined = RefinedMesh(mesh, reference: reference)
        let skin = refined.triangles(openings: Set(FaceMesh.Opening.allCases))
        triangles = skin.count
        var frame = try reader.makeFrame()
        while let seconds = try reader.read(into: &frame) {
            try checkStop(isStopped)
            try tracker.track(frame, at: seconds)
            frames += 1
            let before = folds
            for face in tracker.faces {
                faces += 1
                let vertices = refined.vertices(face.face.vertices)
                folds += skin.count { $0.doubleArea(vertices) < 0 }
            }
            if folds > before { framesWithFolds += 1 }
        }
    }
}
