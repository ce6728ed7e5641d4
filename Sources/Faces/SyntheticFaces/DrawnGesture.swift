import FaceGeometry
import Glibc

/// A synthetic person who makes one gesture: rests and blinks, makes it, and rests again. Ground truth for its
/// recognition.
package struct DrawnGesture: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case browsTwice, tiltLeft, tiltRight, mouthOpen, eyesShut, headShake
        /// No gesture: words, a smile, a nod, a look to the side, blinks.
        case none
    }

    package let kind: Kind
    package let sequence: DrawnSequence
    /// The width of the face in pixels.
    package let faceWidth: Float

    /// How many variations there are: of the person, the face's size, the direction it is turned to, the noise, the frame
    /// rate, and the person's strength and speed.
    package static let variations = 20
    /// Every variation of each gesture. Their sequences are named "tiltLeft-1" to "tiltLeft-20", and so on.
    package static var all: [DrawnGesture] {
        Kind.allCases.flatMap { kind in (0..<variations).map { DrawnGesture(kind, variation: $0) } }
    }

    private static let people = ["dalia", "finn", "emre", "ada", "bruno"]
    private static let frameRates = [12.0, 15, 25, 30, 60]
    private static let widths: [Float] = [70, 90, 110, 130]
    private static let yaws: [Float] = [0, -0.2, 0.12, 0.25, -0.1, 0.05, -0.28]
    private static let noises: [Float] = [2, 4, 7]

    /// - Parameter variation: 0 to `variations` − 1.
    package init(_ kind: Kind, variation: Int) {
        self.kind = kind
        // Rate and width run through all their combinations, the others beside them.
        let person = Self.people[(variation + variation / 5) % 5]
        let (rate, width) = (Self.frameRates[variation % 5], Self.widths[variation / 5 % 4])
        let (yaw, noise) = (Self.yaws[variation % 7], Self.noises[variation % 3])
        let strength = 0.8 + 0.2 * Float(variation % 6) / 5
        let pace = 0.85 + 0.3 * Float(variation % 4) / 3
        faceWidth = width
        let motion = Motion(kind: kind, strength: strength, pace: pace)
        sequence = DrawnSequence(
            "\(kind.rawValue)-\(variation + 1)", frames: Int(Double(motion.end) * rate), framesPerSecond: rate,
            camera: { _ in
                var camera = DrawnSequence.Camera()
                camera.noise = noise
                return camera
            },
            actors: { time in
                let sway = Point(2 * DrawnSequence.wave(time, 3.1), DrawnSequence.wave(time, 2.3))
                return [
                    DrawnSequence.actor(person, at: Point(160, 118) + sway, width: width) { face in
                        face.pose.yaw = yaw + 0.02 * DrawnSequence.wave(time, 2.9)
                        face.pose.pitch += 0.02 * DrawnSequence.wave(time, 1.9)
                        face.pose.roll = 0.03 * DrawnSequence.wave(time, 4.3)
                        motion.apply(to: &face, at: time)
                    }
                ]
            })
    }
}

/// The effect of a gesture on a face over time, in seconds.
private struct Motion: Sendable {
    let kind: DrawnGesture.Kind
    /// How far the person goes, up to 1.
    let strength: Float
    /// 1: an average person's speed.
    let pace: Float

    /// How long the person rests before the gesture.
    private static let start: Float = 3

    /// Of the gesture alone.
    private var duration: Float {
        switch kind {
        case .browsTwice: 1.1 / pace
        case .tiltLeft, .tiltRight, .mouthOpen: 1.9
        case .eyesShut: 2.6
        case .headShake: 1.5 / pace
        case .none: 6
        }
    }

    var end: Float { Self.start + duration + 0.8 }

    func apply(to face: inout DrawnFace, at time: Float) {
        let blink = 1 - Self.held(time, from: 0.8, for: 0.2, ramp: 0.06)
        face.expression.rightEyeOpenness = blink
        face.expression.leftEyeOpenness = blink
        let now = time - Self.start
        let held = Self.held(now, from: 0, for: duration, ramp: 0.25 / pace)
        switch kind {
        case .browsTwice:
            let half = duration / 2
            let raise = { (from: Float) in Self.held(now, from: from, for: 0.36 / pace, ramp: 0.12 / pace) }
            face.expression.browRaise = strength * max(raise(0), raise(half))
        case .tiltLeft: face.pose.roll += held * (0.45 + 0.15 * strength)
        case .tiltRight: face.pose.roll -= held * (0.45 + 0.15 * strength)
        case .mouthOpen: face.expression.mouthOpening = held * strength
        case .eyesShut:
            let lids = min(blink, 1 - Self.held(now, from: 0, for: duration, ramp: 0.08))
            (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (lids, lids)
        case .headShake:
            face.pose.yaw += held * 0.3 * strength * DrawnSequence.wave(now, 0.6 / pace)
        case .none: converse(&face, at: now)
        }
    }

    private func converse(_ face: inout DrawnFace, at time: Float) {
        let words = Self.held(time, from: 0, for: 2.5, ramp: 0.2)
        face.expression.mouthOpening = words * 0.5 * strength * max(0, DrawnSequence.wave(time, 0.26))
        face.expression.smile = 0.8 * strength * Self.held(time, from: 2.6, for: 1.4, ramp: 0.3)
        face.expression.browRaise = strength * Self.held(time, from: 1, for: 0.5, ramp: 0.12)
        face.pose.pitch += 0.2 * Self.held(time, from: 3.2, for: 1.6, ramp: 0.3) * DrawnSequence.wave(time, 0.8)
        face.pose.yaw += 0.25 * Self.held(time, from: 4.4, for: 1.2, ramp: 0.3)
        face.pose.roll += 0.2 * Self.held(time, from: 1.4, for: 1.5, ramp: 0.3)
        for start: Float in [2.2, 2.7, 5.2] {
            let lids = 1 - Self.held(time, from: start, for: 0.22, ramp: 0.06)
            face.expression.rightEyeOpenness = min(face.expression.rightEyeOpenness, lids)
            face.expression.leftEyeOpenness = min(face.expression.leftEyeOpenness, lids)
        }
    }

    /// 0 outside, 1 inside, with straight ramps inside both ends.
    private static func held(_ time: Float, from start: Float, for duration: Float, ramp: Float) -> Float {
        max(0, min(1, min(time - start, start + duration - time) / ramp))
    }
}
