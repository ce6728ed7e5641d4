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
        /// Without mattes.
        package let document: MaskDocument
        /// The brush strokes, by file name.
        package let mattes: [FilePath: JournaledMatte]
        /// When the journal was written, in seconds since 1970.
        package let seconds: Int
    }

    private static let maximumSize = 256 << 20

    package init(folder: FilePath) { path = folder + ".journal" }

    /// Writes the whole document. If that fails, the previous journal stays.
    /// - Parameter mattes: what the brush has changed and is not saved, by file name.
    package func write(_ document: MaskDocument, _ mattes: [FilePath: JournaledMatte] = [:]) throws(FileError) {
        let points = document.points.sorted { $0.key < $1.key }.map { name, points in
            JSONValue.Member(name.description, .array(points.map { .array([.real($0.x), .real($0.y)]) }))
        }
        var content = JSONValue.object([
            "journal": .integer(1), "manifest": document.manifest, "points": .object(points),
        ])
        if !mattes.isEmpty {
            let pictures = mattes.sorted { $0.key < $1.key }
            let size = pictures.reduce(0) { $0 + $1.value.png.count }
            guard size < Self.maximumSize / 2 else {
                throw FileError(.tooLarge, path: path, "the brush strokes would take \(size >> 20) MiB")
            }
            content["mattes"] = .object(
                pictures.map { JSONValue.Member($0.description, Self.json($1)) })
        }
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
        return Content(document: document, mattes: try mattes(value["mattes"]), seconds: status.st_mtim.tv_sec)
    }

    private static func json(_ matte: JournaledMatte) -> JSONValue {
        let png = JSONValue.string(Base64.text(matte.png))
        guard let tiles = matte.tiles else { return .object(["png": png]) }
        return .object([
            "png": png, "size": .array([.integer(tiles.width), .integer(tiles.height)]),
            "tiles": .array(tiles.places.map { .integer($0) }), "colored": .bool(tiles.areColored),
        ])
    }

    /// - Returns: nil if it is none.
    private static func matte(_ value: JSONValue) -> JournaledMatte? {
        guard let png = value["png"]?.string.flatMap({ Base64.bytes($0.utf8) }) else { return nil }
        guard let tiles = value["tiles"] else { return JournaledMatte(png: png, tiles: nil) }
        func integers(_ value: JSONValue?) -> [Int]? {
            guard let elements = value?.elements else { return nil }
            let numbers = elements.compactMap { $0.number.flatMap { Int(exactly: $0) } }
            return numbers.count == elements.count ? numbers : nil
        }
        guard let places = integers(tiles), let size = integers(value["size"]), size.count == 2 else { return nil }
        let areColored = value["colored"]?.bool ?? false
        return JournaledMatte(
            png: png, tiles: .init(width: size[0], height: size[1], places: places, areColored: areColored))
    }

    private func mattes(_ value: JSONValue?) throws(FileError) -> [FilePath: JournaledMatte] {
        guard let value else { return [:] }
        guard case .object(let pictures) = value else {
            throw FileError(.damaged, path: path, "has \"mattes\" that are not an object")
        }
        var result: [FilePath: JournaledMatte] = [:]
        for picture in pictures {
            let name = FilePath(picture.key)
            guard name.staysBeneath else { throw FileError(.damaged, path: path, "names a file outside of the mask") }
            guard let matte = Self.matte(picture.value) else {
                throw FileError(.damaged, path: path, "has a matte of \(name) that cannot be read")
            }
            result[name] = matte
        }
        return result
    }

    private static func point(_ pair: JSONValue) -> Point? {
        guard pair.elements.count == 2, let x = pair.elements[0].number, let y = pair.elements[1].number else {
            return nil
        }
        return Point(Float(x), Float(y))
    }

    package func remove() { _ = path.withCString { unlink($0) } }
}
