import FaceGeometry
import SyntheticFaces

/// The grid of poses, in degrees, that the mesh is measured on, and the synthetic heads in these poses.
struct DrawnPoses {
    static let yaws: [Float] = [-45, -30, -15, 0, 15, 30, 45]
    static let pitches: [Float] = [-25, -12, 0, 12, 25]
    static let rolls: [Float] = [-40, 0, 40]
    static let placement = DrawnFacePlacement(center: Point(150, 130), faceWidth: 150)

    let reference: ReferenceFace

    func drawing(_ face: DrawnFace, yaw: Float, pitch: Float, roll: Float) -> FaceDrawing {
        var face = face
        face.pose = Pose(yaw: yaw * .pi / 180, pitch: pitch * .pi / 180, roll: roll * .pi / 180)
        return FaceDrawing(face, placement: Self.placement, reference: reference)
    }

    /// The face as the program would see it, from the drawing's landmarks.
    func face(_ drawing: FaceDrawing) -> Face {
        Face(landmarks: drawing.landmarks, reference: reference)
    }
}
