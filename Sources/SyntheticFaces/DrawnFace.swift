import FaceGeometry

/// Everything about a drawn face that can be chosen. A drawn face is the same on every machine, and where its landmarks
/// lie is known exactly: it is the ground truth of the tests.
package struct DrawnFace: Sendable {
    package var identity = Identity()
    package var expression = Expression()
    package var pose = Pose(yaw: 0, pitch: 0, roll: 0)
    package var light = Light()

    package init() {}

    /// What makes one person differ from another.
    package struct Identity: Sendable {
        /// Linear light, red, green, blue, 0…1.
        package var skin = SIMD3<Float>(0.62, 0.38, 0.27)
        package var hair = SIMD3<Float>(0.035, 0.02, 0.012)
        package var iris = SIMD3<Float>(0.10, 0.16, 0.20)
        package var shirt = SIMD3<Float>(0.05, 0.09, 0.16)
        package var backdrop = SIMD3<Float>(0.32, 0.36, 0.40)
        /// Factors on the mean face.
        package var width: Float = 1
        package var jawWidth: Float = 1
        package var noseWidth: Float = 1
        package var lipFullness: Float = 1
        package var browThickness: Float = 1
        /// 0: shaved … 1: thick.
        package var hairVolume: Float = 0.6
        /// 0: none … 1: dark.
        package var stubble: Float = 0
        package var isLongHaired = false

        package init() {}
    }

    /// What the muscles do.
    package struct Expression: Sendable {
        /// 0: closed, 1: as in the mean face, above: wide.
        package var rightEyeOpenness: Float = 1
        package var leftEyeOpenness: Float = 1
        /// 0: closed … 1: as wide as when saying "ah".
        package var mouthOpening: Float = 0
        /// −1: sad … 1: a broad smile.
        package var smile: Float = 0
        /// 0…1.
        package var browRaise: Float = 0

        package init() {}
    }

    package struct Light: Sendable {
        /// Where the light comes from: right in the picture, down, towards the viewer. Need not have length 1.
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

    package init(center: Point, faceWidth: Float) {
        self.center = center
        self.faceWidth = faceWidth
    }
}
