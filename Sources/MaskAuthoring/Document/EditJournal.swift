import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON

/// A file beside the package that holds unsaved changes, so that they survive a crash. It exists only while something is
/// unsaved.
package struct EditJournal: Sendable {
    /// The journal's file: the package's folder with ".journal" appended.
    package let path: FilePath

    package struct Content: Sendable {
        package let document: MaskDocument
        /// When the journal was written, in seconds since 1970.
        package let seconds: Int
    }

    private static let maximumSize = 16 << 20

    package init(folder: FilePath) { path = folder + ".journal" }

    /// Writes the whole document. If that fails, the previous journal stays.
    package func write(_ document: MaskDocument) throws(FileError) {
        let points = document.points.sorted { $0.key < $1.key }.map { name, points in
            JSONValue.Member(name.description, .array(points.map { .array([.real($0.x), .real($0.y)]) }))
        }
        let content = JSONValue.object([
            "journal": .integer(1), "manifest": document.manifest, "points": .object(points),
        ])
        try AtomicFile.write(content.text() + "\n", to: path, replacing: true)
    }

    /// - Returns: nil if there is no journal.
    /// - Throws: `FileError` if there is one that cannot be read.
    package func read() throws(FileError) -> Content? {
        guard let status = path.status() else { return nil }
        let bytes = try FileContents.read(path, limit: Self.maximumSize)
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw FileError(.damaged, path: path, "is not a journal of unsaved changes: \(error)")
        }
        guard value["journal"] == .number(1), let manifest = value["manifest"],
            case .object(let files)? = value["points"]
        else { throw FileError(.damaged, path: path, "is not a journal of unsaved changes") }
        var document = MaskDocument(manifest: manifest)
        for file in files {
            let points = file.value.elements.compactMap(Self.point)
            guard points.count == file.value.elements.count else {
                throw FileError(.damaged, path: path, "has a point that is not a pair of numbers")
            }
            let name = FilePath(file.key)
            // Points are saved under this name.
            guard name.staysBeneath else { throw FileError(.damaged, path: path, "names a file outside of the mask") }
            document.points[name] = points
        }
        return Content(document: document, seconds: status.st_mtim.tv_sec)
    }

    private static func point(_ pair: JSONValue) -> Point? {
        guard pair.elements.count == 2, let x = pair.elements[0].number, let y = pair.elements[1].number else {
            return nil
        }
        return Point(Float(x), Float(y))
    }

    package func remove() { _ = path.withCString { unlink($0) } }
}
