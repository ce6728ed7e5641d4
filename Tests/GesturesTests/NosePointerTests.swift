import FaceGeometry
import Gestures
import Testing

@Suite struct NosePointerTests {
    /// A person who looks a little to their left and down into the camera, and turns by up to 0.25 rad.
    private static func calibrated(rate: Double = 30) -> NosePointer {
        var pointer = NosePointer()
        for frame in 0...Int(5.2 * rate) {
            let time = Double(frame) / rate
            let turn: Float = time < 1.6 ? 0 : frame % 4 < 2 ? 0.25 : -0.25
            let nod: Float = time < 1.6 ? 0 : frame % 8 < 4 ? 0.2 : -0.2
            _ = pointer.update(yaw: 0.1 + turn, pitch: -0.1 + nod, at: time)
        }
        return pointer
    }

    /// Holds a look for some seconds from the sixth on.
    /// - Returns: how often it clicks.
    private func look(_ pointer: inout NosePointer, yaw: Float?, pitch: Float, from start: Double, for seconds: Double)
        -> Int
    {
        (0..<Int(seconds * 30)).count { frame in
            // A head is never quite at rest.
            let tremble = 0.004 * Float(frame % 3 - 1)
            return pointer.update(yaw: yaw.map { $0 + tremble }, pitch: pitch - tremble, at: start + Double(frame) / 30)
        }
    }

    @Test(arguments: [12.0, 30, 60])
    func calibrationTakesFiveSeconds(_ rate: Double) {
        #expect(Self.calibrated(rate: rate).phase == .pointing)
        var pointer = NosePointer()
        for frame in 0..<Int(4.8 * rate) {
            _ = pointer.update(yaw: 0, pitch: 0, at: Double(frame) / rate)
            #expect(pointer.position == nil && (0...1).contains(pointer.progress))
        }
        #expect(pointer.phase == .ranging)
    }

    @Test func thePointerFollowsTheNose() throws {
        var pointer = Self.calibrated()
        _ = look(&pointer, yaw: 0.1, pitch: -0.1, from: 5.3, for: 1)
        let middle = try #require(pointer.position)
        #expect((middle - Point(0.5, 0.5)).length < 0.03, "\(middle)")
        // To the person's left and up: positive angles.
        _ = look(&pointer, yaw: 0.2, pitch: -0.02, from: 6.3, for: 1)
        let upperLeft = try #require(pointer.position)
        #expect((upperLeft - Point(0.25, 0.25)).length < 0.05, "\(upperLeft)")
        _ = look(&pointer, yaw: -0.6, pitch: -0.6, from: 7.3, for: 1.5)
        #expect(pointer.position == Point(1, 1))
    }

    @Test func itClicksOnceWhereItStays() {
        var pointer = Self.calibrated()
        #expect(look(&pointer, yaw: 0.1, pitch: -0.1, from: 5.3, for: 0.6) == 0)
        #expect(look(&pointer, yaw: 0.1, pitch: -0.1, from: 5.9, for: 4) == 1)
        #expect(look(&pointer, yaw: 0.25, pitch: -0.1, from: 9.9, for: 3) == 1)
    }

    @Test func nothingIsPointedAtWithoutAFace() {
        var pointer = Self.calibrated()
        _ = look(&pointer, yaw: 0.1, pitch: -0.1, from: 5.3, for: 0.6)
        #expect(look(&pointer, yaw: nil, pitch: 0, from: 5.9, for: 2) == 0)
        #expect(pointer.position == nil)
        _ = pointer.update(yaw: .nan, pitch: 0, at: 8)
        #expect(pointer.update(yaw: 0.1, pitch: -0.1, at: .nan) == false)
        #expect(look(&pointer, yaw: 0.1, pitch: -0.1, from: 8.1, for: 2) == 1)
    }
}
