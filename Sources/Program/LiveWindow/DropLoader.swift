import Clips
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import MaskAuthoring
import Masks
import SourceSelection
import Threads

/// Loads what the user asks for on a thread of its own, one thing after the other, so that the picture goes on meanwhile.
final class LiveLoader {
    let networks: NetworkFetch
    private let work = BackgroundWork()
    /// The files that are being loaded, oldest first, for the user.
    private var names: [String] = []

    init(_ networks: NetworkFetch) { self.networks = networks }

    /// The file that is being loaded; nil: none.
    var current: String? { names.first }

    /// - Parameters:
    ///   - name: for the user.
    ///   - body: is called on the thread.
    ///   - finish: takes what has been loaded, in `handBack`; or why it cannot be.
    func load<Content: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Content,
        finish: @escaping (Result<Content, any Error>) -> Void
    ) {
        names.append(name)
        work.add {
            Result { try body() }
        } finish: { [self] in
            names.removeFirst()
            finish($0)
        }
    }

    /// Hands back what has been loaded. To be called for each frame.
    func handBack() { work.handBack() }

    /// Waits for what is being loaded, and forgets it. No network is fetched any more.
    func stop() {
        networks.cancel()
        work.stop()
        networks.stop()
    }
}

/// How another source takes the place of the one that is shown.
struct SourceOpening: Sendable {
    let reference: ReferenceFace
    let models: FaceModels
    /// How a source is opened; its input is replaced.
    let options: SourceOptions
    /// The size of running outputs, in pixels, into which other frames must be fitted; nil: nothing runs.
    let size: OutputSize?
    /// The models that the previous source has loaded.
    let loaded: LiveSource.Prepared
    let log: @Sendable (String) -> Void

    struct OutputSize: Equatable, Sendable {
        let width: Int
        let height: Int
    }

    /// - Parameter mode: what a camera is asked for; nil: what cameras are asked for by themselves.
    func source(_ input: SourceOptions.Input, mode: LiveDevices.CameraMode? = nil) throws -> LiveSource.Prepared {
        var options = options
        options.input = input
        switch input {
        case .camera:
            if let mode { (options.size, options.rate) = ((mode.width, mode.height), mode.rate) }
            if let size { options.size = (size.width, size.height) }
        case .clip:
            options.isPaced = true
            options.size = size.map { ($0.width, $0.height) }
        case .pictures(let path):
            InputFiles.protect(path)
            for name in Folder.entries(of: path) ?? [] { InputFiles.protect(path / name) }
        case .several(let paths): for path in paths { InputFiles.protect(path) }
        case .drawn, .drawnPerson: break
        }
        let prepared = try LiveSource.Prepared(
            options, models: models, reference: reference, loaded: loaded, log: log)
        if case .clip(let path) = input { InputFiles.protect(path) }
        return prepared
    }
}

/// A file that was dropped on the window, with the settings for it.
struct Drop: Sendable {
    enum Content: Sendable {
        case mask(LoadedMask)
        case source(SourceOptions.Input, LiveSource.Prepared)
    }

    let path: FilePath
    let masks: DroppedMasks
    let opening: SourceOpening
    /// Whether a photograph is shown. Otherwise it becomes a mask, unless it has several faces, of which none is meant.
    let showsPhotographs: Bool

    /// Does what is obvious with a file or a folder.
    func load() throws -> Content {
        if Folder.exists(path) {
            if (path / MaskLoader.manifestName).exists { return .mask(try masks.loaded(folder: path)) }
            return try source(.pictures(path))
        }
        // A dialog for files chooses no folder.
        if path.name == MaskLoader.manifestName { return .mask(try masks.loaded(folder: path.parent)) }
        if path.fileExtension == "bauta" { return .mask(try masks.loaded(package: path)) }
        if PictureReader.isPhotograph(path) {
            if showsPhotographs { return try source(.pictures(path)) }
            do {
                return .mask(LoadedMask(mask: try masks.mask(portrait: path, models: opening.models)))
            } catch let error as PortraitError {
                guard case .severalFaces = error.reason else { throw error }
                return try source(.pictures(path))
            }
        }
        do {
            return try source(.clip(path))
        } catch let error as ClipError where error.kind == .notAVideo {
            throw ClipError(
                .notAVideo, path: path, "is not a mask, a picture or a video: \(error.reason)",
                quotesFFmpeg: error.quotesFFmpeg)
        }
    }

    /// - Throws: `FileError` if one of several files is no picture.
    static func check(pictures paths: [FilePath]) throws(FileError) {
        for path in paths where !PictureReader.isPhotograph(path) {
            throw FileError(.damaged, path: path, "is no picture: choose one clip, or several pictures")
        }
    }

    private func source(_ input: SourceOptions.Input) throws -> Content {
        .source(input, try opening.source(input))
    }
}
