import FaceGeometry
import FrameSources
import Glibc
import Pixels
import Synchronization
import SyntheticFaces
import Threads

/// A test pattern: a synthetic face that moves, blinks and talks. It needs neither a camera nor a clip.
package final class DrawnSource: FrameSource {
    static let width = 640
    static let height = 480
    static let frameRate = 30.0

    /// The face with each expression, drawn once. Frames move the picture.
    private let pictures = Pictures()
    private let drawing: DedicatedThread.Handle
    private var pacemaker: Pacemaker?
    private let stop: StopSignal
    private let frames: Int?
    private var count = 0
    /// In frames since the start. Where frames are taken too slowly, some are left out, as a camera does.
    private var time = 0

    private enum Key: CaseIterable { case rest, halfClosed, closed, halfOpen, open }

    /// The pictures drawn so far.
    private final class Pictures: Sendable {
        private let all = Mutex<[Key: [SIMD4<UInt8>]]>([:])

        func add(_ pixels: [SIMD4<UInt8>], for key: Key) { all.withLock { $0[key] = pixels } }

        /// The picture of an expression, or of the face at rest until that is drawn.
        subscript(key: Key) -> [SIMD4<UInt8>] { all.withLock { $0[key] ?? $0[.rest] ?? [] } }
    }

    deinit { drawing.join() }

    init(reference: ReferenceFace, frames: Int?, isPaced: Bool, stop: StopSignal) throws {
        pictures.add(try Self.draw(.rest, reference: reference), for: .rest)
        // The other expressions are drawn while the first is shown.
        drawing = try DedicatedThread.start { [pictures] in
            for key in Key.allCases where key != .rest && !stop.isStopped {
                if let pixels = try? Self.draw(key, reference: reference) { pictures.add(pixels, for: key) }
            }
        }
        pacemaker = isPaced ? Pacemaker(stop) : nil
        self.stop = stop
        self.frames = frames
    }

    /// - Parameters:
    ///   - frames: how many; nil: no end.
    ///   - isPaced: whether frames come at 30 per second. Otherwise they come as fast as they are taken.
    package static func description(reference: ReferenceFace, frames: Int?, isPaced: Bool) -> FrameSourceDescription {
        FrameSourceDescription(name: "drawn face", isLive: isPaced, frameRate: frameRate) { stop in
            try DrawnSource(reference: reference, frames: frames, isPaced: isPaced, stop: stop)
        }
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        if stop.isStopped || count == frames { return .ended }
        var frame = try PixelBuffer.reusing(spare, width: Self.width, height: Self.height, format: .rgba8)
        let late = pacemaker?.lateness(of: Double(time) / Self.frameRate) ?? 0
        time += Int(late * Self.frameRate)
        let seconds = Double(time) / Self.frameRate
        paint(&frame, at: Float(seconds))
        count += 1
        time += 1
        pacemaker?.wait(for: seconds)
        return .frame(SourceFrame(frame, seconds: seconds))
    }

    private static func draw(_ key: Key, reference: ReferenceFace) throws -> [SIMD4<UInt8>] {
        guard var face = Sample.all.first?.face else { return [] }
        face.pose = Pose(yaw: 0, pitch: 0, roll: 0)
        switch key {
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
        let placement = DrawnFacePlacement(center: Point(320, 200), faceWidth: 190)
        FaceDrawing(face, placement: placement, reference: reference).draw(into: &picture, samples: 1)
        var pixels: [SIMD4<UInt8>] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height { picture.withRow(y) { row in for x in row.indices { pixels.append(row[x]) } } }
        return pixels
    }

    private func key(at time: Float) -> Key {
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
        pictures[key(at: time)].withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                frame.withMutableRow(y) { row in
                    for x in row.indices {
                        let offset = Point(Float(x) + 0.5, Float(y) + 0.5) - middle - shift
                        let place = middle + Point(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
                        let u = max(0, min(Float(width) - 1.01, place.x - 0.5))
                        let v = max(0, min(Float(height) - 1.01, place.y - 0.5))
                        let (column, line) = (Int(u), Int(v))
                        let (across, down) = (u - Float(column), v - Float(line))
                        let index = line * width + column
                        let upper =
                            SIMD4<Float>(pixels[index]) * (1 - across) + SIMD4<Float>(pixels[index + 1]) * across
                        let lower =
                            SIMD4<Float>(pixels[index + width]) * (1 - across)
                            + SIMD4<Float>(pixels[index + width + 1]) * across
                        row[x] = SIMD4<UInt8>(
                            truncating: (upper * (1 - down) + lower * down).rounded(.toNearestOrEven))
                    }
                }
            }
        }
    }
}
