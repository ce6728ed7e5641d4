import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles

/// The pictures of a folder, with the landmarks that lie beside them as `.pts` files (iBUG's format, one face each).
struct AnnotatedPictures {
    struct Entry {
        var path: String
        /// The name without the folder.
        var name: String
        var landmarks: Landmarks?
    }

    var entries: [Entry]

    /// - Throws: `CommandFailure` when the folder cannot be listed or holds no picture, or an annotation is broken.
    init(folder: String) throws {
        guard let names = Folder.entries(of: folder) else {
            throw CommandFailure(.noInput, "\(folder): cannot be listed: \(String(cString: strerror(errno)))")
        }
        entries = []
        for name in names where !name.hasPrefix(".") && PictureFormat(path: name) != nil {
            let path = folder + "/" + name
            let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
            let annotation = "\(folder)/\(stem).pts"
            var landmarks: Landmarks?
            if access(annotation, F_OK) == 0 {
                let text = String(decoding: try FileContents.read(annotation, limit: 1 << 20), as: UTF8.self)
                do {
                    landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count)))
                } catch {
                    throw CommandFailure(.dataError, "\(annotation): \(error)")
                }
                guard landmarks != nil else {
                    throw CommandFailure(.dataError, "\(annotation): there must be \(Landmarks.count) points")
                }
            }
            entries.append(Entry(path: path, name: name, landmarks: landmarks))
        }
        guard !entries.isEmpty else { throw CommandFailure(.noInput, "\(folder): there is no picture in it") }
    }
}
