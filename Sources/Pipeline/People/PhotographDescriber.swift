import FaceGeometry
import FaceRecognition
import FaceTracking
import Files
import ImageFiles
import Installation
import Pixels

/// Finds and describes the faces in files of photographs. It belongs to one thread.
package final class PhotographDescriber {
    private let finder: PhotographFaces
    private let describer: FaceDescriber

    /// Loads the models.
    /// - Throws: `DataFolderError`, `FileError`, or `VisionError` with the path of a missing model.
    package init(_ models: FaceModels, _ requirements: FaceRequirements) throws {
        describer = FaceDescriber(try FaceEmbedder(models.networks), requirements)
        finder = try PhotographFaces(reference: DataFolder.find().referenceFace(), models: models)
    }

    /// The faces of a photograph, the largest first.
    /// - Throws: `PictureError`, `VisionError`, `OutOfMemory`.
    package func faces(in path: FilePath) throws -> [DescribedFace] {
        let picture = try PictureReader.read(path)
        if picture.pixels.format == .rgba8 { return try faces(in: picture.pixels) }
        return try faces(in: picture.pixels.withEightBits())
    }

    /// - Parameter picture: `rgba8`.
    package func faces(in picture: borrowing PixelBuffer) throws -> [DescribedFace] {
        let found = try finder.facesAtAnyRotation(in: picture).faces.sorted { $0.box.area > $1.box.area }
        var described: [DescribedFace] = []
        for face in found { described.append(try describer.describe(face, in: picture)) }
        return described
    }
}
