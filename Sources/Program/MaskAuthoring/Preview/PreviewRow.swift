import FaceGeometry
import FrameProcessing
import Pixels
import Sound
import SyntheticFaces

/// One row of a preview before the mask is drawn: people side by side in one picture, so that masks can trade faces.
final class PreviewRow {
    let picture: PixelBuffer
    let instances: [FaceInstance]
    var width: Int { picture.width }
    var height: Int { picture.height }

    /// - Parameters:
    ///   - sounds: the sound signals for each face.
    ///   - faceWidth: in pixels, where only the face is shown; the heads of others are smaller.
    init(
        _ faces: [DrawnFace], sounds: [SoundSignals], faceWidth: Float, framing: PreviewFraming,
        quality: SyntheticPortrait.Quality,
        reference: ReferenceFace
    ) throws {
        let cell = (width: Int(2 * faceWidth), height: Int(2.4 * faceWidth))
        var picture = try PixelBuffer(width: faces.count * cell.width, height: cell.height, format: .rgba8)
        // Most of the room that is gained is above the face.
        let center = Point(faceWidth, (framing == .face ? 1.05 : 1.35) * faceWidth)
        var instances: [FaceInstance] = []
        for (column, (face, sound)) in zip(faces, sounds).enumerated() {
            let person = try SyntheticPortrait(
                face, width: cell.width, height: cell.height,
                placement: DrawnFacePlacement(center: center, faceWidth: faceWidth * framing.faceScale),
                quality: quality, reference: reference)
            picture.paste(person.pixels, x: column * cell.width, y: 0)
            var instance = person.instance(trackID: column + 1, origin: Point(Float(column * cell.width), 0))
            // Each has blinked once more than the one before: masks may change with the count.
            instance.blinks = column
            instance.signals.hear(sound)
            instances.append(instance)
        }
        self.picture = picture
        self.instances = instances
    }
}
