import FaceGeometry
import Occlusion
import Pixels
import SyntheticFaces
import TestSupport

/// Frames of a drawn sequence at half size, whose landmarks are known exactly. They are drawn once for all tests.
final class DrawnFrames: Sendable {
    struct Frame: Sendable {
        let number: Int
        let seconds: Double
        let instance: FaceInstance
        /// Row by row, for each pixel.
        let handPixels: [Bool]
    }

    /// Of the pictures, in pixels.
    static let width = 160
    /// A brown hand comes from below, stays in front of the chin for a second, and goes.
    static let handAtChin = Result { try DrawnFrames("handAtChin", 12..<84) }
    static let talking = Result { try DrawnFrames("talking", 0..<60) }
    /// The light is switched on.
    static let switched = Result { try DrawnFrames("switched", 0..<60) }

    let frames: [Frame]
    private let pictures: [Picture]

    private final class Picture: Sendable {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private init(_ name: String, _ range: Range<Int>) throws {
        let reference = try Repository.referenceFace()
        let all = DrawnSequence.hands + DrawnSequence.all
        guard let sequence = all.first(where: { $0.name == name })?.scaled(by: 0.5) else { throw Missing(name: name) }
        let size = sequence.size
        frames = try range.map { number in
            guard let actor = sequence.actors(number).first else { throw Missing(name: "\(name) \(number)") }
            let hand = sequence.showsHand(number)
            return Frame(
                number: number, seconds: sequence.seconds(number),
                instance: FaceDrawing(actor.face, placement: actor.placement, reference: reference).instance(),
                handPixels: (0..<size.width * size.height).map { hand($0 % size.width, $0 / size.width) })
        }
        pictures = try range.map { Picture(try sequence.picture($0, reference: reference)) }
    }

    private struct Missing: Error { let name: String }

    func forEach(_ body: (Frame, borrowing PixelBuffer) throws -> Void) rethrows {
        for (frame, picture) in zip(frames, pictures) { try body(frame, picture.pixels) }
    }
}
