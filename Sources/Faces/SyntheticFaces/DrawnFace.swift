import FaceGeometry

/// The parameters of a synthetic face. It is drawn identically on every machine, and the positions of its landmarks are
/// known exactly: it is the ground truth of the tests.
package struct DrawnFace: Sendable {
    package var identity = Identity()
    package var expression = Expression()
    package var pose = Pose(yaw: 0, pitch: 0, roll: 0)
    package var light = Light()

    package init() {}

    /// The appearance of a person.
    package struct Identity: Sendable {
        /// Colours are linear red, green and blue, 0…1.
        package var skin = SIMD3<Float>(0.62, 0.38, 0.27)
        package var hair = SIMD3<Float>(0.035, 0.02, 0.012)
        package var iris = SIMD3<Float>(0.10, 0.16, 0.20)
        package var shirt = SIMD3<Float>(0.05, 0.09, 0.16)
        package var backdrop = SIMD3<Float>(0.32, 0.36, 0.40)
        /// Factors relative to the mean face.
        package var width: Float = 1
        package var jawWidth: Float = 1
        package var noseWidth: Float = 1
        package var lipFullness: Float = 1
        package var browThickness: Float = 1
        /// 0: shaved … 1: thick.
        package var hairVolume: Float = 0.6
        /// How far hair hangs over the forehead, in half face widths: 0: not at all, 0.8: to the brows.
        package var fringe: Float = 0
        /// 0: none … 1: dark.
        package var stubble: Float = 0
        package var isLongHaired = false

        package init() {}
    }

    /// The facial expression.
    package struct Expression: Sendable {
        /// 0: closed, 1: as in the mean face, above 1: wide open.
        package var rightEyeOpenness: Float = 1
        package var leftEyeOpenness: Float = 1
        /// 0: closed … 1: wide open, as in "ah".
        package var mouthOpening: Float = 0
        /// −1: sad … 1: a broad smile.
        package var smile: Float = 0
        /// 0…1.
        package var browRaise: Float = 0
        /// Where the eyes look, relative to the head; −1…1: to the person's left, by 30°.
        package var gazeTurn: Float = 0
        /// −1…1: up, by 30°.
        package var gazeNod: Float = 0

        package init() {}
    }

    package struct Light: Sendable {
        /// Direction towards the light: right in the picture, down, towards the viewer. Of any length.
        package var direction = SIMD3<Float>(-0.5, -0.6, 0.8)
        package var intensity: Float = 1
        package var ambient: Float = 0.42

        package init() {}
    }
}

/// The place of a synthetic face in a picture.
package struct DrawnFacePlacement: Sendable {
    /// The position of the point between the eyes of a frontal head, in pixels.
    package var center: Point
    /// The width of the frontal face from ear to ear, in pixels.
    package var faceWidth: Float
    /// Of the camera from the eyes of a frontal head, in face widths: seven are about a metre. The camera's axis goes
    /// through `center`.
    package var cameraDistance: Float

    package init(center: Point, faceWidth: Float, cameraDistance: Float = 7) {
        self.center = center
        self.faceWidth = faceWidth
        self.cameraDistance = cameraDistance
    }
}
