import Files
import FrameProcessing
import ImageFiles
import Pixels

/// Pictures of what the window shows.
extension LiveOutputs {
    /// A picture on its way to the thread that writes it.
    private final class Snapshot: Sendable {
        let picture: Picture
        init(_ pixels: consuming PixelBuffer, hasAlpha: Bool) { picture = Picture(pixels: pixels, hasAlpha: hasAlpha) }
    }

    /// Writes a copy of a masked frame to a new PNG file, on a separate thread, and says where it is.
    /// - Parameter finish: gets the file's path once it is there, or why there is none.
    func saveSnapshot(
        _ pixels: borrowing PixelBuffer, finish: @escaping (Result<FilePath, any Error>) -> Void = { _ in }
    ) {
        let report = { [say] (result: Result<FilePath, any Error>) in
            switch result {
            case .success(let path): say("Snapshot: \(path)")
            case .failure(let error): say("The snapshot failed: \(error)")
            }
            finish(result)
        }
        do {
            let snapshot = Snapshot(
                try settings.isMirrored ? pixels.mirrored() : pixels.copy(), hasAlpha: settings.hasAlpha)
            let folder = folders.snapshots
            folders.last = folder
            snapshots.add({ Result { try Self.write(snapshot, to: folder) } }, finish: report)
        } catch {
            report(.failure(error))
        }
    }

    private static func write(_ snapshot: Snapshot, to folder: FilePath) throws -> FilePath {
        // The name is taken by an empty file, which the picture replaces: others may write snapshots there, too.
        let reserved = try TimedName.newFile(in: made(folder), fileExtension: "png")
        return try withExtendedLifetime(reserved) {
            try PictureWriter.write(
                snapshot.picture, to: reserved.path, options: .init(format: .png), replacing: true)
            return reserved.path
        }
    }
}
