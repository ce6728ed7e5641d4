import Clips
import FaceTracking
import Files
import ImageFiles
import Masks
import SourceSelection
import Threads

/// Loads what the user asks for on a thread of its own, one thing after the other, so that the picture goes on meanwhile.
final class LiveLoader {
    private let work = BackgroundWork()
    /// The files that are being loaded, oldest first, for the user.
    private var names: [String] = []

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

    /// Waits for what is being loaded, and forgets it.
    func stop() { work.stop() }
}

/// A file that was dropped on the window, with the settings for it.
struct Drop: Sendable {
    enum Content: Sendable {
        case mask(LoadedMask)
        case source(SourceOptions.Input, LiveSource.Prepared)
    }

    let path: FilePath
    let masks: DroppedMasks
    let models: FaceModels
    /// How a source is opened; its input is replaced.
    let options: SourceOptions
    /// The only size of frames that running outputs take, in pixels; nil: any.
    let size: OutputSize?
    /// The models that the previous source has loaded.
    let loaded: LiveSource.Prepared
    let log: @Sendable (String) -> Void

    struct OutputSize: Sendable {
        let width: Int
        let height: Int
    }

    /// Does what is obvious with a file or a folder.
    func load() throws -> Content {
        if Folder.exists(path) {
            if (path / MaskLoader.manifestName).exists { return .mask(try masks.loaded(folder: path)) }
            return try source(.pictures(path))
        }
        if path.fileExtension == "bauta" { return .mask(try masks.loaded(package: path)) }
        if PictureHeader(path: path) != nil || PictureFormat.isPictureName(path) {
            return .mask(LoadedMask(mask: try masks.mask(portrait: path, models: models)))
        }
        do {
            return try source(.clip(path))
        } catch let error as ClipError where error.kind == .notAVideo {
            throw ClipError(
                .notAVideo, path: path, "is not a mask, a picture or a video: \(error.reason)")
        }
    }

    private func source(_ input: SourceOptions.Input) throws -> Content {
        var options = options
        options.input = input
        switch input {
        case .pictures(let folder):
            // Each has its own size.
            if size != nil { throw OtherSize(path: folder) }
            for name in Folder.entries(of: folder) ?? [] { InputFiles.protect(folder / name) }
        default:
            options.isPaced = true
            options.size = size.map { ($0.width, $0.height) }
        }
        let prepared = try LiveSource.Prepared(
            options, models: models, reference: masks.reference, loaded: loaded, log: log)
        if case .clip(let path) = input { InputFiles.protect(path) }
        return .source(input, prepared)
    }

    private struct OtherSize: Error, CustomStringConvertible {
        let path: FilePath
        var description: String {
            "\(path.name): not shown, because the current recording or stream has another size"
        }
    }
}
