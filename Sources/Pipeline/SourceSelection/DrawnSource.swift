import FaceGeometry
import FrameSources
import Glibc
import Pixels
import Synchronization
import SyntheticFaces
import Threads

/// A test pattern: a synthetic face that moves, blinks and talks. It needs neither a camera nor a clip.
package final class DrawnSource: FrameSource {
    package static let width = 640
    package static let height = 480

    /// The face with each expression, drawn once. Frames move the picture.
    private let pictures = Pictures()
    private let drawing: DedicatedThread.Handle
    private var pacemaker: Pacemaker?
    private let stop: StopSignal
    private let frames: Int?
    private let frameRate: Double
    private var count = 0
    /// In frames since the start. Where frames are taken too slowly, some are left out, as a camera does.
    private var time = 0

    package enum Expression: CaseIterable, Sendable {
        case rest, halfClosed, closed, halfOpen, open

        /// The rows that differ from those of the face at rest by more than one grey value.
        fileprivate var rows: Range<Int> {
            switch self {
            case .rest: 0..<0
            case .halfClosed, .closed: 198..<282
            case .halfOpen, .open: 257..<380
            }
        }
    }

    /// The pictures drawn so far.
    private final class Pictures: Sendable {
        private let all = Mutex<[Expression: [SIMD4<UInt8>]]>([:])

        func add(_ pixels: [SIMD4<UInt8>], for expression: Expression) { all.withLock { $0[expression] = pixels } }

        /// The picture of an expression, or of the face at rest until that is drawn.
        subscript(expression: Expression) -> [SIMD4<UInt8>] { all.withLock { $0[expression] ?? $0[.rest] ?? [] } }
    }

    deinit { drawing.join() }

    init(
        person: Int, reference: ReferenceFace, frames: Int?, frameRate: Double = 30, isPaced: Bool, stop: StopSignal
    ) throws {
        let rest = try Self.draw(.rest, of: person, reference: reference)
        pictures.add(rest, for: .rest)
        // The other expressions are drawn while the first is shown.
        drawing = try DedicatedThread.start { [pictures] in
            for expression in Expression.allCases where expression != .rest && !stop.isStopped {
                // The rows that differ are known of the first one.
                if let pixels = try? Self.draw(
                    expression, of: person, over: person == 0 ? rest : nil, reference: reference)
                {
                    pictures.add(pixels, for: expression)
                }
            }
        }
        pacemaker = isPaced ? Pacemaker(stop) : nil
        self.stop = stop
        self.frames = frames
        self.frameRate = frameRate
    }

    /// - Parameters:
    ///   - person: the index of the face in `Sample.all`.
    ///   - frames: how many; nil: no end.
    ///   - frameRate: of the moving face, in frames per second.
    ///   - isPaced: whether frames come at that rate. Otherwise they come as fast as they are taken.
    package static func description(
        person: Int = 0, reference: ReferenceFace, frames: Int?, frameRate: Double = 30, isPaced: Bool
    ) -> FrameSourceDescription {
        FrameSourceDescription(name: "drawn face", isLive: isPaced, frameRate: frameRate) { stop in
            try DrawnSource(
                person: person, reference: reference, frames: frames, frameRate: frameRate, isPaced: isPaced, stop: stop
            )
        }
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        if stop.isStopped || count == frames { return .ended }
        var frame = try PixelBuffer.reusing(spare, width: Self.width, height: Self.height, format: .rgba8)
        let late = pacemaker?.lateness(of: Double(time) / frameRate) ?? 0
        time += Int(late * frameRate)
        let seconds = Double(time) / frameRate
        paint(&frame, at: Float(seconds))
        count += 1
        time += 1
        pacemaker?.wait(for: seconds)
        return .frame(SourceFrame(frame, seconds: seconds))
    }

    /// - Parameters:
    ///   - person: the index of the face in `Sample.all`.
    ///   - rest: the first face at rest: what does not differ from it is taken from there. Nil: all is drawn.
    package static func draw(
        _ expression: Expression, of person: Int = 0, over rest: [SIMD4<UInt8>]? = nil, reference: ReferenceFace
    ) throws -> [SIMD4<UInt8>] {
        let rows = rest == nil ? 0..<height : expression.rows
        guard Sample.all.indices.contains(person) else { return [] }
        var face = Sample.all[person].face
        face.pose = Pose(yaw: 0, pitch: 0, roll: 0)
        switch expression {
        case .rest: break
        case .halfClosed: (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0.5, 0.5)
        case .closed: (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0, 0)
        case .halfOpen: face.expression.mouthOpening = 0.3
        case .open: face.expression.mouthOpening = 0.6
        }
        var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
        let backdrop = face.identity.backdrop
        for y in 0..<height {
            picture.withMutableRow(y) { row in
                for x in row.indices {
                    let glow = 0.7 + 0.3 * Float(x) / Float(width) - 0.2 * Float(y) / Float(height)
                    row[x] = FaceDrawing.encoded(backdrop * glow)
                }
            }
        }
        // There is room above it for hats.
        let placement = DrawnFacePlacement(center: Point(320, 240), faceWidth: 150)
        FaceDrawing(face, placement: placement, reference: reference).draw(into: &picture, samples: 1, rows: rows)
        var pixels: [SIMD4<UInt8>] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            if let rest, !rows.contains(y) {
                pixels += rest[y * width..<(y + 1) * width]
            } else {
                picture.withRow(y) { row in for x in row.indices { pixels.append(row[x]) } }
            }
        }
        return pixels
    }

    private func expression(at time: Float) -> Expression {
        let blink = time.truncatingRemainder(dividingBy: 3.1)
        if blink > 2.8 { return blink < 2.84 || blink > 2.98 ? .halfClosed : .closed }
        let word = time.truncatingRemainder(dividingBy: 5)
        guard word > 3 else { return .rest }
        let mouth = sin(word * 13)
        return mouth > 0.6 ? .open : mouth > 0 ? .halfOpen : .rest
    }

    /// The face sways and comes nearer: the picture is rotated, shifted and scaled about its middle.
    private func paint(_ frame: inout PixelBuffer, at time: Float) {
        let (angle, scale) = (0.12 * sin(time * 1.1), 1 / (1.12 + 0.08 * sin(time * 0.7)))
        let (c, s) = (scale * cos(angle), scale * sin(angle))
        let shift = Point(14 * sin(time * 0.9), 8 * sin(time * 1.7))
        let middle = Point(Float(Self.width) / 2, Float(Self.height) / 2)
        let (width, height) = (Self.width, Self.height)
        // Places in the picture are in 65,536ths of a pixel, weights in 256ths.
        func fixed(_ value: Float) -> Int { Int((value * 65_536).rounded()) }
        let step = (x: fixed(c), y: fixed(s))
        let last = (x: (width - 1) << 16 - 1, y: (height - 1) << 16 - 1)
        pictures[expression(at: time)].withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                let offset = Point(0.5, Float(y) + 0.5) - middle - shift
                let start = middle + Point(c * offset.x - s * offset.y, s * offset.x + c * offset.y) - 0.5
                var place = (x: fixed(start.x), y: fixed(start.y))
                frame.withMutableRow(y) { row in
                    for x in row.indices {
                        let (u, v) = (max(0, min(last.x, place.x)), max(0, min(last.y, place.y)))
                        let index = (v >> 16) * width + (u >> 16)
                        let (across, down) = (UInt32(u >> 8 & 255), UInt32(v >> 8 & 255))
                        func color(_ index: Int) -> SIMD4<UInt32> { SIMD4(truncatingIfNeeded: pixels[index]) }
                        let upper = color(index) &* (256 &- across) &+ color(index + 1) &* across
                        let lower = color(index + width) &* (256 &- across) &+ color(index + width + 1) &* across
                        let mixed = (upper &* (256 &- down) &+ lower &* down &+ 32_768) &>> 16
                        row[x] = SIMD4<UInt8>(truncatingIfNeeded: mixed)
                        place.x &+= step.x
                        place.y &+= step.y
                    }
                }
            }
        }
    }
}
