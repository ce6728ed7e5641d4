import Files
import GLTF

/// Decoded textures and models, valid while their files are unchanged.
package final class TextureCache {
    /// A file, or a layer of it.
    struct Key: Hashable {
        let path: FilePath
        let layer: String?
    }

    /// A model as some nodes swing.
    struct ModelKey: Hashable {
        let path: FilePath
        let swinging: Set<String>
    }

    /// The frames of a moving picture with how long each is shown, in seconds.
    typealias Frames = (frames: [Texture], seconds: [Double])

    private var textures: [Key: (stamp: FileStamp, texture: Texture)] = [:]
    private var animations: [FilePath: (stamp: FileStamp, frames: Frames)] = [:]
    private var models: [ModelKey: (stamp: FileStamp, model: GLTFReader.Result)] = [:]

    package init() {}

    func texture(_ key: Key) -> Texture? {
        guard let known = textures[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.texture
    }

    /// The content of a file without layers, if it has been read and has not changed since.
    package func texture(at path: FilePath) -> Texture? { texture(Key(path: path, layer: nil)) }

    func animation(_ path: FilePath) -> Frames? {
        guard let known = animations[path], known.stamp == FileStamp(path) else { return nil }
        return known.frames
    }

    func model(_ key: ModelKey) -> GLTFReader.Result? {
        guard let known = models[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.model
    }

    func keep(_ model: GLTFReader.Result, _ key: ModelKey, _ stamp: FileStamp?) {
        models[key] = stamp.map { ($0, model) }
    }

    func keep(_ frames: Frames, _ path: FilePath, _ stamp: FileStamp?) {
        animations[path] = stamp.map { ($0, frames) }
    }

    /// - Parameter stamp: taken before the file was read: it may have changed since.
    func keep(_ texture: Texture, _ key: Key, _ stamp: FileStamp?) {
        textures[key] = stamp.map { ($0, texture) }
    }
}

/// Changes when a file does: its size, modification time and inode.
package struct FileStamp: Equatable, Sendable {
    private let numbers: [Int]

    /// Nil when there is no file.
    package init?(_ path: FilePath) {
        guard let status = path.status() else { return nil }
        numbers = [
            Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            Int(truncatingIfNeeded: status.st_ino),
        ]
    }
}
