import FaceGeometry
import Files
import Foundation
import Graphics
import MaskRendering
import Masks

/// The checkout that the tests were built from.
package enum Repository {
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    package static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    package static func referenceFace() throws -> ReferenceFace {
        try ReferenceFace(
            points: PointsFile.parse(text("face/reference.pts")), depths: DepthsFile.parse(text("face/depths.txt")))
    }

    package static func mesh() throws -> FaceMesh { try FaceMesh(parsing: text("face/mesh.txt")) }

    /// Those of the gallery, sorted.
    package static func maskNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/masks")
            .filter { FileManager.default.fileExists(atPath: "\(root)/masks/\($0)/mask.json") }.sorted()
    }

    package static func mask(_ name: String) throws -> Mask {
        try MaskLoader(reference: referenceFace()).load(folder: root + "/masks/" + name)
    }

    /// Copies `Tests/Masks/wolf` to a folder with four layers: two stickers, `wolf.png`, and the fangs above it. The tests of
    /// the editor click on their places, which must not change with the gallery.
    package static func copyLayeredWolf(to folder: String) throws {
        try FileManager.default.copyItem(atPath: root + "/Tests/Masks/wolf", toPath: folder)
        for name in ["ears.glb", "undercoat.glb", "eyes.png"] {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        let stickers = [-0.34, 0.34].map {
            """
            {"type": "sticker", "texture": "fangs.png", "anchor": "hairline", "depth": -0.2, "width": 0.42,
             "offset": [\($0), 0.06]}
            """
        }
        let manifest = """
            {"format": 1, "name": "Wolf", "author": "The Bauta project", "license": "CC0-1.0", "layers": [
            \(stickers.joined(separator: ",\n")),
            {"type": "warp", "texture": "wolf.png", "light": {"shading": 0.55, "detail": 0.2}},
            {"type": "sticker", "texture": "fangs.png", "anchor": "upperLip", "width": 0.34, "offset": [0, 0.065],
             "center": [0.5, 0], "when": ["mouthOpen"]}]}
            """
        try manifest.write(toFile: folder + "/mask.json", atomically: true, encoding: .utf8)
    }

    package static func shaders() throws -> MaskShaders {
        MaskShaders(
            warpLayer: try shaders("WarpLayer"), layerTexture: try shaders("LayerTexture"),
            propSurface: try shaders("PropSurface"))
    }

    package static func shaders(_ name: String) throws -> ShaderSources {
        let (vertex, fragment) = ("shaders/\(name).vert", "shaders/\(name).frag")
        return ShaderSources(
            vertex: try text(vertex), vertexPath: vertex, fragment: try text(fragment), fragmentPath: fragment)
    }

    /// The program, built beside the tests.
    package static let executable: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("bauta").path
    }()
}

/// Real pictures for development, beside the checkout where a developer has them. Tests that use them skip where they
/// are absent.
package enum SharedData {
    package static let root = URL(fileURLWithPath: Repository.root + "/../shared/data").standardizedFileURL.path
    package static var isAvailable: Bool { FileManager.default.fileExists(atPath: root + "/photos") }
    package static let absence = "the real pictures (../shared/data) are not on this machine"
}

/// A folder that is removed with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("\(NSTemporaryDirectory())/bauta test é XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    @discardableResult
    package func write(_ text: String, _ name: String) throws -> String { try write(text.utf8, name) }

    package func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// Leaves a temporary file with something in it, as a program does that is killed.
    package func leaveTemporaryFile(in place: String) throws {
        // Elsewhere: it clears the folder that it is made in, once in each process.
        let elsewhere = try TemporaryFolder()
        let file = try TemporaryFile(for: FilePath(elsewhere.path) / "file")
        let left = FilePath(path + "/" + place) / file.path.name
        guard Glibc.write(file.descriptor, "half", 4) == 4, rename(file.path.description, left.description) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// The names in a folder, hidden ones as well, but without the journal that `bauta photo` leaves there. Empty if the
    /// folder cannot be read.
    package func results(in place: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + place)) ?? []
        return names.filter { $0 != ".bauta-photo.jsonl" && !$0.hasPrefix(".bauta-faces-") }.sorted()
    }

    /// The results in a folder in which a run was killed: `results` without the temporary file that it may have left, which
    /// the next run removes.
    package func finishedResults(in place: String) -> [String] {
        results(in: place).filter { !$0.hasPrefix(".bauta-temporary-") }
    }
}

/// The bytes of a file.
package func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
