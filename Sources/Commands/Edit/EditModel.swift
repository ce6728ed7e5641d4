import FaceGeometry
import FaceTracking
import ImageFiles
import Masking
import Media
import Pixels
import SyntheticFaces
import Threads

/// Who wears the mask that is edited.
enum EditModel: Equatable, Sendable {
    case drawn
    case photograph(String)
    /// A camera or a clip.
    case moving(SourceOptions.Input)

    var name: String {
        switch self {
        case .drawn: "drawn head"
        case .photograph(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .moving(let input): input.name
        }
    }
}

/// Gives pictures of who wears the mask.
protocol EditModelSource: AnyObject {
    /// The next picture, if there is another one than before. Never waits.
    func next() throws -> EditPicture?
    /// What keeps pictures from coming.
    var trouble: String? { get }
    func stop()
}

/// A picture with bare faces.
struct EditPicture: ~Copyable, Sendable {
    var pixels: PixelBuffer
    var instances: [FaceInstance]
    /// For animations and for light; nil for a still.
    var seconds: Double?
}

// MARK: A drawn head

/// How the drawn head is to look.
struct HeadWish: Equatable, Sendable {
    var person = 0
    /// Degrees; positive: to the subject's left, up, clockwise.
    var yaw: Float = 0
    var pitch: Float = 0
    var roll: Float = 0
    /// 0: open … 1: closed.
    var rightEye: Float = 0
    var leftEye: Float = 0
    var mouth: Float = 0
    var smile: Float = 0
    var brows: Float = 0
    var blinks = 0
}

/// Draws a head on a thread of its own: it takes longer than a frame.
final class DrawnHead: EditModelSource {
    /// What it is to look like; of several wishes while one is drawn the last counts.
    var wish = HeadWish() { didSet { if wish != oldValue { ask() } } }
    let trouble: String? = nil
    private let wishes = Mailbox<HeadWish>()
    private let pictures = Mailbox<EditPicture>()
    private let thread: DedicatedThread.Handle
    private static let side = (width: 480, height: 558)

    init(reference: ReferenceFace) {
        thread = DedicatedThread.start { [wishes, pictures] in
            // As long as wishes come, small pictures keep up with them; the large one follows when they rest.
            var settled: HeadWish?
            while !wishes.isClosed {
                let wish = wishes.take(waiting: settled == nil ? nil : 0.12)
                guard let shown = wish ?? settled,
                    let picture = try? Self.draw(shown, isLarge: wish == nil, reference: reference)
                else { continue }
                settled = wish
                _ = pictures.replace(picture)
            }
        }
        ask()
    }

    private func ask() { _ = wishes.replace(wish) }

    func next() -> EditPicture? { pictures.take(waiting: 0) }

    func stop() {
        wishes.close()
        thread.join()
    }

    private static func draw(_ wish: HeadWish, isLarge: Bool, reference: ReferenceFace) throws -> EditPicture {
        var face = Sample.all[wish.person % Sample.all.count].face
        let radians = { (degrees: Float) in degrees * .pi / 180 }
        face.pose = Pose(yaw: radians(wish.yaw), pitch: radians(wish.pitch), roll: radians(wish.roll))
        face.expression = DrawnFace.Expression()
        face.expression.rightEyeOpenness = 1 - wish.rightEye
        face.expression.leftEyeOpenness = 1 - wish.leftEye
        face.expression.mouthOpening = wish.mouth
        face.expression.smile = wish.smile
        face.expression.browRaise = wish.brows
        let scale = isLarge ? 1 : 3
        var picture = try PixelBuffer(width: side.width / scale, height: side.height / scale, format: .rgba8)
        let wall = FaceDrawing.encoded(face.identity.backdrop)
        picture.fill(wall)
        let drawing = FaceDrawing(
            face,
            placement: DrawnFacePlacement(
                center: Point(240, 250) / Float(scale), faceWidth: 260 / Float(scale)), reference: reference)
        if isLarge { try drawing.drawQuickly(into: &picture) } else { drawing.draw(into: &picture, samples: 1) }
        if !isLarge { picture = try picture.enlarged(by: scale) }
        let landmarks = drawing.landmarks.mapped { Float(scale) * $0 }
        var instance = FaceInstance(
            face: Face(landmarks: landmarks, reference: reference), trackID: 1)
        // What is wished for is known better than landmarks tell.
        instance.blinks = wish.blinks
        instance.signals[.mouthOpening] = wish.mouth
        instance.signals[.smile] = max(0, wish.smile)
        instance.signals[.browRaise] = wish.brows
        instance.signals[.rightEyeClosing] = wish.rightEye
        instance.signals[.leftEyeClosing] = wish.leftEye
        instance.states = []
        if wish.rightEye > 0.6 { instance.states.insert(.rightEyeClosed) }
        if wish.leftEye > 0.6 { instance.states.insert(.leftEyeClosed) }
        if wish.mouth > 0.25 { instance.states.insert(.mouthOpen) }
        if wish.smile > 0.5 { instance.states.insert(.smiling) }
        if wish.brows > 0.5 { instance.states.insert(.browsRaised) }
        if wish.yaw > 20 { instance.states.insert(.turnedLeft) }
        if wish.yaw < -20 { instance.states.insert(.turnedRight) }
        return EditPicture(pixels: picture, instances: [instance], seconds: nil)
    }
}

// MARK: A photograph

/// The faces of a photograph, found on a thread of its own.
final class PhotographModel: EditModelSource {
    private let pictures = Mailbox<EditPicture>()
    private let failure = Mailbox<String>()
    private(set) var trouble: String?
    private let thread: DedicatedThread.Handle

    init(_ path: String, model: String, reference: ReferenceFace) {
        thread = DedicatedThread.start { [pictures, failure] in
            do {
                var pixels = try PictureReader.read(path).pixels.withEightBits()
                while max(pixels.width, pixels.height) > 2048 { pixels = try pixels.halved() }
                let finder = try PhotographFaces(reference: reference) { try LandmarkCascade(modelPath: model) }
                let faces = try finder.faces(in: pixels).faces
                if faces.isEmpty { _ = failure.replace("\(path): no face is found in it") }
                let instances = faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
                _ = pictures.replace(EditPicture(pixels: pixels, instances: instances, seconds: nil))
            } catch {
                _ = failure.replace("\(error)")
            }
        }
    }

    func next() -> EditPicture? {
        if let reason = failure.take(waiting: 0) { trouble = reason }
        return pictures.take(waiting: 0)
    }

    func stop() { thread.join() }
}

// MARK: A camera or a clip

/// Whoever is before a camera or in a clip, followed as in `bauta live`.
final class MovingModel: EditModelSource {
    private let pipeline: FramePipeline

    init(
        _ options: SourceOptions, model: String, reference: ReferenceFace, log: @escaping @Sendable (String) -> Void
    ) throws {
        let cascade = try LandmarkCascade(modelPath: model)
        pipeline = FramePipeline(try options.description(reference: reference, report: log)) {
            LiveAnalyzer(try FaceTracker(model: cascade, reference: reference))
        }
    }

    var trouble: String? {
        let status = pipeline.status
        return status.waiting ?? status.failure.map { "\($0)" }
    }

    func next() -> EditPicture? {
        guard let frame = pipeline.next(waiting: 0) else { return nil }
        let (seconds, instances) = (frame.seconds, frame.faces)
        return EditPicture(pixels: frame.reusedPixels(), instances: instances, seconds: seconds)
    }

    func stop() { pipeline.stop() }
}
