import CSandbox
import FaceGeometry
import Files
import GLTF
import Glibc
import ImageFiles
import JSON
import Pixels
import Threads

/// The files of a mask package.
package struct PackageFiles {
    package let folder: FilePath
    /// Contents that replace those of files in the folder: what an editor has not saved yet.
    package var unsaved: [FilePath: [UInt8]] = [:]
    /// Textures that replace those of files in the folder, likewise.
    package var unsavedTextures: [FilePath: Texture] = [:]
    /// Keeps textures between readings.
    package var textures: TextureCache?

    package init(
        folder: some FilePathConvertible, unsaved: [FilePath: [UInt8]] = [:],
        unsavedTextures: [FilePath: Texture] = [:], textures: TextureCache? = nil
    ) {
        self.folder = folder.filePath
        self.unsaved = unsaved
        self.unsavedTextures = unsavedTextures
        self.textures = textures
    }
}

/// One reading of a mask package: the mask, and all problems that were found.
package final class MaskReading {
    /// Nil when there is an error among the problems. The pointers are those of the mask's layers, in the same order.
    package internal(set) var result: (mask: Mask, layerPointers: [String])?
    package var mask: Mask? { result?.mask }
    /// The manifest; nil when it is not JSON.
    package internal(set) var document: JSONValue?
    package private(set) var problems = MaskProblems()
    /// Names of the files that the manifest refers to, including itself.
    package private(set) var usedFiles: Set<FilePath> = [MaskLoader.manifestName]
    /// The omitted parts of models, by file.
    package private(set) var modelNotices: [(path: FilePath, notice: ModelNotice)] = []
    /// Which layers use which textures, and how.
    package private(set) var textureUses: [TextureUse] = []

    /// Which layers use which models, by the pointer of the value that names the model.
    package private(set) var modelUses: [(pointer: String, model: Model)] = []
    /// The layer that says what is shown behind people, hidden or not, and what that is if it is not hidden.
    var background: (isGiven: Bool, shown: Mask.Background?) = (false, nil)

    let files: PackageFiles
    /// The manifest's.
    let path: FilePath

    /// A texture in a layer.
    package struct TextureUse {
        package enum Purpose {
            /// Painted on the canonical UV template.
            case canonicalUV
            /// Of a face with its own vertices, in pixels of the texture; a points file gives the first `given` of
            /// them.
            case landmarks([Point], path: FilePath, given: Int)
            /// Width in face widths.
            case sticker(width: Float)
        }

        package let texture: Texture
        /// Of the value that names it.
        package let pointer: String
        package let purpose: Purpose
    }

    /// A texture used by several layers is read once.
    private var knownTextures: [TextureCache.Key: Texture] = [:]
    private(set) var texturePixelsLeft = MaskLoader.maximumTexturePixels
    private var knownModels: [TextureCache.ModelKey: GLTFReader.Result] = [:]
    private var knownAnimations: [FilePath: TextureCache.Frames] = [:]
    private(set) var animationPixelsLeft = MaskLoader.maximumAnimationPixels
    /// Pictures that could not be read are not tried again: each may have taken seconds.
    private var failures: [TextureCache.Key: PictureFailure] = [:]
    /// How much more processor time reading pictures may take: it is the same on a busy machine, and for a program that was
    /// stopped meanwhile.
    private var timeLeft: Duration
    private let longestReading: Duration
    private let stop: StopSignal
    private var counts = Counts()
    var layerCount: Int { counts.layers }

    /// What is counted in all layers met so far, in groups too, whether they can be read or not.
    private struct Counts {
        var layers = 0
        /// Nodes of models that swing.
        var swinging = 0
    }

    /// Why a picture cannot be read.
    struct PictureFailure: Error {
        let code: MaskProblem.Code
        let reason: String
        /// In the picture's own file.
        var place: MaskProblem.Place?

        /// Whether the file is damaged, whatever else the mask shows.
        fileprivate var isOfFile: Bool { [.textureUnreadable, .animationUnreadable, .modelDamaged].contains(code) }
    }

    init(_ files: PackageFiles, longestReading: Duration, stop: StopSignal) {
        self.files = files
        self.stop = stop
        self.longestReading = longestReading
        timeLeft = longestReading
        path = files.folder / MaskLoader.manifestName
    }

    func add(_ code: MaskProblem.Code, at pointer: String, _ reason: String) {
        problems.append(MaskProblem(code, path: path, at: .pointer(pointer), reason))
    }

    func add(_ problem: MaskProblem) { problems.append(problem) }
    func note(_ use: TextureUse) { textureUses.append(use) }
    func note(_ model: Model, at pointer: String) { modelUses.append((pointer, model)) }

    /// Counts a layer.
    /// - Returns: false when there are more than are allowed.
    func countLayer() -> Bool {
        counts.layers += 1
        return counts.layers <= MaskLoader.maximumLayers
    }

    /// Counts nodes of a prop that swing.
    /// - Returns: those of all props so far.
    func countSwinging(_ nodes: Int) -> Int {
        counts.swinging += nodes
        return counts.swinging
    }

    // MARK: Textures

    func texture(_ path: FilePath, layer: String?) -> Texture? {
        let key = TextureCache.Key(path: path, layer: layer)
        if let known = knownTextures[key] { return known }
        let unsaved = layer == nil ? path.relative(to: files.folder).flatMap { files.unsavedTextures[$0] } : nil
        guard let kept = unsaved ?? files.textures?.texture(key) else { return nil }
        note(kept, key)
        return kept
    }

    /// - Parameter stamp: taken before the file was read.
    func keep(_ texture: Texture, _ path: FilePath, layer: String?, _ stamp: FileStamp?) {
        let key = TextureCache.Key(path: path, layer: layer)
        note(texture, key)
        files.textures?.keep(texture, key, stamp)
    }

    func animation(_ path: FilePath) -> TextureCache.Frames? {
        if let known = knownAnimations[path] { return known }
        guard let kept = files.textures?.animation(path) else { return nil }
        note(kept, path)
        return kept
    }

    /// - Parameter stamp: taken before the file was read.
    func keep(_ frames: TextureCache.Frames, _ path: FilePath, _ stamp: FileStamp?) {
        note(frames, path)
        files.textures?.keep(frames, path, stamp)
    }

    func model(_ key: TextureCache.ModelKey) -> GLTFReader.Result? {
        if let known = knownModels[key] { return known }
        guard let kept = files.textures?.model(key) else { return nil }
        note(kept, key)
        return kept
    }

    /// - Parameter stamp: taken before the file was read.
    func keep(_ model: GLTFReader.Result, _ key: TextureCache.ModelKey, _ stamp: FileStamp?) {
        note(model, key)
        files.textures?.keep(model, key, stamp)
    }

    /// The names of the morph targets of each model, by file.
    var morphNames: [FilePath: [String]] {
        Dictionary(knownModels.map { ($0.path, $1.morphNames) }, uniquingKeysWith: { first, _ in first })
    }

    private func note(_ model: GLTFReader.Result, _ key: TextureCache.ModelKey) {
        let isFirst = !knownModels.keys.contains { $0.path == key.path }
        knownModels[key] = model
        if isFirst { modelNotices += model.notices.map { (key.path, $0) } }
        texturePixelsLeft -= model.model.pictures.reduce(0) { $0 + $1.pixels.width * $1.pixels.height }
    }

    private func note(_ frames: TextureCache.Frames, _ path: FilePath) {
        knownAnimations[path] = frames
        animationPixelsLeft -= frames.frames.reduce(0) { $0 + $1.pixels.width * $1.pixels.height }
    }

    private func note(_ texture: Texture, _ key: TextureCache.Key) {
        knownTextures[key] = texture
        texturePixelsLeft -= texture.pixels.width * texture.pixels.height
    }

    /// Reads a picture, in this thread and its child processes, within what is left of the time for all pictures.
    /// - Parameter read: gets what is left, in seconds of at least 1.
    /// - Throws: what `failure` makes of the error of `read`, now or at an earlier reading of the same picture; or that
    ///   no time is left, or that reading is asked to end.
    func picture<Value>(
        _ path: FilePath, layer: String? = nil, read: (_ seconds: Int) throws -> Value,
        failure: (any Error) -> PictureFailure
    ) throws(PictureFailure) -> Value {
        let key = TextureCache.Key(path: path, layer: layer)
        if let known = failures[key] ?? files.textures?.failure(key) { throw known }
        if stop.isStopped {
            throw PictureFailure(code: .fileUnreadable, reason: "\(path): is not read: interrupted")
        }
        guard timeLeft > .zero else {
            throw PictureFailure(
                code: .picturesTooSlow,
                reason:
                    "\(path): is left out: reading the earlier pictures took \(longestReading.components.seconds) s of "
                    + "processor time, the limit")
        }
        let stamp = FileStamp(path)
        let start = csandbox_processor_seconds()
        defer { timeLeft -= .seconds(csandbox_processor_seconds() - start) }
        do {
            return try read(Int((timeLeft / .seconds(1)).rounded(.up)))
        } catch {
            let known = failure(error)
            failures[key] = known
            if known.isOfFile { files.textures?.keep(known, key, stamp) }
            throw known
        }
    }

    // MARK: Files

    /// The path of a file in the package.
    /// - Parameters:
    ///   - name: as the manifest has it.
    ///   - key: the place of its name below `object`.
    /// - Returns: without links inside the package, so that a file is the same under all its names; nil when the name leads
    ///   out of the package, or there is no such file.
    func path(_ name: String, _ key: String, _ object: ManifestObject) -> FilePath? {
        let file = FilePath(name)
        guard file.staysBeneath else {
            object.fault(.fileOutside, key, "\"\(file)\" is not a file inside the mask's folder")
            return nil
        }
        usedFiles.insert(file)
        let path = files.folder / file
        if files.unsaved[file] != nil || files.unsavedTextures[file] != nil { return path }
        var failure: Int32 = 0
        guard let target = path.resolved(failure: &failure) else {
            let code: MaskProblem.Code = failure == ENOENT ? .fileMissing : .fileUnreadable
            object.fault(code, key, "\(path): cannot be read: \(systemErrorText(failure))")
            return nil
        }
        guard let root = files.folder.resolved else { return path }
        // A link may still lead out.
        guard let place = target.relative(to: root), place.staysBeneath else {
            object.fault(.fileOutside, key, "\"\(file)\" is a link to a place outside the mask's folder")
            return nil
        }
        usedFiles.insert(place)
        return files.folder / place
    }

    /// A file of the package, opened beneath its folder.
    /// - Parameter path: from `path`, or the manifest's.
    func open(_ path: FilePath) throws(FileError) -> RegularFile {
        guard let name = path.relative(to: files.folder) else {
            throw FileError(.unreadable, path: path, "leads out of the folder")
        }
        return try OpenFolder(files.folder).open(name)
    }

    func bytes(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
        guard let name = path.relative(to: files.folder), let unsaved = files.unsaved[name] else {
            return try FileContents.read(open(path), limit: limit)
        }
        guard unsaved.count <= limit else {
            throw FileError(.tooLarge, path: path, "has \(unsaved.count) bytes, the limit is \(limit)")
        }
        return unsaved
    }
}
