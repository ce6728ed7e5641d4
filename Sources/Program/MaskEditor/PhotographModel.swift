import FaceGeometry
import FaceTracking
import ImageFiles
import Pixels
import Threads

/// The faces of a photograph, found on another thread.
final class PhotographModel: EditModelSource {
    private let pictures = Mailbox<EditPicture>()
    private let failure = Mailbox<String>()
    private(set) var trouble: String?
    private let work: BackgroundWork
    private let stopped = StopSignal()
    /// Larger photographs are halved until they fit, in pixels.
    private static let largestSide = 2048

    /// - Parameter work: finds them; whoever has it sees when that has ended.
    init(_ path: String, models: FaceModels, reference: ReferenceFace, work: BackgroundWork) {
        self.work = work
        work.add { [pictures, failure, stopped] in
            guard !stopped.isStopped else { return }
            do {
                var pixels = try PictureReader.read(path).pixels.withEightBits()
                while max(pixels.width, pixels.height) > Self.largestSide { pixels = try pixels.halved() }
                guard !stopped.isStopped else { return }
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
        work.handBack()
        if let reason = failure.take(waiting: 0) { trouble = reason }
        return pictures.take(waiting: 0)
    }

    /// Another one is worn: a search that has begun goes on, but nobody waits for it.
    func stop() { stopped.stop() }
}
