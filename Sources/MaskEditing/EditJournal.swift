import FaceGeometry
import Files
import Glibc
import JSON

/// What has not been saved, in a file beside the package, so that it survives whatever happens to the program.
package struct EditJournal: Sendable {
    /// The file: the folder's name with ".journal" after it.
    package let path: String

    /// What a journal holds.
    package struct Content: Sendable {
        package let document: MaskDocument
        /// When it was written, in seconds since 1970.
        package let seconds: Int
    }

    private static let maximumSize = 16 << 20

    package init(folder: String) { path = folder + ".journal" }

    /// Writes the whole document anew: on failure what was there stays.
    package func write(_ document: MaskDocument) throws(FileError) {
        let points = document.points.sorted { $0.key < $1.key }.map { name, points in
            JSONValue.Member(name, .array(points.map { .array([.real($0.x), .real($0.y)]) }))
        }
        let content = JSONValue.object([
            "journal": .integer(1), "manifest": document.manifest, "points": .object(points),
        ])
        try AtomicFile.write(content.text() + "\n", to: path, replacing: true)
    }

    /// - Returns: nil when there is none.
    /// - Throws: `FileError` when there is one that cannot be read.
    package func read() throws(FileError) -> Content? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let bytes = try FileContents.read(path, limit: Self.maximumSize)
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw FileError(.damaged, path: path, "is no journal of unsaved changes: \(error)")
        }
        guard value["journal"] == .number(1), let manifest = value["manifest"],
            case .object(let files)? = value["points"]
        else { throw FileError(.damaged, path: path, "is no journal of unsaved changes") }
        var document = MaskDocument(manifest: manifest)
        for file in files {
            let points = file.value.elements.compactMap { pair -> Point? in
                guard pair.elements.count == 2, let x = pair.elements[0].number, let y = pair.elements[1].number else {
                    return nil
                }
                return Point(Float(x), Float(y))
            }
            guard points.count == file.value.elements.count else {
                throw FileError(.damaged, path: path, "has a point that is no two numbers")
            }
            document.points[file.key] = points
        }
        return Content(document: document, seconds: status.st_mtim.tv_sec)
    }

    package func remove() { unlink(path) }
}
