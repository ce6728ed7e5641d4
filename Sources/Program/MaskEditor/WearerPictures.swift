import Cameras
import Display
import FaceGeometry
import Files
import ImageFiles
import Pixels
import SyntheticFaces
import Threads

/// Who can wear the mask.
enum Wearer: Equatable, Sendable {
    /// A drawn person, by the index in `Sample.all`.
    case person(Int)
    /// Never the synthetic head.
    case model(EditModel)

    /// For the user.
    var name: String {
        switch self {
        case .person(let index): wording(Sample.all[index % Sample.all.count].name)
        case .model(let model): model.name
        }
    }
}

/// Small pictures of wearers, made one after another on a thread of their own.
final class WearerPictures {
    private struct Result: ~Copyable, Sendable {
        let wearer: Wearer
        /// Nil: it has no picture that can be read here.
        let pixels: PixelBuffer?
        /// Whether it stands for the first camera, and no camera was found.
        let isMissing: Bool
    }

    private let reference: ReferenceFace
    private let results = Mailbox<Result>()
    private var known: [(wearer: Wearer, picture: PanelPicture)] = []
    private var making: Wearer?
    private let blank: PanelPicture
    private static let camera = Wearer.model(.camera(nil))
    /// Whether a camera was looked for and not found.
    private(set) var hasNoCamera = false
    /// Of each picture, in pixels.
    private static let side = 112

    init(reference: ReferenceFace) throws(OutOfMemory) {
        self.reference = reference
        var pixels = try PixelBuffer(width: 8, height: 8, format: .rgba8)
        pixels.fill(SIMD4(52, 54, 60, 255))
        blank = PanelPicture(pixels)
    }

    /// Whether a picture is being made.
    var isWaiting: Bool { making != nil }

    /// The pictures as far as they are made.
    func pictures(of wearers: [Wearer]) -> [PanelPicture] {
        if let result = results.take(waiting: 0) {
            making = nil
            hasNoCamera = hasNoCamera || result.isMissing
            if let pixels = result.pixels {
                known.append((result.wearer, PanelPicture(pixels, for: .photograph)))
            } else {
                known.append((result.wearer, blank))
            }
        }
        // Looking for cameras can take seconds.
        let unknown = wearers.filter { picture(of: $0) == nil }
        if making == nil, let next = unknown.first(where: { $0 != Self.camera }) ?? unknown.first {
            making = next
            _ = DedicatedThread.startOrRun { [results, reference] in
                let isMissing = next == Self.camera && Camera.all().isEmpty
                _ = results.replace(
                    Result(wearer: next, pixels: try? Self.draw(next, reference), isMissing: isMissing))
            }
        }
        return wearers.map { picture(of: $0) ?? blank }
    }

    /// Looks for a camera again: one may have been plugged in.
    func lookForCamera() {
        hasNoCamera = false
        known.removeAll { $0.wearer == Self.camera }
    }

    private func picture(of wearer: Wearer) -> PanelPicture? { known.first { $0.wearer == wearer }?.picture }

    private static func draw(_ wearer: Wearer, _ reference: ReferenceFace) throws -> PixelBuffer? {
        switch wearer {
        case .person(let index):
            let center = Point(Float(side) / 2, 0.48 * Float(side))
            return try SyntheticPortrait(
                Sample.all[index % Sample.all.count].face, width: side, height: side,
                placement: DrawnFacePlacement(center: center, faceWidth: 0.62 * Float(side)), quality: .adaptive,
                reference: reference
            ).pixels.copy()
        case .model(.photograph(let path)):
            var pixels = try PictureReader.read(path).pixels.withEightBits()
            while min(pixels.width, pixels.height) >= 2 * side { pixels = try pixels.halved() }
            let square = min(pixels.width, pixels.height)
            // Faces are rather in the upper half.
            return try pixels.copy(
                of: PixelRectangle(
                    x: (pixels.width - square) / 2, y: (pixels.height - square) / 4, width: square, height: square))
        case .model: return nil
        }
    }
}
