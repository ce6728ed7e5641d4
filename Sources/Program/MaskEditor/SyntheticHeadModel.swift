import FaceGeometry
import Pixels
import SyntheticFaces
import Threads

/// Draws the synthetic head on its own thread, because that takes longer than a frame.
final class SyntheticHeadModel: EditModelSource {
    /// If settings change while a picture is drawn, only the last ones are drawn next.
    var settings = HeadSettings() { didSet { if settings != oldValue { request() } } }
    let trouble: String?
    private let requests = Mailbox<HeadSettings>()
    private let pictures = Mailbox<EditPicture>()
    private let thread: DedicatedThread.Handle?

    init(reference: ReferenceFace) {
        let work: @Sendable () -> Void = { [requests, pictures] in
            // Coarse pictures follow the sliders; a fine one is drawn once they rest.
            var pending: HeadSettings?
            while !requests.isClosed {
                let request = requests.take(waiting: pending == nil ? nil : 0.12)
                guard let settings = request ?? pending,
                    let picture = try? Self.picture(settings, isFine: request == nil, reference: reference)
                else { continue }
                pending = request
                _ = pictures.replace(picture)
            }
        }
        do throws(NoThread) {
            (thread, trouble) = (try DedicatedThread.start(work), nil)
        } catch {
            (thread, trouble) = (nil, "\(error)")
        }
        request()
    }

    private func request() { _ = requests.replace(settings) }

    func next() -> EditPicture? { pictures.take(waiting: 0) }

    func stop() {
        requests.close()
        thread?.join()
    }

    private static func picture(
        _ settings: HeadSettings, isFine: Bool, reference: ReferenceFace
    ) throws -> EditPicture {
        let person = try SyntheticPortrait(
            settings.face, width: 480, height: 558,
            placement: DrawnFacePlacement(center: Point(240, 250), faceWidth: 260),
            quality: isFine ? .adaptive : .coarse(3), reference: reference)
        var instance = person.instance
        settings.apply(to: &instance)
        return EditPicture(pixels: try person.pixels.copy(), instances: [instance], seconds: nil)
    }
}
