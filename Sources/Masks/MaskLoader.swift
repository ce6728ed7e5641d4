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

    private let reference: ReferenceFace

    package init(reference: ReferenceFace) { self.reference = reference }

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
        var loaded: [WarpLayer] = []
        for layer in layers {
            loaded.append(try self.layer(layer.value, folder: folder, path: path, pointer: layer.pointer))
        }
        return Mask(
            name: name, author: try manifest.optionalString("author"), license: try manifest.optionalString("license"),
            layers: loaded, folder: folder)
    }

    private enum LayerType: String, CaseIterable { case warp }

    private func layer(
        _ value: JSONValue, folder: String, path: String, pointer: String
    ) throws(MaskError) -> WarpLayer {
        let layer = try ManifestObject(
            value, path: path, pointer: pointer,
            keys: ["type", "texture", "landmarks", "blend", "opacity", "openings"])
        guard try layer.optionalCase("type", as: LayerType.self) != nil else {
            throw layer.error("type", "is missing; possible is \"warp\"")
        }
        let texture = try self.texture(layer, folder: folder)
        return WarpLayer(
            texture: texture,
            textureCoordinates: try textureCoordinates(layer, folder: folder, texture: texture),
            blendMode: try layer.optionalCase("blend", as: BlendMode.self) ?? .normal,
            opacity: Float(try layer.optionalNumber("opacity", in: 0...1) ?? 1),
            openings: try openings(layer, path: path))
    }

    private func openings(_ layer: ManifestObject, path: String) throws(MaskError) -> Set<FaceMesh.Opening> {
        guard let names = try layer.optionalArray("openings") else { return Set(FaceMesh.Opening.allCases) }
        var openings: Set<FaceMesh.Opening> = []
        for name in names {
            guard case .string(let string) = name.value else {
                throw MaskError(path: path, pointer: name.pointer, "must be a string, not \(name.value.kind)")
            }
            guard let opening = FaceMesh.Opening(rawValue: string) else {
                throw MaskError(
                    path: path, pointer: name.pointer, ManifestObject.notACase(string, of: FaceMesh.Opening.self))
            }
            openings.insert(opening)
        }
        return openings
    }

    private func texture(_ layer: ManifestObject, folder: String) throws(MaskError) -> Texture {
        let name = try layer.string("texture")
        let path = try Self.path(name, in: folder, key: "texture", layer)
        let picture: Picture
        do {
            picture = try PictureReader.read(path, maximumSide: Self.maximumTextureSide)
        } catch {
            throw layer.error("texture", "\(error)")
        }
        do {
            return Texture(path: path, pixels: try picture.pixels.withEightBits())
        } catch {
            throw layer.error("texture", "\(error)")
        }
    }

    private func textureCoordinates(
        _ layer: ManifestObject, folder: String, texture: Texture
    ) throws(MaskError) -> [Point] {
        let name = try layer.optionalString("landmarks") ?? "reference"
        guard name != "reference" else { return reference.vertices }
        let path = try Self.path(name, in: folder, key: "landmarks", layer)
        let text = String(decoding: try Self.read(path, limit: Self.maximumPointsFileSize), as: UTF8.self)
        var points: [Point]
        do {
            points = try PointsFile.parse(text)
        } catch {
            throw MaskError(path: path, "\(error)")
        }
        switch points.count {
        case ReferenceFace.vertexCount: break
        case Landmarks.count:
            // The face in the texture has no head points of its own: they are placed as on any face.
            guard let landmarks = Landmarks(points) else {
                throw MaskError(path: path, "has a point that is not finite")
            }
            points +=
                AffineCamera(fitting: landmarks, to: reference).headPoints(of: reference, landmarks: landmarks).points
        default:
            throw MaskError(
                path: path,
                "has \(points.count) points; \(Landmarks.count) landmarks are needed, or \(ReferenceFace.vertexCount) with head points"
            )
        }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        return points.map { $0 / size }
    }

    // MARK: Files

    /// The path of a file in the package.
    private static func path(
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

    private static func read(_ path: String, limit: Int) throws(MaskError) -> [UInt8] {
        do {
            return try FileContents.read(path, limit: limit)
        } catch {
            throw MaskError(path: error.path, error.reason)
        }
    }
}
