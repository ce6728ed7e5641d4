import FaceGeometry
import Files
import Glibc
import Graphics
import ImageFiles
import MaskRendering
import Masks

/// The folder with the program's data: `face/`, `masks/` and `shaders/`. In a clone it is the repository itself; after
/// an installation it is `share/bauta` beside `bin`.
package struct DataFolder: Sendable {
    package let path: String

    /// The folder that `BAUTA_DATA` names; otherwise the nearest one above the executable.
    /// - Throws: `DataFolderError`.
    package static func find() throws -> DataFolder {
        if let path = getenv("BAUTA_DATA").map({ String(cString: $0) }), !path.isEmpty {
            guard isDataFolder(path) else {
                throw DataFolderError.notADataFolder(path: path)
            }
            return DataFolder(path: path)
        }
        var folder = executablePath()
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            for candidate in [folder, folder + "/share/bauta"] where isDataFolder(candidate) {
                return DataFolder(path: candidate)
            }
        }
        throw DataFolderError.notFound
    }

    private static func isDataFolder(_ path: String) -> Bool {
        access(path + "/face/reference.pts", R_OK) == 0 && access(path + "/shaders", R_OK) == 0
    }

    private static func executablePath() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    // MARK: The face

    package var referencePath: String { path + "/face/reference.pts" }
    package var depthsPath: String { path + "/face/depths.txt" }
    package var meshPath: String { path + "/face/mesh.txt" }

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

    private func parsed<Value>(_ path: String, _ parse: (String) throws(ParseError) -> Value) throws -> Value {
        let text = try FileContents.text(path)
        do {
            return try parse(text)
        } catch {
            throw DataFolderError.damaged(path: path, reason: "\(error)")
        }
    }

    // MARK: Shaders

    package func maskShaders() throws -> MaskShaders {
        MaskShaders(warpLayer: try shaders("WarpLayer"), layerTexture: try shaders("LayerTexture"))
    }

    /// The sources of a shader program.
    /// - Parameter name: the Swift type that draws with it.
    package func shaders(_ name: String) throws -> ShaderSources {
        let vertexPath = path + "/shaders/\(name).vert"
        let fragmentPath = path + "/shaders/\(name).frag"
        return ShaderSources(
            vertex: try FileContents.text(vertexPath),
            vertexPath: vertexPath,
            fragment: try FileContents.text(fragmentPath),
            fragmentPath: fragmentPath)
    }

    // MARK: Masks

    /// The folders that hold masks, the user's own first (XDG Base Directory Specification).
    package var maskFolders: [String] { [UserFolders.data + "/bauta/masks", path + "/masks"] }

    /// Names and folders of the installed masks, sorted by name. The user's own mask hides another one of its name.
    package func installedMasks() -> [(name: String, folder: String)] {
        var found: [String: String] = [:]
        for parent in maskFolders.reversed() {
            for name in Folder.entries(of: parent) ?? []
            where access("\(parent)/\(name)/\(MaskLoader.manifestName)", F_OK) == 0 {
                found[name] = "\(parent)/\(name)"
            }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Reads mask packages, animations included.
    package func maskLoader(_ reference: ReferenceFace) -> MaskLoader {
        MaskLoader(reference: reference) { try MovingPicture.frames(of: $0, limits: $1) }
    }

    /// Loads an installed mask by name, or a mask from a folder.
    /// - Throws: `DataFolderError.unknownMask`, or what is wrong with the package.
    package func mask(_ nameOrFolder: String, reference: ReferenceFace) throws -> Mask {
        try maskLoader(reference).load(folder: try maskFolder(nameOrFolder))
    }

    /// The folder of an installed mask, or the path itself if something exists there.
    /// - Throws: `DataFolderError.unknownMask`.
    package func maskFolder(_ nameOrFolder: String) throws -> String {
        let installed = installedMasks()
        if let folder = installed.first(where: { $0.name == nameOrFolder })?.folder { return folder }
        if access(nameOrFolder, F_OK) == 0 {
            var path = nameOrFolder
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return path
        }
        throw DataFolderError.unknownMask(name: nameOrFolder, installed: installed.map(\.name))
    }
}
