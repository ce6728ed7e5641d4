import FaceTracking
import Files
import ImageFiles
import Masking
import Masks
import Media
import Threads

/// Loads what the user drops on the window on a thread of its own, one thing after the other, so that the picture goes on
/// meanwhile.
final class DropLoader {
    enum Content: Sendable {
        case mask(Mask, folder: FilePath)
        case package(Mask, UnpackedMask)
        case portrait(Mask)
        case source(SourceOptions.Input, LiveSource.Prepared)
    }

    /// What has been dropped, with what it is to be used with.
    struct Drop: Sendable {
        let path: FilePath
        let masks: DroppedMasks
        let models: FaceModels
        /// How a source is opened; its input is replaced.
        let options: SourceOptions
        /// The only size of frames that running outputs take, in pixels; nil: any.
        let size: OutputSize?
        /// What the source before has loaded.
        let loaded: LiveSource.Prepared
        let log: @Sendable (String) -> Void
    }

    struct OutputSize: Sendable {
        let width: Int
        let height: Int
    }

    private var waiting: [Drop] = []
    private var running: (drop: Drop, thread: DedicatedThread.Handle)?
    private let results = Mailbox<Result<Content, any Error>>()

    /// What is being loaded; nil: nothing.
    var current: FilePath? { running?.drop.path }

    func add(_ drop: Drop) {
        waiting.append(drop)
        startNext()
    }

    /// The next thing that has been loaded, or why it cannot be; nil: there is none yet.
    func next() -> Result<Content, any Error>? {
        guard let result = results.take(waiting: 0) else { return nil }
        running?.thread.join()
        running = nil
        startNext()
        return result
    }

    /// Waits for what is being loaded, and forgets it.
    func stop() {
        waiting = []
        running?.thread.join()
        running = nil
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        let drop = waiting.removeFirst()
        do throws(NoThread) {
            let thread = try DedicatedThread.start { [results] in
                _ = results.replace(Result { try Self.load(drop) })
            }
            running = (drop, thread)
        } catch {
            _ = results.replace(.failure(error))
        }
    }

    /// Does what is obvious with a file or a folder.
    private static func load(_ drop: Drop) throws -> Content {
        let path = drop.path
        if Folder.exists(path) {
            if (path / MaskLoader.manifestName).exists {
                return .mask(try drop.masks.mask(folder: path), folder: path)
            }
            return try source(.pictures(path), drop)
        }
        if path.fileExtension == "bauta" {
            let (mask, unpacked) = try drop.masks.mask(package: path)
            return .package(mask, unpacked)
        }
        if PictureHeader(path: path) != nil || PictureFormat.isPictureName(path) {
            return .portrait(try drop.masks.mask(portrait: path, models: drop.models))
        }
        do {
            return try source(.clip(path), drop)
        } catch let error as ClipError where error.kind == .notAVideo {
            throw ClipError(
                .notAVideo, path: path, "is neither a mask nor a picture, and no video either: \(error.reason)")
        }
    }

    private static func source(_ input: SourceOptions.Input, _ drop: Drop) throws -> Content {
        var options = drop.options
        options.input = input
        switch input {
        case .pictures(let folder):
            // Each has its own size.
            if drop.size != nil { throw OtherSize(path: folder) }
        default:
            options.isPaced = true
            options.size = drop.size.map { ($0.width, $0.height) }
        }
        return .source(
            input,
            try LiveSource.Prepared(
                options, models: drop.models, reference: drop.masks.reference, loaded: drop.loaded, log: drop.log))
    }

    private struct OtherSize: Error, CustomStringConvertible {
        let path: FilePath
        var description: String {
            "\(path.name): not shown, because what is being recorded or streamed has another size"
        }
    }
}
