import FaceGeometry
import Glibc
import Pixels
import Synchronization

/// A short sequence of frames with synthetic people, whose landmarks are known exactly: ground truth for the tracker.
package struct DrawnSequence: Sendable {
    package let name: String
    package let frameCount: Int
    /// Of most sequences.
    package static let framesPerSecond: Double = 25
    package let framesPerSecond: Double
    /// The size of most sequences, in pixels.
    package static let width = 320
    package static let height = 240
    package private(set) var size: (width: Int, height: Int)
    /// Of the pictures, relative to the size that actors and hands are given for.
    package private(set) var scale: Float = 1

    /// A person in one frame.
    package struct Actor: Sendable {
        package var face: DrawnFace
        package var placement: DrawnFacePlacement
    }

    /// The noise that the simulated camera adds to the scene.
    package struct Camera: Sendable {
        /// Standard deviation of the sensor noise, in grey values.
        package var noise: Float = 2
        /// Exposure, as a factor.
        package var brightness: Float = 1
        /// Motion blur: the displacement while the shutter is open, in pixels.
        package var blur = Point.zero
        /// Position and size of a hand in front of the camera, in pixels.
        package var hand: (center: Point, size: Float)?
        /// Linear red, green and blue.
        package var handColor = SIMD3<Float>(0.60, 0.38, 0.28)
        /// Whether this frame is empty.
        package var isEmpty = false
    }

    /// The people at a time in seconds, farthest away first.
    private let actors: @Sendable (Float) -> [Actor]
    private let camera: @Sendable (Float) -> Camera

    package init(
        _ name: String, frames: Int, framesPerSecond: Double = Self.framesPerSecond,
        size: (width: Int, height: Int) = (Self.width, Self.height),
        camera: @escaping @Sendable (Float) -> Camera = { _ in Camera() },
        actors: @escaping @Sendable (Float) -> [Actor]
    ) {
        self.name = name
        frameCount = frames
        self.framesPerSecond = framesPerSecond
        self.size = size
        self.actors = actors
        self.camera = camera
    }

    package func seconds(_ index: Int) -> Double { Double(index) / framesPerSecond }

    /// The same sequence with more or fewer pixels.
    package func scaled(by factor: Float) -> DrawnSequence {
        var result = self
        result.scale *= factor
        result.size = (Int(factor * Float(size.width)), Int(factor * Float(size.height)))
        return result
    }

    package func actors(_ index: Int) -> [Actor] {
        let time = Float(seconds(index))
        guard !camera(time).isEmpty else { return [] }
        return actors(time).map { actor in
            var actor = actor
            actor.placement.center *= scale
            actor.placement.faceWidth *= scale
            return actor
        }
    }

    /// Whether a pixel shows the hand in front of the camera.
    package func showsHand(_ index: Int) -> (_ x: Int, _ y: Int) -> Bool {
        guard let hand = hand(index) else { return { _, _ in false } }
        return { x, y in hand.covers(x, y) }
    }

    private func hand(_ index: Int) -> DrawnHand? {
        let camera = camera(Float(seconds(index)))
        return camera.hand.map { DrawnHand(center: scale * $0.center, size: scale * $0.size, color: camera.handColor) }
    }

    /// The landmarks of all people in the order of `actors`, visible or not.
    package func landmarks(_ index: Int, reference: ReferenceFace) -> [Landmarks] {
        actors(index).map { FaceDrawing($0.face, placement: $0.placement, reference: reference).landmarks }
    }

    package func picture(_ index: Int, reference: ReferenceFace) throws(OutOfMemory) -> PixelBuffer {
        var picture = try PixelBuffer(width: size.width, height: size.height, format: .rgba8)
        drawRoom(into: &picture)
        for actor in actors(index) {
            FaceDrawing(actor.face, placement: actor.placement, reference: reference).draw(into: &picture, samples: 1)
        }
        let camera = camera(Float(seconds(index)))
        hand(index)?.draw(into: &picture)
        if camera.blur.length > 0.5 { picture = try blurred(picture, along: scale * camera.blur) }
        expose(&picture, camera, frame: UInt64(index))
        return picture
    }

    // MARK: The room and the camera

    /// The room's pixels, row by row: the same in every frame, so drawn once for each size.
    private static let rooms = Mutex<[[Int]: [SIMD4<UInt8>]]>([:])

    private static func room(width: Int, height: Int) -> [SIMD4<UInt8>] {
        rooms.withLock { rooms in
            if let known = rooms[[width, height]] { return known }
            let room = (0..<width * height).map { index in
                color(atRoom: Float(index % width) / Float(width), Float(index / width) / Float(width))
            }
            rooms[[width, height]] = room
            return room
        }
    }

    /// - Parameters:
    ///   - u: across, in widths of the picture.
    ///   - v: down, in the same unit.
    private static func color(atRoom u: Float, _ v: Float) -> SIMD4<UInt8> {
        let wall = 0.30 + 0.10 * u + 0.05 * noise(SIMD3(u * 6, v * 6, 9))
        // A shelf and a picture on the wall: details to hold on to, and nothing like a face.
        let isShelf = abs(v - 0.16) < 0.012
        let isFrame = abs(u - 0.87) < 0.08 && abs(v - 0.38) < 0.09
        if isShelf { return FaceDrawing.encoded(SIMD3(0.16, 0.10, 0.06)) }
        return FaceDrawing.encoded(isFrame ? SIMD3(0.45, 0.22 + 0.3 * v, 0.20) : wall * SIMD3(0.95, 1, 1.05))
    }

    private func drawRoom(into picture: inout PixelBuffer) {
        let room = Self.room(width: picture.width, height: picture.height)
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in for x in row.indices { row[x] = room[y * row.count + x] } }
        }
    }

    /// The mean along a displacement in pixels.
    private func blurred(_ picture: borrowing PixelBuffer, along displacement: Point) throws(OutOfMemory) -> PixelBuffer
    {
        var result = try PixelBuffer(width: picture.width, height: picture.height, format: .rgba8)
        let steps = max(2, Int(displacement.length.rounded(.up)))
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var sum = SIMD4<UInt32>.zero
                for step in 0..<steps {
                    let place = (Float(step) + 0.5) / Float(steps) - 0.5
                    let column = min(max(x + Int((place * displacement.x).rounded()), 0), picture.width - 1)
                    let row = min(max(y + Int((place * displacement.y).rounded()), 0), picture.height - 1)
                    picture.withRow(row) { sum &+= SIMD4(truncatingIfNeeded: $0[column]) }
                }
                let mean = SIMD4<UInt8>(truncatingIfNeeded: sum / UInt32(steps))
                result.withMutableRow(y) { $0[x] = mean }
            }
        }
        return result
    }

    private func expose(_ picture: inout PixelBuffer, _ camera: Camera, frame: UInt64) {
        var random = SplitMix(state: frame &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    var color = SIMD4<Float>(row[x]) * camera.brightness
                    // The sum of three uniform distributions approximates a normal one.
                    for component in 0..<3 {
                        let sum = random.unit() + random.unit() + random.unit() - 1.5
                        color[component] += 2 * camera.noise * sum
                    }
                    color.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                    color.w = 255
                    row[x] = SIMD4<UInt8>(truncating: color.rounded(.toNearestOrEven))
                }
            }
        }
    }
}

