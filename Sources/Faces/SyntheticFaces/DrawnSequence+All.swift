import FaceGeometry
import Glibc

extension DrawnSequence {
    /// In the order of difficulty.
    package static let all: [DrawnSequence] = [
        still, turning, talking, blinking, noisy, flickering, tilting, walking, shaking, covered, switched, away,
        leaving, crossing, turningAway, stayingCovered, twelve, sixteen,
    ]

    /// The kind of motion, which determines the accuracy expected of a tracker.
    package enum Pace: Sendable { case slow, fast, interrupted }

    package var pace: Pace {
        switch name {
        case "still", "turning", "talking", "blinking", "noisy", "flickering", "tilting": .slow
        case "walking", "shaking": .fast
        default: .interrupted
        }
    }

    // MARK: Slow

    /// A person looks into the camera without moving.
    private static let still = DrawnSequence("still", frames: 75) { time in
        [actor("dalia", at: Point(160, 118 + 0.4 * wave(time, 4)), width: 100)]
    }

    private static let turning = DrawnSequence("turning", frames: 100) { time in
        [
            actor("finn", at: Point(160 + 6 * wave(time, 4), 118), width: 100) {
                $0.pose.yaw = 0.5 * wave(time, 4)
                $0.pose.pitch = 0.15 * wave(time, 2.7)
            }
        ]
    }

    private static let talking = DrawnSequence("talking", frames: 100) { time in
        [
            actor("emre", at: Point(160 + 3 * wave(time, 3), 118 + 2 * wave(time, 2)), width: 100) {
                // Four syllables a second, of varying loudness.
                $0.expression.mouthOpening = max(0, 0.35 + 0.3 * wave(time, 0.26)) * (0.6 + 0.4 * wave(time, 1.7))
                $0.expression.smile = 0.3 + 0.3 * wave(time, 3.1)
            }
        ]
    }

    /// Start and duration of each blink, in seconds.
    package static let blinks: [(start: Float, duration: Float)] = [
        (0.8, 0.16), (1.9, 0.20), (2.8, 0.16), (3.9, 0.28), (5.0, 0.16), (5.6, 0.20), (6.6, 0.16), (7.4, 0.24),
        (8.4, 0.16), (9.2, 0.20),
    ]

    private static let blinking = DrawnSequence("blinking", frames: 250) { time in
        [
            actor("finn", at: Point(160 + 2 * wave(time, 3), 118), width: 100) {
                // The lids take 0.06 s to close and to open.
                let openness = blinks.map { blink in
                    let outside = max(blink.start - time, time - blink.start - blink.duration)
                    return max(0, min(1, outside / 0.06 + 0))
                }.min()
                $0.expression.rightEyeOpenness = openness ?? 1
                $0.expression.leftEyeOpenness = openness ?? 1
            }
        ]
    }

    private static let noisy = DrawnSequence(
        "noisy", frames: 75,
        camera: { _ in
            var camera = Camera()
            camera.noise = 10
            return camera
        },
        actors: { time in [actor("dalia", at: Point(160 + 5 * wave(time, 3), 118), width: 100)] })

    private static let flickering = DrawnSequence(
        "flickering", frames: 75,
        camera: { time in
            var camera = Camera()
            camera.brightness = 1 + 0.15 * wave(time, 0.11)
            return camera
        },
        actors: { time in [actor("ada", at: Point(160, 118 + 3 * wave(time, 3)), width: 100)] })

    /// A head that tilts farther than the detectors find faces.
    private static let tilting = DrawnSequence("tilting", frames: 100) { time in
        [
            actor("dalia", at: Point(160, 118), width: 100) {
                $0.pose.yaw = 0
                $0.pose.roll = 0.35 - 0.35 * cos(2 * .pi * time / 4)
            }
        ]
    }

    // MARK: Fast

    private static let walking = DrawnSequence(
        "walking", frames: 75,
        camera: { _ in
            var camera = Camera()
            camera.blur = Point(1.6, 0)
            return camera
        },
        actors: { time in
            [actor("ada", at: Point(70 + 60 * time, 118 + 4 * wave(time, 0.5)), width: 90)]
        })

