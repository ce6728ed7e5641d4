import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import MaskRendering
import Masks

/// Where the program keeps what it reads: `face/`, `masks/` and `shaders/`. In a clone that is the repository itself,
/// installed it is `share/bauta` beside `bin`.
struct DataFolder {
    let path: String

    /// - Throws: `CommandFailure` when there is none.
    static func find() throws -> DataFolder {
        if let path = getenv("BAUTA_DATA").map({ String(cString: $0) }), !path.isEmpty {
            guard isDataFolder(path) else {
                throw CommandFailure(.unavailable, "\(path): is not Bauta's data folder, though BAUTA_DATA says so")
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
        throw CommandFailure(
            .unavailable,
            "the folders face, masks and shaders are not to be found near the program; set BAUTA_DATA to the folder "
                + "that holds them")
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

    var referencePath: String { path + "/face/reference.pts" }
    var depthsPath: String { path + "/face/depths.txt" }
    var meshPath: String { path + "/face/mesh.txt" }

    func referenceFace() throws -> ReferenceFace {
        let points = try parsed(referencePath) { (text) throws(ParseError) in try PointsFile.parse(text) }
        let depths = try parsed(depthsPath) { (text) throws(ParseError) in try DepthsFile.parse(text) }
        do {
            return try ReferenceFace(points: points, depths: depths)
        } catch {
            throw CommandFailure(.dataError, "\(path)/face: \(error)")
        }
    }

    func mesh() throws -> FaceMesh {
        try parsed(meshPath) { (text) throws(ParseError) in try FaceMesh(parsing: text) }
    }

    private func parsed<Value>(_ path: String, _ parse: (String) throws(ParseError) -> Value) throws -> Value {
        let text = String(decoding: try FileContents.read(path, limit: 1 << 20), as: UTF8.self)
        do {
            return try parse(text)
        } catch {
            throw CommandFailure(.dataError, "\(path): \(error)")
        }
    }

    // MARK: Shaders

    func maskShaders() throws -> MaskShaders {
        MaskShaders(warpLayer: try shaders("WarpLayer"), layerTexture: try shaders("LayerTexture"))
    }

    /// - Parameter name: of the Swift type that draws with them.
    func shaders(_ name: String) throws -> ShaderSources {
        let vertexPath = path + "/shaders/\(name).vert"
        let fragmentPath = path + "/shaders/\(name).frag"
        return ShaderSources(
            vertex: String(decoding: try FileContents.read(vertexPath, limit: 1 << 20), as: UTF8.self),
            vertexPath: vertexPath,
            fragment: String(decoding: try FileContents.read(fragmentPath, limit: 1 << 20), as: UTF8.self),
            fragmentPath: fragmentPath)
    }

    // MARK: Masks

    /// Folders with masks, the user's own first (XDG Base Directory Specification).
    var maskFolders: [String] {
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? ""
        return [(data.hasPrefix("/") ? data : home + "/.local/share") + "/bauta/masks", path + "/masks"]
    }

    /// Names and folders of the masks that can be had by name, sorted; of two with one name the user's own.
    func installedMasks() -> [(name: String, folder: String)] {
        var found: [String: String] = [:]
        for parent in maskFolders.reversed() {
            for name in Folder.entries(of: parent) ?? []
            where access("\(parent)/\(name)/\(MaskLoader.manifestName)", F_OK) == 0 {
                found[name] = "\(parent)/\(name)"
            }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Reads masks, moving pictures included.
    func maskLoader(_ reference: ReferenceFace) -> MaskLoader {
        MaskLoader(reference: reference) { try MovingPicture.frames(of: $0, limits: $1) }
    }

    /// The mask of that name, or in that folder.
    func mask(_ nameOrFolder: String, reference: ReferenceFace) throws -> Mask {
        try maskLoader(reference).load(folder: try maskFolder(nameOrFolder))
    }

    /// The folder of the mask of that name, or the path itself where there is something.
    func maskFolder(_ nameOrFolder: String) throws -> String {
        let installed = installedMasks()
        if let folder = installed.first(where: { $0.name == nameOrFolder })?.folder { return folder }
        if access(nameOrFolder, F_OK) == 0 {
            var path = nameOrFolder
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return path
        }
        let names = installed.map(\.name)
        let suggestion = Suggestion.text(for: nameOrFolder, among: names)
        throw CommandFailure(
            .noInput,
            "there is no mask and no folder '\(nameOrFolder)'.\(suggestion) Masks: \(names.joined(separator: ", "))")
    }
}
