import FaceGeometry
import FileDialogs
import Files
import Installation
import JSON
import MaskAuthoring
import Masks
import Threads

/// The dialog for the files of a mask, with what the editor chooses in it.
final class FileChooser {
    let dialog: FileDialog
    private let examples: FilePath
    private let parts = KeptFolder(.parts)
    private let models = KeptFolder(.models)
    private let packages = LastFolder(.packages)

    /// - Parameter examples: the folder of the masks that come with the program.
    init(examples: FilePath) {
        self.examples = examples
        dialog = FileDialog(examples: examples)
    }

    /// Whether a file of Bauta's masks is only what a picture beside it was made of.
    private static func isDrawing(_ path: FilePath, of examples: FilePath) -> Bool {
        path.fileExtension == "svg" && path.relative(to: examples) != nil
            && (path.withoutExtension + ".png").exists
    }

    /// The user's pictures; otherwise the home, or the current folder.
    static var pictures: FilePath { UserFolders.pictures ?? FileDialog.start }

    /// The folder beside which a mask lies, for its export; of one in a hidden folder, where nobody would find the file,
    /// that of the user's pictures.
    static func exports(of mask: FilePath) -> FilePath {
        let parent = mask.withoutFinalSlashes.parent
        return "\(parent.resolved ?? parent)/".contains("/.") ? pictures : parent
    }

    /// A folder among the masks that come with the program; nil: it is not there.
    private func existing(_ name: FilePath?) -> FilePath? {
        name.map { $0.isEmpty ? examples : examples / $0 }.flatMap { Folder.exists($0) ? $0 : nil }
    }

    /// Where a picture of the user's own was chosen last; nil: nowhere. Among the masks that come with the program, the pictures
    /// of one part are no help for the next one.
    private var ownParts: FilePath? {
        parts.path.flatMap { dialog.isExample($0) ? nil : $0 }
    }

    /// Opens a dialog for a texture.
    func open(_ texture: TextureRequest) {
        let package = texture.package
        dialog.open(
            FileDialog.Request(
                title: texture.title, button: "choose", kind: "pictures (PNG, JPEG, SVG, OpenRaster)",
                maskFolder: package.folder,
                lists: { [examples] in
                    PaintedTexture.canBe($0) && $0.name != MaskLoader.thumbnailName && !Self.isDrawing($0, of: examples)
                }
            ) { [parts] path in
                texture.take(try package.adopt(picture: path).textInManifest)
                parts.note(path)
            }, at: ownParts ?? existing(texture.examples) ?? Self.pictures)
    }

    /// Opens a dialog for a model.
    func open(_ wanted: ModelRequest) {
        let package = wanted.package
        dialog.open(
            FileDialog.Request(
                title: "Model of the prop", button: "choose", kind: "models (.glb, .gltf)", maskFolder: package.folder,
                lists: EditedPackage.canBeModel,
                preview: { [data = examples.parent] path, _ in
                    guard let assets = try? AuthoringAssets(DataFolder(path: data)) else { return nil }
                    return ModelFile.preview(of: path, assets)
                }
            ) { [models] path in
                let (name, model) = try package.adopt(model: path)
                wanted.take(PropPlacement.layer(for: model, at: path, file: try name.textInManifest))
                models.note(path)
            }, at: models.path ?? existing("") ?? FileDialog.start)
    }

    /// Opens a dialog for the place and name of a copy that the user goes on with.
    /// - Parameter done: is called once it is there.
    func askForName(of package: EditedPackage, done: @escaping () -> Void) {
        dialog.open(
            FileDialog.Request(
                title: "Save the mask as a new folder", button: "save",
                newName: package.nameOfCopy, newLabel: "folder"
            ) {
                try package.save(as: $0)
                RecentMasks().note(package.folder)
                done()
            },
            at: package.folder.withoutFinalSlashes.parent)
    }

    /// Opens a dialog for the place and name of a packed mask.
    /// - Parameter done: is told what was written, and where.
    func askForExport(of package: EditedPackage, done: @escaping (String, FilePath?) -> Void) {
        let (export, packages, place) = (package.export, packages, Mailbox<FilePath>())
        dialog.open(
            FileDialog.Request(
                title: "Export the mask as a file that others can install", button: "export",
                newName: (package.folder.name.string ?? "mask") + ".bauta",
                mayReplace: true,
                write: { path, replacing in
                    let path = path.fileExtension == "bauta" ? path : path + ".bauta"
                    let text = try export.write(to: path, replacing: replacing)
                    packages.note(path)
                    _ = place.replace(path)
                    return text
                }, written: { done($0, place.take(waiting: 0)) }, take: { _ in }),
            at: packages.path ?? Self.exports(of: package.folder))
    }

    /// A model that a new prop of a package is to be.
    struct ModelRequest {
        fileprivate let package: EditedPackage
        /// Takes the new layer.
        fileprivate let take: (JSONValue) -> Void

        static func model(of package: EditedPackage, _ take: @escaping (JSONValue) -> Void) -> ModelRequest {
            ModelRequest(package: package, take: take)
        }
    }

    /// A picture that a layer of a package is to show.
    struct TextureRequest {
        fileprivate let title: String
        fileprivate let package: EditedPackage
        /// Where such pictures are among the masks that come with the program; nil: anywhere.
        fileprivate let examples: FilePath?
        /// Takes the file's name in the package.
        fileprivate let take: (String) -> Void

        static func texture(
            title: String, of package: EditedPackage, examples: FilePath? = nil, _ take: @escaping (String) -> Void
        ) -> TextureRequest { TextureRequest(title: title, package: package, examples: examples, take: take) }
    }
}

/// The folder in which the last file of a kind was chosen, in this session or an earlier one.
private final class KeptFolder {
    private let file: LastFolder
    /// Nil: none was.
    private(set) lazy var path = file.path

    init(_ kind: LastFolder.Kind) { file = LastFolder(kind) }

    func note(_ chosen: FilePath) {
        path = chosen.parent
        file.note(chosen)
    }
}

extension FilePath {
    /// As a manifest, which is JSON, can name it.
    fileprivate var textInManifest: String {
        get throws(FileError) {
            guard let string else { throw FileError(.damaged, path: self, "has a name that is not UTF-8; rename it") }
            return string
        }
    }
}
