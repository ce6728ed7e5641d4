import FaceGeometry
import Files
import Glibc
import ImageFiles

/// The pictures of a folder, with the landmarks in the `.pts` files of the same names (iBUG's format, one face each).
package struct AnnotatedPictures {
    package struct Entry {
        package var path: FilePath
        /// The name without the folder.
        package var name: String
        /// In picture pixels; nil without a `.pts` file.
        package var landmarks: Landmarks?
    }

    package var entries: [Entry]

    /// - Throws: `FileError` if the folder or a file cannot be read, `EvaluationError` if it holds no picture or a `.pts`
    ///   file is not valid.
    package init(folder: String) throws {
        let names = try Folder.list(folder)
        entries = []
        for name in names where !name.isHidden && PictureFormat(path: name) != nil {
            let path = FilePath(folder) / name
            let annotation = path.withoutExtension + ".pts"
            let landmarks = annotation.exists ? try Self.landmarks(annotation) : nil
            entries.append(Entry(path: path, name: name.description, landmarks: landmarks))
        }
        guard !entries.isEmpty else { throw EvaluationError(.noInput, "\(folder): it contains no picture") }
    }

    private static func landmarks(_ path: FilePath) throws -> Landmarks {
        let points: [Point]
        let text = try FileContents.text(path)
        do {
            points = try PointsFile.parse(text)
        } catch {
            throw EvaluationError(.unusableInput, "\(path): \(error)")
        }
        guard let landmarks = Landmarks(Array(points.prefix(Landmarks.count))) else {
            throw EvaluationError(.unusableInput, "\(path): there must be \(Landmarks.count) points")
        }
        return landmarks
    }
}
