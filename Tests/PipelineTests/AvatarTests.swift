import FaceGeometry
import Foundation
import OpenSoundControl
import Testing
import TrackOutput

@Suite struct AvatarTests {
    private func rotated(_ vector: SIMD3<Float>, by rotation: AvatarRotation) -> SIMD3<Float> {
        func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let axis = SIMD3(rotation.x, rotation.y, rotation.z)
        return vector + 2 * cross(axis, cross(axis, vector) + rotation.w * vector)
    }

    private func isNear(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Bool { ((a - b) * (a - b)).sum() < 1e-8 }

    /// In Unity's coordinates an avatar looks along z, its right is x, and up is y.
    @Test func anAvatarTurnsAsItsPersonDoes() {
        let (forward, up) = (SIMD3<Float>(0, 0, 1), SIMD3<Float>(0, 1, 0))
        let left = AvatarRotation(Pose(yaw: 0.5, pitch: 0, roll: 0))
        #expect(isNear(rotated(forward, by: left), SIMD3(-sin(0.5), 0, cos(0.5))))
        let lifted = AvatarRotation(Pose(yaw: 0, pitch: 0.3, roll: 0))
        #expect(isNear(rotated(forward, by: lifted), SIMD3(0, sin(0.3), cos(0.3))))
        // Clockwise in the picture is to the person's left.
        let tilted = AvatarRotation(Pose(yaw: 0, pitch: 0, roll: 0.2))
        #expect(isNear(rotated(up, by: tilted), SIMD3(-sin(0.2), cos(0.2), 0)))
    }

    /// First yaw, then pitch, then roll: a head that has turned to its left and then looks up tilts about the camera's axis.
    @Test func rotationsFollowOneAnother() {
        let (yaw, pitch, roll) = (Float(0.6), Float(0.4), Float(0.3))
        var vector = SIMD3<Float>(-sin(yaw), 0, cos(yaw))
        vector = SIMD3(
            vector.x, vector.y * cos(pitch) + vector.z * sin(pitch), vector.z * cos(pitch) - vector.y * sin(pitch))
        vector = SIMD3(
            vector.x * cos(roll) - vector.y * sin(roll), vector.x * sin(roll) + vector.y * cos(roll), vector.z)
        let rotation = AvatarRotation(Pose(yaw: yaw, pitch: pitch, roll: roll))
        #expect(isNear(rotated(SIMD3(0, 0, 1), by: rotation), vector))
    }

    @Test func eyesLookTheSameWay() throws {
        var signals = ExpressionSignals()
        signals[.gazeTurn] = 0.5
        signals[.gazeNod] = -0.25
        let values = Dictionary(uniqueKeysWithValues: AvatarExpressions.arkit.values(of: signals, knowsGaze: true))
        #expect(values.count == 16)
        #expect(values["EyeLookOutLeft"] == 0.5 && values["EyeLookInRight"] == 0.5)
        #expect(values["EyeLookInLeft"] == 0 && values["EyeLookOutRight"] == 0)
        #expect(values["EyeLookDownLeft"] == 0.25 && values["EyeLookUpRight"] == 0)
        #expect(AvatarExpressions.arkit.values(of: signals, knowsGaze: false).count == 8)
        #expect(
            AvatarExpressions.vrm.values(of: signals, knowsGaze: true).map(\.name) == [
                "A", "Joy", "Blink_L", "Blink_R",
            ])
    }

    @Test(arguments: [
        ("127.0.0.1:39539", "127.0.0.1", 39539), ("studio.local:9000", "studio.local", 9000), ("[::1]:1", "::1", 1),
    ])
    func addressesAreRead(_ text: String, host: String, port: Int) throws {
        let address = try #require(OSCAddress(text))
        #expect(address.host == host && Int(address.port) == port && address.description == text)
    }

    @Test(arguments: [
        "", ":", "host", "9000", "host:", ":9000", "host:0", "host:65536", "host:-1", "::1:9000", "host:+1", "[]:1",
        "h:٣", "[127.0.0.1]:9", " host:1", "ho st:1",
    ])
    func otherTextsAreNoAddresses(_ text: String) { #expect(OSCAddress(text) == nil) }
}
