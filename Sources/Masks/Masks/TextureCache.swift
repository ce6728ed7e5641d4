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

    /// What a cache knows, for a cache of another thread.
    package struct Content: Sendable {
        fileprivate var textures: [Key: (stamp: FileStamp, texture: Texture)] = [:]
        fileprivate var animations: [FilePath: (stamp: FileStamp, frames: Frames)] = [:]
        fileprivate var models: [ModelKey: (stamp: FileStamp, model: GLTFReader.Result)] = [:]
        /// Files that are damaged: finding that out may have taken as long as reading them.
        fileprivate var failures: [Key: (stamp: FileStamp, failure: MaskReading.PictureFailure)] = [:]
    }

    package var content: Content

    package init(_ content: Content = Content()) { self.content = content }

    func texture(_ key: Key) -> Texture? {
        guard let known = content.textures[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.texture
    }

    func failure(_ key: Key) -> MaskReading.PictureFailure? {
        guard let known = content.failures[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.failure
    }

    /// The content of a file without layers, if it has been read and has not changed since.
    package func texture(at path: FilePath) -> Texture? { texture(Key(path: path, layer: nil)) }

    func animation(_ path: FilePath) -> Frames? {
        guard let known = content.animations[path], known.stamp == FileStamp(path) else { return nil }
        return known.frames
    }

    func model(_ key: ModelKey) -> GLTFReader.Result? {
        guard let known = content.models[key], known.stamp == FileStamp(key.path) else { return nil }
        return known.model
    }

    func keep(_ model: GLTFReader.Result, _ key: ModelKey, _ stamp: FileStamp?) {
        content.models[key] = stamp.map { ($0, model) }
    }

    func keep(_ frames: Frames, _ path: FilePath, _ stamp: FileStamp?) {
        content.animations[path] = stamp.map { ($0, frames) }
    }

    func keep(_ failure: MaskReading.PictureFailure, _ key: Key, _ stamp: FileStamp?) {
        content.failures[key] = stamp.map { ($0, failure) }
    }

    /// - Parameter stamp: taken before the file was read: it may have changed since.
    func keep(_ texture: Texture, _ key: Key, _ stamp: FileStamp?) {
        content.textures[key] = stamp.map { ($0, texture) }
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
