import Glibc

/// Measures of a facial expression that do not depend on the size and place of the face.
package struct Expression: Equatable, Sendable {
    /// Eye aspect ratios: height by width, about 0.3 when open, below 0.2 when closed (Soukupová & Čech, "Real-Time Eye
    /// Blink Detection using Facial Landmarks", 2016).
    package var rightEye: Float
    package var leftEye: Float
    /// The ratio of horizontal to vertical changes of brightness in an eye. Iris and white make it high, closed lids are
    /// nearly horizontal lines. Landmark models are trained on open eyes almost exclusively and place open lids on many
    /// closed eyes; this measure does not. Nil where only landmarks are known.
    package var rightEyeUprightness: Float?
    package var leftEyeUprightness: Float?
    /// Whether the landmarks of the lids are where the picture shows lids, also closed ones.
    package var hasExactLids = false
    /// Mouth aspect ratio: (|p51−p59| + |p52−p58| + |p53−p57|) / (3·|p49−p55|), counting landmarks from 1.
    package var mouth: Float
    /// Width of the mouth, in inter-ocular distances.
    package var mouthWidth: Float
    /// Distance of the brows' centre from the eyes' centre, in inter-ocular distances.
    package var browHeight: Float
    /// Brows and lips without the pose of the head; of the reference face where only landmarks are known.
    package var shape = FaceShape()

    /// - Parameter landmarks: in any unit.
    package init(_ landmarks: Landmarks, rightEyeUprightness: Float? = nil, leftEyeUprightness: Float? = nil) {
        self.rightEyeUprightness = rightEyeUprightness
        self.leftEyeUprightness = leftEyeUprightness
        let topology = Landmarks.topology
        func distance(_ a: Int, _ b: Int) -> Float { (landmarks[a] - landmarks[b]).length }
        func ratio(_ heights: Float, _ width: Float) -> Float { heights / max(width, 1e-6) }
        /// The mean height of a contour by its width, over the pairs of points that face each other.
        func aspectRatio(_ contour: LandmarkTopology.Contour, skipping ends: Int = 0) -> Float {
            var heights: Float = 0
            let pairs = ends..<contour.pairs.count - ends
            for pair in pairs { heights += distance(contour.pairs[pair].upper, contour.pairs[pair].lower) }
            return ratio(heights, Float(pairs.count) * distance(contour.right, contour.left))
        }
        rightEye = aspectRatio(topology.rightEye)
        leftEye = aspectRatio(topology.leftEye)
        // Beside the corners the lips have no height of their own.
        mouth = aspectRatio(topology.outerLips, skipping: 1)
        let unit = landmarks.interocularDistance
        mouthWidth = ratio(distance(topology.outerLips.right, topology.outerLips.left), unit)
        let brows = landmarks.center(of: topology.brows)
        let eyes =
            (landmarks.center(of: topology.rightEye.outline) + landmarks.center(of: topology.leftEye.outline)) / 2
        browHeight = ratio((brows - eyes).length, unit)
    }

    /// `mouth` as it would be seen from the front. A turned head shows less of the mouth's width, and one that nods, of its
    /// height; the middle of the upper lip is before that of the lower one.
    /// - Parameter pose: farther turned than by 60°, nothing more is corrected.
    package func frontalMouth(_ pose: Pose) -> Float {
        let (yaw, pitch) = (max(-1.05, min(1.05, pose.yaw)), max(-1.05, min(1.05, pose.pitch)))
        let (sinYaw, cosYaw, sinPitch, cosPitch) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch))
        let width = (cosYaw * cosYaw + sinPitch * sinPitch * sinYaw * sinYaw).squareRoot()
        let (up, forward) = (cos(Self.lipSlope), sin(Self.lipSlope))
        let across = forward * sinYaw
        let along = up * cosPitch + forward * cosYaw * sinPitch
        return mouth * width * up / max(0.3, (across * across + along * along).squareRoot())
    }

    /// From the lower to the upper lip, out of the plane of the face, in radians: of the synthetic heads.
    private static let lipSlope: Float = 0.14

    init(eyes: Float, mouth: Float, mouthWidth: Float, browHeight: Float) {
        rightEye = eyes
        leftEye = eyes
        self.mouth = mouth
        self.mouthWidth = mouthWidth
        self.browHeight = browHeight
    }

    /// States that an expression can be in, judged from its measures by `ExpressionEvents`.
    package struct States: OptionSet, Equatable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let rightEyeClosed = States(rawValue: 1)
        package static let leftEyeClosed = States(rawValue: 2)
        package static let mouthOpen = States(rawValue: 4)
        package static let smiling = States(rawValue: 8)
        package static let browsRaised = States(rawValue: 16)
        /// To the subject's own left.
        package static let turnedLeft = States(rawValue: 32)
        package static let turnedRight = States(rawValue: 64)

        package static let eyesClosed: States = [.rightEyeClosed, .leftEyeClosed]
        /// The names of all states, in the order of their bits.
        package static let names = [
            "rightEyeClosed", "leftEyeClosed", "mouthOpen", "smiling", "browsRaised", "turnedLeft", "turnedRight",
        ]
    }
}