    private static let shaking = DrawnSequence(
        "shaking", frames: 75,
        camera: { time in
            var camera = Camera()
            camera.blur = Point(0.5 * 40 * 2 * .pi / 0.8 / 25 * cos(2 * .pi * time / 0.8), 0)
            return camera
        },
        actors: { time in
            [
                actor("finn", at: Point(160 + 40 * wave(time, 0.8), 118), width: 100) {
                    $0.pose.yaw = 0.3 * wave(time, 0.8)
                }
            ]
        })

    // MARK: Interrupted

    /// A hand passes in front of the face.
    private static let covered = DrawnSequence(
        "covered", frames: 100,
        camera: { time in
            var camera = Camera()
            camera.hand = (Point(-60 + 110 * time, 150), 90)
            return camera
        },
        actors: { time in [actor("finn", at: Point(160 + 3 * wave(time, 3), 118), width: 100)] })

    /// The light is switched off, so that little is left, and on again.
    private static let switched = DrawnSequence(
        "switched", frames: 75,
        camera: { time in
            var camera = Camera()
            camera.brightness = (1.2..<2.0).contains(time) ? 0.3 : 1
            return camera
        },
        actors: { time in [actor("finn", at: Point(160 + 3 * wave(time, 3), 118), width: 100)] })

    /// A head that turns as far as the model can follow, stays for a second and comes back.
    private static let away = DrawnSequence("away", frames: 100) { time in
        let way = max(0, min(1, min((time - 0.8) / 0.5, (2.8 - time) / 0.5)))
        return [
            actor("finn", at: Point(160 + 12 * way, 118), width: 100) {
                $0.pose.yaw = 0.55 * way * way * (3 - 2 * way)
            }
        ]
    }

    /// The picture is empty between these times, in seconds.
    package static let absence: ClosedRange<Float> = 2.0...4.0

    private static let leaving = DrawnSequence(
        "leaving", frames: 150,
        camera: { time in
            var camera = Camera()
            camera.isEmpty = absence.contains(time)
            return camera
        },
        actors: { time in [actor("finn", at: Point(160 + 3 * wave(time, 3), 118), width: 100)] })

    /// Two people change places, one passing in front of the other.
    private static let crossing = DrawnSequence("crossing", frames: 125) { time in
        let way = max(0, min(1, (time - 0.8) / 3))
        return [
            actor("chidi", at: Point(250 - 180 * way, 108), width: 74) { $0.pose.roll = 0 },
            actor("ada", at: Point(70 + 180 * way, 128), width: 84),
        ]
    }

    /// A head that turns away farther than the landmark model knows faces, and back.
    private static let turningAway = DrawnSequence("turningAway", frames: 75) { time in
        [
            actor("finn", at: Point(160, 118), width: 100) {
                $0.pose.yaw = 0.8 * max(0, sin(2 * .pi * (time - 0.6) / 3.2))
            }
        ]
    }

    /// The hand is in front of the face from this time on, in seconds.
    package static let covering: Float = 1.0

    private static let stayingCovered = DrawnSequence(
        "stayingCovered", frames: 75,
        camera: { time in
            var camera = Camera()
            camera.hand = (Point(min(160, 160 + 400 * (time - covering)), 118), 130)
            return camera
        },
        actors: { time in [actor("finn", at: Point(160 + 3 * wave(time, 3), 118), width: 100)] })

    // MARK: Helpers

    /// A sine, −1…1.
    /// - Parameter period: in seconds.
    static func wave(_ time: Float, _ period: Float) -> Float { sin(2 * .pi * time / period) }

    package static func actor(
        _ name: String, at center: Point, width: Float, _ adjust: (inout DrawnFace) -> Void = { _ in }
    ) -> Actor {
        var face = Sample.all.first { $0.name == name }?.face ?? DrawnFace()
        face.expression = DrawnFace.Expression()
        adjust(&face)
        return Actor(face: face, placement: DrawnFacePlacement(center: center, faceWidth: width))
    }
}
