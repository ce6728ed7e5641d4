import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON
import Pixels

/// The files of a mask package.
package struct PackageFiles {
    package let folder: String
    /// What stands for a file of that name, whether it is in the folder or not: what an editor has not saved yet.
    package var unsaved: [String: [UInt8]] = [:]
    /// Keeps textures from one reading to the next.
    package var textures: TextureCache?

    package init(folder: String, unsaved: [String: [UInt8]] = [:], textures: TextureCache? = nil) {
        self.folder = folder
        self.unsaved = unsaved
        self.textures = textures
    }
}

/// One reading of a mask package: what it makes, and everything that was found on the way.
package final class MaskReading {
    /// Nil when there is an error among the problems.
    package internal(set) var mask: Mask?
    /// The manifest as it stands; nil when it is not JSON.
    package internal(set) var document: JSONValue?
    package private(set) var problems: [MaskProblem] = []
    /// Names of the files that the manifest asks for, itself included.
    package private(set) var usedFiles: Set<String> = [MaskLoader.manifestName]
    /// Where the textures are asked for and what they are for.
    package private(set) var textureUses: [TextureUse] = []

    let files: PackageFiles
    /// The manifest's.
    let path: String

    /// A texture in a layer.
    package struct TextureUse {
        package enum Purpose {
            /// Painted on the reference sheet.
            case sheet
            /// Of a face whose landmarks, in pixels, a points file gives; the first `given` of them, the others follow.
            case landmarks([Point], path: String, given: Int)
            /// Width in widths of the face.
            case sticker(width: Float)
        }

        package let texture: Texture
        /// Of the value that names it.
        package let pointer: String
        package let purpose: Purpose
    }

    /// What has been read so far: a texture of several layers is read once.
    private var knownTextures: [TextureCache.Key: Texture] = [:]
    private(set) var texturePixelsLeft = MaskLoader.maximumTexturePixels

    init(_ files: PackageFiles) {
        self.files = files
        path = files.folder + "/" + MaskLoader.manifestName
    }

    package var errors: [MaskProblem] { problems.filter { $0.code.severity == .error } }

    func add(_ code: MaskProblem.Code, at pointer: String, _ reason: String) {
        problems.append(MaskProblem(code, path: path, at: .pointer(pointer), reason))
    }

    func add(_ problem: MaskProblem) { problems.append(problem) }
    func note(_ use: TextureUse) { textureUses.append(use) }

    // MARK: Textures

    func texture(_ path: String, layer: String?) -> Texture? {
        let key = TextureCache.Key(path: path, layer: layer)
        if let known = knownTextures[key] { return known }
        guard let kept = files.textures?.texture(key) else { return nil }
        note(kept, key)
        return kept
    }

    /// - Parameter stamp: taken before the file was read.
    func keep(_ texture: Texture, _ path: String, layer: String?, _ stamp: FileStamp?) {
        let key = TextureCache.Key(path: path, layer: layer)
        note(texture, key)
        files.textures?.keep(texture, key, stamp)
    }

    private func note(_ texture: Texture, _ key: TextureCache.Key) {
        knownTextures[key] = texture
        texturePixelsLeft -= texture.pixels.width * texture.pixels.height
    }

    // MARK: Files

    /// The path of a file in the package.
    /// - Parameters:
    ///   - key: the place of its name below `object`.
    /// - Returns: nil when the name leads out of the package, or there is no such file.
    func path(_ name: String, _ key: String, _ object: ManifestObject) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            object.fault(.fileOutside, key, "\"\(name)\" is not a file inside the mask's folder")
            return nil
        }
        usedFiles.insert(name)
        let path = files.folder + "/" + name
        if files.unsaved[name] != nil { return path }
        guard let target = Self.resolved(path) else {
            let code: MaskProblem.Code = errno == ENOENT ? .fileMissing : .fileUnreadable
            object.fault(code, key, "\(path): cannot be read: \(String(cString: strerror(errno)))")
            return nil
        }
        // A link may still lead out.
        if let root = Self.resolved(files.folder), !target.hasPrefix(root + "/") {
            object.fault(.fileOutside, key, "\"\(name)\" is a link to a place outside the mask's folder")
            return nil
        }
        return path
    }

    private static func resolved(_ path: String) -> String? {
        guard let result = realpath(path, nil) else { return nil }
        defer { free(result) }
        return String(cString: result)
    }

    func bytes(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
        let path = files.folder + "/" + name
        guard let unsaved = files.unsaved[name] else { return try FileContents.read(path, limit: limit) }
        guard unsaved.count <= limit else {
            throw FileError(.tooLarge, path: path, "has \(unsaved.count) bytes, the limit is \(limit)")
        }
        return unsaved
    }
}

/// Textures as they were read, for as long as their files stay the same.
package final class TextureCache {
    /// A file, or a layer of it.
    struct Key: Hashable {
        let path: String
        let layer: String?
    }

    /// The frames of a moving picture with how long each is shown, in seconds.
    typealias Frames = (frames: [Texture], seconds: [Double])

    private var textures: [Key: (stamp: FileStamp, texture: Texture)] = [:]
    private var animations: [String: (stamp: FileStamp, frames: Frames)] = [:]

    package init() {}

    func texture(_ key: Key) -> Texture? {
        guard let known = textures[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.texture
    }

    func animation(_ path: String) -> Frames? {
        guard let known = animations[path], known.stamp == FileStamp(path) else { return nil }
        return known.frames
    }

    func keep(_ frames: Frames, _ path: String, _ stamp: FileStamp?) {
        animations[path] = stamp.map { ($0, frames) }
    }

    /// - Parameter stamp: taken before the file was read: it may have changed since.
    func keep(_ texture: Texture, _ key: Key, _ stamp: FileStamp?) {
        textures[key] = stamp.map { ($0, texture) }
    }
}

/// Tells whether a file has changed: its size, time of modification and number.
package struct FileStamp: Equatable, Sendable {
    private let numbers: [Int]

    /// Nil when there is no file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
            Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            Int(truncatingIfNeeded: status.st_ino),
        ]
    }
}
