import FaceGeometry
import FaceTracking
import ImageFiles
import Pixels
import Threads

/// The faces of a photograph, found on a thread of its own.
final class PhotographModel: EditModelSource {
    private let pictures = Mailbox<EditPicture>()
    private let failure = Mailbox<String>()
    private(set) var trouble: String?
    private let thread: DedicatedThread.Handle?
    /// Larger photographs are halved until they fit, in pixels.
    private static let largestSide = 2048

    init(_ path: String, models: FaceModels, reference: ReferenceFace) {
        thread = DedicatedThread.startOrRun { [pictures, failure] in
            do {
                var pixels = try PictureReader.read(path).pixels.withEightBits()
                while max(pixels.width, pixels.height) > Self.largestSide { pixels = try pixels.halved() }
                let finder = try PhotographFaces(reference: reference, models: models)
                let faces = try finder.faces(in: pixels).faces
                if faces.isEmpty { _ = failure.replace("\(path): no face was found in it") }
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

    func stop() { thread?.join() }
}
