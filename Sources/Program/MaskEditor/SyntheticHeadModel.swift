import FaceGeometry
import Pixels
import SyntheticFaces
import Threads

/// Draws the synthetic head on its own thread, because that takes longer than a frame.
final class SyntheticHeadModel: EditModelSource {
    /// If settings change while a picture is drawn, only the last ones are drawn next.
    var settings: HeadSettings { didSet { if settings != oldValue { request() } } }
    let trouble: String?
    private let requests = Mailbox<HeadSettings>()
    private let pictures = Mailbox<EditPicture>()
    private let thread: DedicatedThread.Handle?

    init(_ settings: HeadSettings, reference: ReferenceFace) {
        self.settings = settings
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
        // There is room around the head for hats and horns. Several heads are smaller, and nearer to each other.
        let people = settings.people
        let scale: Float = people.count > 1 ? 0.6 : 1
        let (width, height) = (people.count > 1 ? 432 : 900, Int(1020 * scale))
        var pixels = try PixelBuffer(width: people.count * width, height: height, format: .rgba8)
        var instances: [FaceInstance] = []
        for (column, index) in people.enumerated() {
            let person = try SyntheticPortrait(
                settings.face(of: index), width: width, height: height,
                placement: DrawnFacePlacement(center: Point(Float(width) / 2, 490 * scale), faceWidth: 260 * scale),
                quality: isFine ? .adaptive : .coarse(3), reference: reference)
            pixels.paste(person.pixels, x: column * width, y: 0)
            var instance = person.instance(trackID: column + 1, origin: Point(Float(column * width), 0))
            settings.apply(to: &instance)
            instances.append(instance)
        }
        if let color = settings.light.color { pixels.multiply(by: color) }
        return EditPicture(pixels: pixels, instances: instances, seconds: nil)
    }
}

extension PixelBuffer {
    /// - Parameter color: 0…255 for each component.
    fileprivate mutating func multiply(by color: SIMD3<UInt16>) {
        let factor = SIMD4(color, 255)
        for y in 0..<height {
            withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<UInt16>(truncatingIfNeeded: row[x]) &* factor / 255)
                }
            }
        }
    }
}