/// A reproducible random generator (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
private struct SplitMix {
    var state: UInt64

    mutating func unit() -> Float {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Float((z ^ (z >> 31)) >> 40) / Float(1 << 24)
    }
}

/// A hand in front of the camera, fingers up.
private struct DrawnHand {
    let center: Point
    let size: Float
    /// Linear red, green and blue.
    let color: SIMD3<Float>

    func covers(_ x: Int, _ y: Int) -> Bool { thickness(at: place(x, y)) > 0 }

    private func place(_ x: Int, _ y: Int) -> Point { (Point(Float(x) + 0.5, Float(y) + 0.5) - center) / size }

    func draw(into picture: inout PixelBuffer) {
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let depth = thickness(at: place(x, y))
                    guard depth > 0 else { continue }
                    row[x] = FaceDrawing.encoded(color * (0.55 + 0.45 * min(1, 4 * depth)))
                }
            }
        }
    }

    /// Above 0 inside the hand: a palm, four fingers and a thumb, each a thick line with round ends.
    private func thickness(at p: Point) -> Float {
        let parts: [(Point, Point, Float)] = [
            (Point(0, 0.15), Point(0, 0.3), 0.30), (Point(-0.20, 0), Point(-0.25, -0.55), 0.075),
            (Point(-0.07, -0.05), Point(-0.08, -0.70), 0.08), (Point(0.07, -0.05), Point(0.09, -0.68), 0.08),
            (Point(0.20, 0), Point(0.26, -0.52), 0.07), (Point(-0.25, 0.25), Point(-0.52, -0.08), 0.08),
            (Point(0, 0.4), Point(0.05, 2), 0.2),
        ]
        return parts.map { from, to, radius in
            let along = to - from
            let fraction = max(0, min(1, ((p - from) * along).sum() / (along * along).sum()))
            return radius - (p - from - fraction * along).length
        }.max() ?? 0
    }
}
