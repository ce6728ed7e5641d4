import FaceGeometry
import Files
import Glibc
import Graphics
import ImageFiles
import JSON
import MaskRendering
import Masks
import Threads

/// The folder with the program's data: `face/`, `masks/` and `shaders/`. In a clone it is the repository itself; after
/// an installation it is `share/bauta` beside `bin`.
package struct DataFolder: Sendable {
    package let path: FilePath

    /// - Parameter path: of the folder. Reading from it fails if it is none.
    package init(path: FilePath) { self.path = path }

    /// A folder that a caller names.
    /// - Throws: `DataFolderError` if it is none.
    package init(checking path: FilePath) throws(DataFolderError) {
        guard Self.isDataFolder(path) else { throw .notADataFolder(path: path.description) }
        self.path = path
    }

    /// The folder that `BAUTA_DATA` names; otherwise the nearest one above a file.
    /// - Parameter file: links count as what they point at; nil: the executable.
    /// - Throws: `DataFolderError`.
    package static func find(near file: FilePath? = nil) throws -> DataFolder {
        if let path = FilePath(environment: "BAUTA_DATA") {
            do throws(DataFolderError) {
                return try DataFolder(checking: path)
            } catch {
                throw DataFolderError.wrongVariable(path: path.description)
            }
        }
        guard let folder = above(file?.resolved ?? ThisProgram.path ?? "") else { throw DataFolderError.notFound }
        return folder
    }

    /// The nearest one above a file, if there is one.
    static func above(_ path: FilePath) -> DataFolder? {
        var folder = path
        while folder != folder.parent {
            folder = folder.parent
            for candidate in [folder, folder / "share/bauta"] where isDataFolder(candidate) {
                return DataFolder(path: candidate)
            }
        }
        return nil
    }

    /// Whether it is the repository, and not an installation.
    package var isClone: Bool { (path / "Package.swift").exists }

    private static func isDataFolder(_ path: FilePath) -> Bool {
        (path / "face/reference.pts").isAccessible(R_OK) && (path / "shaders").isAccessible(R_OK)
    }

    // MARK: The face

    package var referencePath: FilePath { path / "face/reference.pts" }
    package var depthsPath: FilePath { path / "face/depths.txt" }
    package var meshPath: FilePath { path / "face/mesh.txt" }

    package func referenceFace() throws -> ReferenceFace {
        let points = try parsed(referencePath) { (text) throws(ParseError) in try PointsFile.parse(text) }
        let depths = try parsed(depthsPath) { (text) throws(ParseError) in try DepthsFile.parse(text) }
        do {
            return try ReferenceFace(points: points, depths: depths)
        } catch {
            throw DataFolderError.damaged(path: "\(path)/face", reason: "\(error)")
        }
    }

    package func mesh() throws -> FaceMesh {
        try parsed(meshPath) { (text) throws(ParseError) in try FaceMesh(parsing: text) }
    }

    private func parsed<Value>(_ path: FilePath, _ parse: (String) throws(ParseError) -> Value) throws -> Value {
        let text = try FileContents.text(path)
        do {
            return try parse(text)
        } catch {
            throw DataFolderError.damaged(path: path.description, reason: "\(error)")
        }
    }

    // MARK: Shaders

    package func maskShaders() throws -> MaskShaders {
        MaskShaders(
            warpLayer: try shaders("WarpLayer"), layerTexture: try shaders("LayerTexture"),
            propSurface: try shaders("PropSurface"))
    }

    /// The sources of a shader program.
    /// - Parameter name: the Swift type that draws with it.
    package func shaders(_ name: String) throws -> ShaderSources {
        let vertexPath = path / FilePath("shaders/\(name).vert")
        let fragmentPath = path / FilePath("shaders/\(name).frag")
        return ShaderSources(
            vertex: try FileContents.text(vertexPath),
            vertexPath: vertexPath.description,
            fragment: try FileContents.text(fragmentPath),
            fragmentPath: fragmentPath.description)
    }

    // MARK: Renderers

    /// A renderer for masks, for the calling thread.
    /// - Parameters:
    ///   - window: whose context is current; nil: OpenGL, if it is chosen, gets a context of its own.
    ///   - shaders: what `maskShaders` has read, or why it could not; nil: they are read if they are needed.
    /// - Throws: `GraphicsError`; `FileError` if OpenGL is chosen and its shaders are missing.
    package func makeRenderer(
        _ choice: RendererChoice, window: (any GraphicsContext)? = nil,
        shaders: Result<MaskShaders, any Error>? = nil, reference: ReferenceFace, mesh: FaceMesh
    ) throws -> MaskRenderer {
        let needsOpenGL =
            switch choice {
            case .auto: window?.isHardware ?? false
            case .software: false
            case .opengl: true
            }
        guard needsOpenGL else { return MaskRenderer(softwareFor: reference, mesh: mesh) }
        return try MaskRenderer(
            context: try window ?? OffscreenContext(), shaders: try shaders?.get() ?? maskShaders(),
            reference: reference, mesh: mesh)
    }

    // MARK: Masks

    /// The folders that hold masks, the user's own first (XDG Base Directory Specification).
    package var maskFolders: [FilePath] { [try? ownMasks(), path / "masks"].compactMap { $0 } }

    /// The folder of the masks that the user installs.
    /// - Throws: `FileError` if there is no home folder.
    package func ownMasks() throws(FileError) -> FilePath {
        guard let folder = UserFolders.data else { throw UserFolders.missing(.unwritable) }
        return folder / "bauta/masks"
    }

    /// Names and folders of the installed masks, sorted by name. The user's own mask hides another one of its name.
    package func installedMasks() -> [(name: String, folder: FilePath)] {
        var found: [FilePath: FilePath] = [:]
        for parent in maskFolders.reversed() {
            for name in Folder.entries(of: parent) ?? []
            where !name.isHidden && (parent / name / MaskLoader.manifestName).exists { found[name] = parent / name }
        }
        return found.map { (name: $0.key.description, folder: $0.value) }.sorted { a, b in
            let (first, second) = (a.name.lowercased(), b.name.lowercased())
            return first == second ? a.folder < b.folder : first < second
        }
    }

    /// Reads mask packages, animations included.
    /// - Parameter stop: ends reading before the next picture.
    package func maskLoader(_ reference: ReferenceFace, stop: StopSignal = .program) -> MaskLoader {
        MaskLoader(
            reference: reference, animations: { try MovingPicture.frames(of: $0, limits: $1) }, stop: stop)
    }

    /// Loads an installed mask by name, or a mask from a folder.
    /// - Throws: `DataFolderError.unknownMask`, or what is wrong with the package.
    package func mask(_ nameOrFolder: String, reference: ReferenceFace) throws -> Mask {
        try maskLoader(reference).load(folder: try maskFolder(nameOrFolder))
    }

    /// The folder of a mask that somebody works on: a mask's folder with that path comes before an installed mask of that
    /// name, because packing and installing take it, too.
    /// - Throws: `DataFolderError.unknownMask`.
    package func workingFolder(_ nameOrFolder: some FilePathConvertible) throws -> FilePath {
        let path = nameOrFolder.filePath
        return (path / "mask.json").exists ? path.withoutFinalSlashes : try maskFolder(path)
    }

    /// The name in a mask's manifest; nil: it has none that can be read.
    package static func title(of folder: FilePath) -> String? {
        guard let text = try? FileContents.text(folder / MaskLoader.manifestName) else { return nil }
        return (try? JSONValue(parsing: text))?["name"]?.string
    }

    /// Why one of the folders cannot be listed; nil: it can, or is not there.
    private static func whyUnlisted(_ folders: [FilePath]) -> FileError? {
        for folder in folders where !folder.isMissing {
            do throws(FileError) { _ = try Folder.list(folder) } catch { return error }
        }
        return nil
    }

    /// The folder of an installed mask, or the path itself if something exists there. Upper and lower case do not matter
    /// where only one mask fits, by its folder or by the name in its manifest.
    /// - Throws: `DataFolderError.unknownMask`, or `ambiguousMask`; `FileError` if masks cannot be listed.
    package func maskFolder(_ nameOrFolder: some FilePathConvertible) throws -> FilePath {
        let (path, installed) = (nameOrFolder.filePath, installedMasks())
        if let folder = installed.first(where: { $0.folder.name == path })?.folder { return folder }
        if path.exists { return path.withoutFinalSlashes }
        // As `bauta mask list` shows it: "Wolf".
        let wanted = path.description.lowercased()
        let fitting = installed.filter {
            wanted == $0.name.lowercased() || wanted == Self.title(of: $0.folder)?.lowercased()
        }
        if fitting.count == 1 { return fitting[0].folder }
        // A whole file may have been pasted.
        let name = String(String.UnicodeScalarView(path.description.unicodeScalars.prefix(100)))
        if fitting.count > 1 { throw DataFolderError.ambiguousMask(name: name, fitting: fitting.map(\.name)) }
        if let error = Self.whyUnlisted(maskFolders) { throw error }
        throw DataFolderError.unknownMask(name: name, installed: installed.map(\.name))
    }
}
