import Files
import JSON
import Masks
import Threads

/// Which pictures and models an edited package has read, and the reading that another thread does.
struct PictureReading {
    /// Names in the manifest, with the state of each file when it was read last.
    fileprivate var known: [String: FileStamp?] = [:]
    fileprivate var isRunning = false
    fileprivate var handed: Handed?

    /// Unchecked: `MaskReading` is a class that changes, but `BackgroundWork` hands it over, and the thread that made it keeps
    /// nothing of it.
    fileprivate struct Handed: @unchecked Sendable {
        let folder: FilePath
        let reading: MaskReading
        let textures: TextureCache.Content
    }
}

/// Building the mask that the document describes.
extension EditedPackage {
    /// Whether pictures are being read on another thread; the last reading may be that of another document.
    package var isReading: Bool { pictureReading.isRunning }

    /// Whether the last reading is not that of the document as it is now.
    package var isToRead: Bool { isReading || readRevision != history.revision }

    /// Builds the mask again if the document or a file that it uses has changed.
    /// - Returns: whether it was built again.
    package func reread() -> Bool {
        guard readRevision != history.revision else { return false }
        readRevision = history.revision
        var files = unsavedFiles()
        files.textures = textures
        take(loader.read(files))
        return true
    }

    /// The same, but new pictures and models are read on another thread: decoding them may take up to a minute. Until then
    /// the last reading stays.
    /// - Parameter work: reads them, and hands them back in a later call.
    package func reread(with work: BackgroundWork) -> Bool {
        work.handBack()
        if let handed = pictureReading.handed {
            pictureReading.handed = nil
            pictureReading.isRunning = false
            // The package may have been saved as another one.
            guard handed.folder == folder else { return false }
            textures.content = handed.textures
            take(handed.reading)
            return true
        }
        guard readRevision != history.revision, !isReading else { return false }
        let wanted = pictureStamps
        // A picture that could not be read is tried again.
        if reading.problems.errorCount == 0, wanted.allSatisfy({ pictureReading.known[$0] == $1 }) { return reread() }
        readRevision = history.revision
        pictureReading.known.merge(wanted) { $1 }
        pictureReading.isRunning = true
        let files = unsavedFiles()
        work.add {
            [loader, folder, unsaved = files.unsaved, pixels = files.unsavedTextures, content = textures.content] in
            let textures = TextureCache(content)
            let reading = loader.read(
                PackageFiles(folder: folder, unsaved: unsaved, unsavedTextures: pixels, textures: textures))
            return PictureReading.Handed(folder: folder, reading: reading, textures: textures.content)
        } finish: { [unowned self] in
            pictureReading.handed = $0
        }
        return false
    }

    private func unsavedFiles() -> PackageFiles {
        var files = PackageFiles(folder: folder, unsaved: history.current.files)
        do {
            files.unsavedTextures = try matteTextures.textures(mattes, in: folder)
        } catch {
            show("The brush strokes cannot be shown: \(error)", true)
        }
        return files
    }

    private func take(_ reading: MaskReading) {
        self.reading = reading
        if let mask = reading.mask { worn = mask }
        if let path = selection, history.current[layer: path] == nil { selection = history.current.layerPaths.first }
    }

    /// The pictures and models that the document names.
    private var pictureStamps: [String: FileStamp?] {
        var stamps: [String: FileStamp?] = [:]
        func note(_ name: JSONValue?, part: JSONValue? = nil) {
            guard let name = name?.string else { return }
            stamps["\(name)\0\(part?.string ?? "")"] = .some(disk.stamps[FilePath(name)])
        }
        for path in history.current.layerPaths {
            guard let layer = history.current[layer: path] else { continue }
            note(layer["texture"], part: layer["textureLayer"])
            note(layer["model"])
            note(layer["animation"]?["file"])
            for frame in layer["animation"]?["frames"]?.elements ?? [] { note(frame) }
        }
        return stamps
    }
}
