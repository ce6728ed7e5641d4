import FaceGeometry

extension DrawnSequence {
    /// Hands that come in front of the face after it has been seen for 1.6 seconds: they measure the detection of
    /// occluders.
    package static let hands: [DrawnSequence] = [
        hand("handPassing", color: paleSkin) { time in Point(60 + 80 * (time - start), 175) },
        hand("handPassingFast", color: paleSkin) { time in Point(60 + 260 * (time - start), 170) },
        hand("handResting", color: brownSkin) { time in
            // On the cheek for two seconds.
            let way = min((time - start) / 0.5, (start + 3 - time) / 0.5, 1)
            return Point(118, 300 - 130 * smoothstep(0, 1, way))
        },
        hand("handAtChin", color: brownSkin, size: 60) { time in
            let way = min((time - start) / 0.3, (start + 1.6 - time) / 0.3, 1)
            return Point(165, 300 - 105 * smoothstep(0, 1, way) + 2 * wave(time, 0.7))
        },
        hand("handOfOwnColor", color: ownSkin) { time in
            let way = min((time - start) / 0.4, (start + 1.8 - time) / 0.4, 1)
            return Point(190, 300 - 130 * smoothstep(0, 1, way))
        },
        hand("gloveBeforeTalking", color: SIMD3(0.05, 0.06, 0.08), talks: true) { time in
            Point(250 - 70 * (time - start), 180)
        },
    ]

    /// When hands begin to move, in seconds.
    private static let start: Float = 1.6
    private static let brownSkin = SIMD3<Float>(0.36, 0.19, 0.11)
    private static let paleSkin = SIMD3<Float>(0.80, 0.57, 0.48)
    private static let ownSkin = SIMD3<Float>(0.60, 0.38, 0.28)

    private static func hand(
        _ name: String, color: SIMD3<Float>, size: Float = 70, talks: Bool = false,
        at center: @escaping @Sendable (Float) -> Point
    ) -> DrawnSequence {
        DrawnSequence(
            name, frames: 120,
            camera: { time in
                var camera = Camera()
                camera.handColor = color
                if time >= start { camera.hand = (center(time), size) }
                return camera
            },
            actors: { time in
                [
                    actor(talks ? "emre" : "finn", at: Point(160 + 3 * wave(time, 3), 118), width: 100) {
                        $0.pose.yaw = 0.08 * wave(time, 2.3)
                        if talks { $0.expression.mouthOpening = max(0, 0.3 + 0.3 * wave(time, 0.26)) }
                    }
                ]
            })
    }
}
