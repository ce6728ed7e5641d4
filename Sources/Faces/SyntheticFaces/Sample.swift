import FaceGeometry
import Glibc
import Pixels

/// One of the pictures in `samples/`.
package struct Sample: Sendable {
    package let name: String
    package let face: DrawnFace
    package let placement: DrawnFacePlacement

    package static let width = 640
    package static let height = 800

    /// The face, to be drawn or to read its landmarks from.
    package func drawing(reference: ReferenceFace) -> FaceDrawing {
        FaceDrawing(face, placement: placement, reference: reference)
    }

    /// The whole picture.
    package func picture(reference: ReferenceFace, samples: Int = 3) throws(OutOfMemory) -> PixelBuffer {
        var picture = try PixelBuffer(width: Self.width, height: Self.height, format: .rgba8)
        drawBackdrop(into: &picture)
        drawing(reference: reference).draw(into: &picture, samples: samples)
        return picture
    }

    /// A blurred wall, brighter towards the light.
    private func drawBackdrop(into picture: inout PixelBuffer) {
        let light = face.light.direction
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let u = Float(x) / Float(Self.width) - 0.5
                    let v = Float(y) / Float(Self.height) - 0.5
                    let glow = exp(-3 * ((u - 0.3 * light.x) * (u - 0.3 * light.x) + (v + 0.1) * (v + 0.1)))
                    let grain = 0.97 + 0.06 * noise(SIMD3(u * 7, v * 7, 4))
                    row[x] = FaceDrawing.encoded(face.identity.backdrop * (0.45 + 0.75 * glow) * grain)
                }
            }
        }
    }

    package static let all: [Sample] = [
        sample("ada") {
            $0.identity.skin = SIMD3(0.70, 0.47, 0.37)
            $0.identity.hair = SIMD3(0.10, 0.045, 0.018)
            $0.identity.iris = SIMD3(0.13, 0.20, 0.13)
            $0.identity.shirt = SIMD3(0.30, 0.05, 0.07)
            $0.identity.backdrop = SIMD3(0.42, 0.47, 0.50)
            $0.identity.isLongHaired = true
            $0.identity.lipFullness = 1.15
            $0.identity.jawWidth = 0.95
            $0.identity.browThickness = 0.8
            $0.expression.smile = 0.4
        },
        sample("bruno") {
            $0.identity.skin = SIMD3(0.52, 0.30, 0.19)
            $0.identity.hair = SIMD3(0.02, 0.014, 0.01)
            $0.identity.iris = SIMD3(0.09, 0.045, 0.02)
            $0.identity.shirt = SIMD3(0.10, 0.12, 0.10)
            $0.identity.backdrop = SIMD3(0.36, 0.33, 0.28)
            $0.identity.jawWidth = 1.05
            $0.identity.browThickness = 1.1
            $0.identity.stubble = 0.7
            $0.pose.yaw = 0.30
            $0.light.direction = SIMD3(0.5, -0.6, 0.8)
        },
        sample("chidi") {
            $0.identity.skin = SIMD3(0.165, 0.085, 0.050)
            $0.identity.hair = SIMD3(0.010, 0.008, 0.007)
            $0.identity.iris = SIMD3(0.045, 0.022, 0.012)
            $0.identity.shirt = SIMD3(0.62, 0.55, 0.40)
            $0.identity.backdrop = SIMD3(0.50, 0.44, 0.34)
            $0.identity.noseWidth = 1.12
            $0.identity.lipFullness = 1.2
            $0.identity.hairVolume = 0.25
            $0.expression.mouthOpening = 0.45
            $0.expression.smile = 0.9
            $0.pose.roll = -0.20
            $0.light.intensity = 1.35
        },
        sample("dalia") {
            $0.identity.skin = SIMD3(0.60, 0.38, 0.24)
            $0.identity.hair = SIMD3(0.014, 0.011, 0.012)
            $0.identity.iris = SIMD3(0.07, 0.035, 0.018)
            $0.identity.shirt = SIMD3(0.07, 0.20, 0.22)
            $0.identity.backdrop = SIMD3(0.27, 0.31, 0.40)
            $0.identity.isLongHaired = true
            $0.identity.width = 0.97
            $0.expression.smile = 0.15
            $0.pose.yaw = -0.32
            $0.pose.pitch = 0.08
        },
        sample("emre") {
            $0.identity.skin = SIMD3(0.58, 0.37, 0.27)
            $0.identity.hair = SIMD3(0.06, 0.045, 0.035)
            $0.identity.iris = SIMD3(0.14, 0.19, 0.24)
            $0.identity.shirt = SIMD3(0.55, 0.57, 0.60)
            $0.identity.backdrop = SIMD3(0.20, 0.26, 0.24)
            $0.identity.hairVolume = 0.8
            $0.expression.mouthOpening = 0.75
            $0.expression.browRaise = 0.8
            $0.expression.rightEyeOpenness = 1.25
            $0.expression.leftEyeOpenness = 1.25
            $0.pose.yaw = 0.12
            $0.light.direction = SIMD3(0.1, -0.8, 0.7)
        },
        sample("finn") {
            $0.identity.skin = SIMD3(0.76, 0.52, 0.43)
            $0.identity.hair = SIMD3(0.30, 0.10, 0.025)
            $0.identity.iris = SIMD3(0.12, 0.24, 0.34)
            $0.identity.shirt = SIMD3(0.05, 0.09, 0.16)
            $0.identity.backdrop = SIMD3(0.48, 0.40, 0.42)
            $0.identity.width = 1.04
            $0.identity.stubble = 0.25
            $0.expression.leftEyeOpenness = 0.2
            $0.expression.smile = 0.7
            $0.pose.roll = 0.14
            $0.pose.yaw = -0.14
        },
    ]

    private static func sample(_ name: String, _ adjust: (inout DrawnFace) -> Void) -> Sample {
        var face = DrawnFace()
        adjust(&face)
        return Sample(
            name: name, face: face,
            placement: DrawnFacePlacement(center: Point(320, 385), faceWidth: 300 * face.identity.width))
    }
}
