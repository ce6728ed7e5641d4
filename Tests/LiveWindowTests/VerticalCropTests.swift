import LiveWindow
import Testing

/// The part of frames that vertical recordings show.
@Suite struct VerticalCropTests {
    private static let size = (width: 1280, height: 720)

    private func middle(_ crop: VerticalCrop, isMirrored: Bool = false) -> Int {
        let columns = crop.columns(of: Self.size, isMirrored: isMirrored)
        return (columns.lowerBound + columns.upperBound) / 2
    }

    /// Follows a face that stays at a place, for so many seconds at 30 frames per second.
    private func follow(_ face: Float?, for seconds: Double, from start: Double, _ crop: inout VerticalCrop) {
        for frame in 0..<Int(30 * seconds) {
            crop.follow(face, in: Self.size, isCut: false, at: start + Double(frame) / 30)
        }
    }

    @Test(arguments: [
        (1280, 720, 404), (640, 480, 270), (1920, 1080, 606), (360, 640, 360), (300, 640, 300), (8, 3, 2),
    ])
    func itIsAsHighAsTheFrame(_ width: Int, _ height: Int, _ expected: Int) {
        let columns = VerticalCrop().columns(of: (width, height), isMirrored: false)
        #expect(columns.count == expected && columns.lowerBound == (width - expected) / 2)
    }

    @Test func itFollowsTheFace() {
        var crop = VerticalCrop()
        crop.follow(400, in: Self.size, isCut: false, at: 0)
        #expect(middle(crop) == 400 && middle(crop, isMirrored: true) == 880)
        // A little to the side, it stays: 0.15 of 404 pixels.
        follow(455, for: 2, from: 0, &crop)
        #expect(middle(crop) == 400)
        // Farther, it follows, not at once, and then until the face is in its middle.
        follow(600, for: 0.2, from: 2, &crop)
        #expect((420...560).contains(middle(crop)))
        follow(600, for: 3, from: 2.2, &crop)
        #expect((590...600).contains(middle(crop)))
        // Where nobody is, it stays.
        follow(nil, for: 1, from: 5.2, &crop)
        #expect((590...600).contains(middle(crop)))
        // Another scene is another place, and the frame has edges.
        crop.follow(1270, in: Self.size, isCut: true, at: 7)
        #expect(crop.columns(of: Self.size, isMirrored: false) == 876..<1280)
        crop.follow(.nan, in: Self.size, isCut: true, at: 8)
        #expect(crop.columns(of: Self.size, isMirrored: false) == 876..<1280)
    }
}
