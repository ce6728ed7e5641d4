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

    /// A mask is held as far as there is room: its ears at once, and what moves out of the part smoothly.
    @Test func itHoldsTheMask() {
        func columns(_ mask: Range<Int>, face: Float = 600) -> Range<Int> {
            var crop = VerticalCrop()
            crop.follow(face, mask: mask, in: Self.size, isCut: false, at: 0)
            return crop.columns(of: Self.size, isMirrored: false)
        }
        #expect(columns(500..<720) == columns(599..<601), "it fits around the face")
        #expect(columns(430..<720).lowerBound <= 430 && columns(600..<890).upperBound >= 890)
        // Too wide for the part, which shows its middle.
        #expect(columns(300..<1000) == columns(649..<651, face: 650))
        #expect(columns(0..<200, face: 100) == 0..<404)
        var crop = VerticalCrop()
        crop.follow(600, mask: 500..<720, in: Self.size, isCut: false, at: 0)
        // The face stays, and a feather grows.
        for frame in 1..<90 {
            crop.follow(600, mask: 500..<840, in: Self.size, isCut: false, at: Double(frame) / 30)
        }
        #expect(crop.columns(of: Self.size, isMirrored: false).upperBound >= 836)
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
