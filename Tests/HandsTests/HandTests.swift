import FaceGeometry
import Hands
import Pixels
import Testing

/// A hand that points upwards with its fingers spread, wrist at a place, its palm 100 pixels long.
func openHand(wrist: Point, size: Float = 100) -> Hand {
    let bases = [Point(-0.45, -0.25), Point(-0.3, -0.95), Point(0, -1), Point(0.25, -0.95), Point(0.45, -0.85)]
    var points = [Point.zero]
    for base in bases {
        let along = Point(base.x, base.y) / base.length
        for joint in 0..<4 { points.append(base + 0.28 * Float(joint) * along) }
    }
    return Hand(
        points: points.map { wrist + size * $0 }, depths: [Float](repeating: 0, count: points.count), presence: 1)
}

@Suite struct HandTests {
    @Test func aHullHasAnInsideAndAnOutside() {
        let square = [Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10), Point(5, 5), Point(5, 0)]
        let outline = ConvexOutline(around: square)
        #expect(outline.corners.count == 4)
        #expect(abs(outline.distance(of: Point(5, 4)) + 4) < 1e-4)
        #expect(abs(outline.distance(of: Point(13, 14)) - 5) < 1e-4)
        #expect(outline.distance(of: Point(2, 12)) > 0)
        // Of what has no area, nothing is inside.
        #expect(ConvexOutline(around: [Point(1, 1), Point(1, 1)]).distance(of: Point(1, 1)) >= 0)
        #expect(ConvexOutline(around: [Point]()).distance(of: .zero) == .infinity)
    }

    @Test func aHandHasASizeWhateverWayItFaces() {
        let hand = openHand(wrist: Point(200, 300))
        #expect(abs(hand.size - 100) < 20)
        // Turned away: its palm looks short, and is as long in depth.
        let turned = Hand(
            points: hand.points.map { Point($0.x, 300) }, depths: hand.points.map { $0.y - 300 }, presence: 1)
        #expect(abs(turned.size - hand.size) < 1)
    }

    /// The network gets every hand with its fingers upwards.
    @Test(arguments: [0, 0.5, 1.7, -2.5] as [Float]) func theRegionTurnsWithTheHand(_ angle: Float) {
        let upright = openHand(wrist: .zero)
        let (across, down) = (
            OrientedBox(center: .zero, side: 1, roll: angle).across,
            OrientedBox(center: .zero, side: 1, roll: angle).down
        )
        let points = upright.points.map { $0.x * across + $0.y * down + Point(320, 240) }
        let hand = Hand(points: points, depths: [Float](repeating: 0, count: points.count), presence: 1)
        let region = hand.region
        #expect(abs((region.across - region.side * across).length) < 0.12 * region.side)
        for point in hand.points {
            let offset = point - region.center
            #expect(max(abs((offset * across).sum()), abs((offset * down).sum())) < region.side / 2)
        }
    }

    @Test func fingersAndPalmAreCovered() {
        let hand = openHand(wrist: Point(200, 300))
        func isCovered(_ place: Point) -> Bool {
            var isCovered = hand.palm.distance(of: place) < 0
            hand.forEachBone { bone, radius in if bone.distance(of: place) < radius { isCovered = true } }
            return isCovered
        }
        for point in hand.points { #expect(isCovered(point)) }
        #expect(isCovered(Point(200, 250)))
        // Beside the wrist, and between two spread fingers.
        #expect(!isCovered(Point(260, 300)))
        #expect(!isCovered((hand.points[8] + hand.points[4]) / 2))
    }

    /// Cheeks and glasses are taken for small hands in the face, sometimes.
    @Test func whatLiesInAFaceIsNoHandBeforeIt() {
        let face = [Point(0, 0), Point(200, 0), Point(200, 260), Point(100, 300), Point(0, 260)]
        let target = HandTarget(vertices: face, width: 200)
        #expect(target.canBeCovered(by: openHand(wrist: Point(100, 380), size: 110)))
        #expect(!target.canBeCovered(by: openHand(wrist: Point(100, 250), size: 110)), "its wrist is in the face")
        #expect(!target.canBeCovered(by: openHand(wrist: Point(100, 380), size: 50)), "it is too small")
        #expect(!target.canBeCovered(by: openHand(wrist: Point(100, 900), size: 500)), "it is too large")
        #expect(target.isNear(openHand(wrist: Point(100, 500), size: 110)))
        #expect(target.isReached(by: openHand(wrist: Point(100, 380), size: 110)))
        #expect(!target.isReached(by: openHand(wrist: Point(100, 600), size: 110)), "it is below the chin")
        #expect(!target.isNear(openHand(wrist: Point(1000, 380), size: 110)))
    }
}

@Suite struct HandMotionTests {
    /// A picture of random squares, of which a part is moved.
    private func picture(
        shift: Point = .zero, in part: ClosedRange<Float> = 0...1000, rows: ClosedRange<Int> = 0...1000
    ) throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: 320, height: 240, format: .rgba8)
        let stride = pixels.bytesPerRow
        pixels.withUnsafeMutableBytes { bytes in
            for y in 0..<240 {
                for x in 0..<320 {
                    let isMoved = part.contains(Float(x)) && rows.contains(y)
                    let place = isMoved ? Point(Float(x), Float(y)) - shift : Point(Float(x), Float(y))
                    let (column, row) = (Int((place.x / 9).rounded(.down)), Int((place.y / 9).rounded(.down)))
                    let value = UInt8(truncatingIfNeeded: (column &* 73 ^ row &* 151) &* 37 & 127) &+ 60
                    for channel in 0..<3 { bytes[y * stride + 4 * x + channel] = value }
                    bytes[y * stride + 4 * x + 3] = 255
                }
            }
        }
        return pixels
    }

    @Test func handsMoveWithThePicture() throws {
        let flow = HandFlow()
        flow.begin(try picture(), square: OrientedBox(center: Point(160, 120), side: 200, roll: 0))
        flow.add(try picture(shift: Point(3, -2)))
        flow.add(try picture(shift: Point(6, -4)))
        var hand = openHand(wrist: Point(160, 160), size: 50)
        let before = hand.points
        flow.carry(&hand, from: 0)
        let shift = hand.points[9] - before[9]
        #expect((shift - Point(6, -4)).length < 1, "\(shift)")
        var last = openHand(wrist: Point(160, 160), size: 50)
        flow.carry(&last, from: 1)
        #expect((last.points[9] - before[9] - Point(3, -2)).length < 1)
        // More pictures than it keeps: it knows nothing any more.
        for _ in 0..<20 { flow.add(try picture()) }
        flow.clear()
        flow.carry(&last, from: 0)
        #expect(last.points.allSatisfy { $0.x.isFinite })
    }

    @Test func motionBesideAFaceIsSeen() throws {
        let motion = NearbyMotion()
        let face = [Point(130, 80), Point(190, 80), Point(190, 160), Point(130, 160)]
        let target = HandTarget(vertices: face, width: 60)
        #expect(motion.isMoving(try picture()), "nothing is known yet")
        motion.begin(try picture(), near: target)
        #expect(try !motion.isMoving(picture()))
        #expect(
            try !motion.isMoving(picture(shift: Point(20, 13), in: 140...180, rows: 80...150)), "it moves in the face")
        #expect(try motion.isMoving(picture(shift: Point(20, 13), in: 200...320)))
    }
}
