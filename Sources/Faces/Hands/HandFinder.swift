import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// A face in front of which hands are looked for.
package struct HandTarget: Sendable {
    let outline: ConvexOutline
    let center: Point
    /// From ear to ear, in pixels.
    let width: Float

    /// - Parameters:
    ///   - vertices: of the face's mesh, in pixels.
    ///   - width: of the face from ear to ear, in pixels.
    package init(vertices: [Point], width: Float) {
        outline = ConvexOutline(around: vertices)
        center = FaceBox(around: vertices).center
        self.width = width
    }

    private init(outline: ConvexOutline, center: Point, width: Float) {
        (self.outline, self.center, self.width) = (outline, center, width)
    }

    func moved(by shift: Point) -> HandTarget {
        HandTarget(
            outline: ConvexOutline(around: outline.corners.map { $0 + shift }), center: center + shift, width: width)
    }

    /// Sides of the squares in which palms are looked for, in widths of the face. The detector misses palms that are larger or
    /// smaller in its input than it likes: in photographs, the first alone finds three quarters, all together five sixths.
    package static let sides: [Float] = [3.5, 2.5, 4.5, 1.8]

    /// In which palms are looked for: hands come from below.
    /// - Parameter side: in widths of the face.
    func square(side: Float = HandTarget.sides[0]) -> OrientedBox {
        OrientedBox(center: center + Point(0, 0.2 * width), side: side * width, roll: 0)
    }

    /// The largest of these squares.
    var surroundings: OrientedBox { square(side: Self.sides.max() ?? Self.sides[0]) }

    /// Whether a hand could be in front of the face. Cheeks and glasses are sometimes taken for small hands that lie in the
    /// face as a whole.
    /// - Parameter isKnown: whether it was in front of a face in the picture before: then its wrist may come a little inside.
    package func canBeCovered(by hand: Hand, isKnown: Bool = false) -> Bool {
        (0.35 * width...1.8 * width).contains(hand.size)
            && outline.distance(of: hand.wrist) > (isKnown ? -0.15 * width : 0)
    }

    /// Whether a hand reaches the face. One beside it may as well be behind what is worn there: in a photograph, nobody knows.
    package func isReached(by hand: Hand) -> Bool {
        hand.points.contains { outline.distance(of: $0) < 0.05 * width }
    }

    /// Whether a hand is near enough to be in front of the face soon.
    package func isNear(_ hand: Hand) -> Bool {
        hand.points.contains { outline.distance(of: $0) < 1.3 * width }
    }
}

/// Finds the hands near faces, from picture to picture. It belongs to one thread at a time.
package final class HandFinder {
    private let palms: PalmDetector
    private let landmarks: HandLandmarkNetwork
    /// More hands are not followed.
    private static let mostHands = 4
    /// Two hands are the same if their points are nearer to each other than this, in palm lengths.
    private static let same: Float = 0.35
    /// From this score on, 0…1, a palm is one.
    private static let sureScore: Float = 0.75

    /// - Throws: `VisionError` with the path of a file.
    package init(_ folder: NetworkFolder) throws(VisionError) {
        palms = try PalmDetector(folder)
        landmarks = try HandLandmarkNetwork(folder)
    }

    /// - Parameters:
    ///   - hands: of the picture before.
    ///   - picture: grey or RGBA with 8 bits.
    ///   - sides: of the squares in which new hands are looked for, too, in widths of the face.
    ///   - isStill: it is a photograph: hands in it are hardly blurred.
    /// - Returns: the hands that are near a face.
    package func find(
        from hands: [Hand], near targets: [HandTarget], in picture: borrowing PixelBuffer,
        searching sides: [Float], isStill: Bool = false
    ) throws(VisionError) -> [Hand] {
        var found: [Hand] = []
        for hand in hands {
            if let next = try landmarks.hand(in: hand.region, of: picture, because: .known) {
                add(next, isKnown: true, near: targets, to: &found)
            }
        }
        for target in targets {
            for side in sides {
                let square = target.square(side: side)
                for palm in try palms.palms(in: square, of: picture) where found.count < Self.mostHands {
                    let isKnown = found.contains { ($0.region.center - palm.region.center).length < 0.4 * $0.size }
                    let reason: HandLandmarkNetwork.Reason =
                        !isStill && palm.score > Self.sureScore ? .surePalm : .palm
                    guard !isKnown, let first = try landmarks.hand(in: palm.region, of: picture, because: reason),
                        // Where the first region was not quite right, the second is.
                        let hand = try landmarks.hand(in: first.region, of: picture, because: reason)
                    else { continue }
                    add(hand, isKnown: false, near: targets, to: &found)
                }
            }
        }
        return found
    }

    /// The hands near a face in a single picture.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`.
    ///   - isThorough: whether palms are looked for in squares of all sizes, not of the best alone.
    /// - Throws: `VisionError`, or `OutOfMemory`.
    package func find(
        near target: HandTarget, in picture: borrowing PixelBuffer, isThorough: Bool = true
    ) throws -> [Hand] {
        let sides = isThorough ? HandTarget.sides : [HandTarget.sides[0]]
        guard picture.format == .rgba16 else {
            return try find(from: [], near: [target], in: picture, searching: sides, isStill: true)
        }
        // Hands at its edge reach beyond the square.
        let square = target.surroundings
        let reach = square.side
        let corner = square.center - reach
        guard abs(corner.x) < 1e6, abs(corner.y) < 1e6, reach < 1e6 else { return [] }
        let area = PixelRectangle(x: Int(corner.x), y: Int(corner.y), width: Int(2 * reach), height: Int(2 * reach))
            .intersection(picture.bounds)
        guard !area.isEmpty else { return [] }
        let offset = Point(Float(area.x), Float(area.y))
        var hands = try find(
            from: [], near: [target.moved(by: -offset)], in: picture.copy(of: area), searching: sides,
            isStill: true)
        for index in hands.indices { hands[index].move(by: offset) }
        return hands
    }

    private func add(_ hand: Hand, isKnown: Bool, near targets: [HandTarget], to found: inout [Hand]) {
        guard targets.contains(where: { $0.isNear(hand) && $0.canBeCovered(by: hand, isKnown: isKnown) }) else {
            return
        }
        let isSame = found.contains { other in
            let sum = zip(hand.points, other.points).reduce(0) { $0 + ($1.0 - $1.1).length }
            return sum < Self.same * min(hand.size, other.size) * Float(Hand.pointCount)
        }
        if !isSame { found.append(hand) }
    }
}
