import FaceGeometry
import Glibc
import ImageFiles
import JSON
import Pixels

/// Loads mask packages of format 1 (`docs/mask-format.md`). A package is untrusted: no path leaves its folder, and
/// every size has a limit.
package struct MaskLoader: Sendable {
    package static let manifestName = "mask.json"
    static let maximumManifestSize = 1 << 20
    static let maximumPointsFileSize = 1 << 16
    static let maximumTextureSide = 8192
    static let maximumLayers = 64

    static let maximumFrames = 240
    /// Of all frames of an animation together.
    static let maximumAnimationPixels = 128 << 20
    static let maximumGroupDepth = 8

    /// Reads the frames of a moving picture with how long each is shown, in seconds. It stops with an error before it
    /// has taken more frames, or more pixels in all, than `limits` allow.
    package typealias AnimationDecoder =
        @Sendable (_ path: String, _ limits: AnimationLimits) throws -> (frames: [Texture], seconds: [Double])

    /// What an animation may take.
    package struct AnimationLimits: Sendable {
        package let frames = MaskLoader.maximumFrames
        package let pixels = MaskLoader.maximumAnimationPixels

        /// - Returns: what is too much of so many frames of that size; nil: nothing.
        package func excess(frames count: Int, width: Int, height: Int) -> String? {
            if count > frames { return "has more than \(frames) frames, the limit" }
            guard count * width * height > pixels else { return nil }
            return "has more than \(pixels >> 20) million pixels in all its frames, the limit"
        }
    }

    private let reference: ReferenceFace
    private let animations: AnimationDecoder?

    /// - Parameter animations: reads APNG and GIF; without it, only animations of numbered pictures can be had.
    package init(reference: ReferenceFace, animations: AnimationDecoder? = nil) {
        self.reference = reference
        self.animations = animations
    }

    /// - Throws: `MaskError` for the first thing that is wrong.
    package func load(folder: String) throws(MaskError) -> Mask {
        let path = folder + "/" + Self.manifestName
        let bytes = try Self.read(path, limit: Self.maximumManifestSize)
        let root: JSONValue
        do {
            root = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw MaskError(path: path, "is not valid JSON: \(error)")
        }
        let manifest = try ManifestObject(
            root, path: path, pointer: "", keys: ["format", "name", "author", "license", "layers"])
        let format = try manifest.number("format", in: 0...Double.greatestFiniteMagnitude)
        guard format == 1 else {
            throw manifest.error(
                "format", "is \(JSONValue.number(format).text()); this version of Bauta reads format 1")
        }
        let name = try manifest.string("name")
        guard !name.isEmpty else { throw manifest.error("name", "must not be empty") }
        guard let layers = try manifest.optionalArray("layers"), !layers.isEmpty else {
            throw manifest.error("layers", "must be an array of at least one layer")
        }
        guard layers.count <= Self.maximumLayers else {
            throw manifest.error("layers", "has \(layers.count) layers; \(Self.maximumLayers) is the limit")
        }
        let reader = LayerReader(reference: reference, animations: animations, folder: folder, path: path)
        var loaded: [Layer] = []
        for layer in layers { loaded += try reader.layers(layer.value, pointer: layer.pointer) }
        guard loaded.count <= Self.maximumLayers else {
            throw manifest.error(
                "layers", "has \(loaded.count) layers, those in groups included; \(Self.maximumLayers) is the limit")
        }
        return Mask(
            name: name, author: try manifest.optionalString("author"), license: try manifest.optionalString("license"),
            layers: loaded, folder: folder)
    }

    // MARK: Files

    /// The path of a file in the package.
    static func path(
        _ name: String, in folder: String, key: String, _ layer: ManifestObject
    ) throws(MaskError) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw layer.error(key, "\"\(name)\" is not a file inside the mask's folder")
        }
        let path = folder + "/" + name
        // A link may still lead out.
        if let target = resolved(path), let root = resolved(folder), !target.hasPrefix(root + "/") {
            throw layer.error(key, "\"\(name)\" is a link to a place outside the mask's folder")
        }
        return path
    }

    private static func resolved(_ path: String) -> String? {
        guard let result = realpath(path, nil) else { return nil }
        defer { free(result) }
        return String(cString: result)
    }

    static func read(_ path: String, limit: Int) throws(MaskError) -> [UInt8] {
        do {
            return try FileContents.read(path, limit: limit)
        } catch {
            throw MaskError(path: error.path, error.reason)
        }
    }
}
