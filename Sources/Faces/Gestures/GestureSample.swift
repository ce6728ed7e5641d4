import FaceGeometry

/// The input of gesture recognition: the measures of one face in one frame.
package struct GestureSample: Equatable, Sendable {
    /// The signals of `ExpressionSignals`, 0 at rest to 1.
    package var mouthOpening: Float = 0
    package var smile: Float = 0
    package var browRaise: Float = 0
    /// Of the eye that is closed less, by the landmarks of its lids.
    package var eyeClosing: Float = 0
    /// Of the wider eye, by the picture where it is known (`ExpressionEvents.eyeOpenness`); 1 at rest.
    package var eyeOpenness: Float = 1
    /// Of `Pose`, in radians.
    package var yaw: Float = 0
    package var pitch: Float = 0
    package var roll: Float = 0

    /// A face at rest that looks straight into the camera.
    package init() {}

    package init(_ face: FaceInstance) {
        mouthOpening = face.signals[.mouthOpening]
        smile = face.signals[.smile]
        browRaise = face.signals[.browRaise]
        eyeClosing = min(face.signals[.rightEyeClosing], face.signals[.leftEyeClosing])
        eyeOpenness = face.eyeOpenness
        (yaw, pitch, roll) = (face.face.pose.yaw, face.face.pose.pitch, face.face.pose.roll)
    }

    /// Whether all values are numbers.
    var isFinite: Bool {
        [mouthOpening, smile, browRaise, eyeClosing, eyeOpenness, yaw, pitch, roll].allSatisfy(\.isFinite)
    }
}
