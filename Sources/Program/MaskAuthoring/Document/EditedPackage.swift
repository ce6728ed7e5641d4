import FaceGeometry
import Files
import Glibc
import Installation
import JSON
import Masks

/// A mask package being edited: its document with the history, the mask it makes, the files on disk that it is kept in
/// step with, and the journal of unsaved changes.
package final class EditedPackage {
    package internal(set) var folder: FilePath
    let reference: ReferenceFace
    let mesh: FaceMesh
    let loader: MaskLoader
    var lock: PackageLock
    var journal: EditJournal
    let textures = TextureCache()
    var matteTextures = MatteTextures()
    /// Shows the user a message.
    let show: (_ text: String, _ isAlarm: Bool) -> Void

    package var history: EditHistory<MaskDocument>
    /// The result of the last `reread`, with all problems.
    package internal(set) var reading: MaskReading
    var pictureReading = PictureReading()
    /// The document's revision at the last `reread`; −1: files have changed since.
    var readRevision = -1
    /// The last mask without errors.
    package internal(set) var worn: Mask?
    /// The selected layer.
    package var selection: MaskDocument.LayerPath?

    /// A question that the user has to answer before editing goes on.
    package internal(set) var question: Question?
    var disk: DiskState
    /// Where author and licence are kept for the next masks; nil: nowhere.
    package let authorFile: ConfigurationFile?
    /// The changes that are still to be written there.
    var authorToKeep: (author: String?, license: String?)?
    let journaling = JournalWork()

    /// - Parameters:
    ///   - authorFile: where author and licence are kept for the next masks (`KeptAuthor`); nil: nowhere.
    ///   - show: shows the user a message; `isAlarm` for errors.
    /// - Throws: `MaskProblem` if there is no manifest that can be edited; `FileError` if the folder cannot be written,
    ///   or is being edited by another process.
    package init(
        _ folder: FilePath, assets: AuthoringAssets,
        authorFile: ConfigurationFile? = ConfigurationFile(named: "author.json"),
        show: @escaping (_ text: String, _ isAlarm: Bool) -> Void
    ) throws {
        guard Folder.exists(folder) else {
            throw FileError(
                .unreadable, path: folder, "is not a folder; to edit a packed mask: bauta mask unpack '\(folder)'")
        }
        guard folder.isAccessible(W_OK) else {
            throw FileError(
                .unwritable, path: folder,
                "cannot be written: \(systemErrorText()); copy the folder and edit the copy")
        }
        // Whatever the spelling of the path, there is one journal.
        let place = folder.resolved ?? folder
        self.folder = place
        reference = assets.reference
        mesh = assets.mesh
        loader = assets.loader
        self.authorFile = authorFile
        self.show = show
        lock = try PackageLock(place)
        journal = EditJournal(folder: place)
        let (document, reading) = try Self.read(place, loader, textures)
        history = EditHistory(document)
        self.reading = reading
        selection = document.layerPaths.first
        disk = DiskState(stamps: PackageFolder.stamps(place))
    }

    /// Reads the document from disk.
    static func read(
        _ folder: FilePath, _ loader: MaskLoader, _ textures: TextureCache
    ) throws(MaskProblem) -> (document: MaskDocument, reading: MaskReading) {
        let reading = loader.read(PackageFiles(folder: folder, textures: textures))
        guard let manifest = reading.document, case .object = manifest else {
            throw reading.problems.errors.listed.first
                ?? MaskProblem(.manifestUnreadable, path: folder, "cannot be read for an unknown reason")
        }
        var document = MaskDocument(manifest: manifest)
        for use in reading.textureUses {
            if case .landmarks(let points, let path, let given) = use.purpose, let name = path.relative(to: folder) {
                document.points[name] = Array(points.prefix(given))
            }
        }
        return (document, reading)
    }
}
