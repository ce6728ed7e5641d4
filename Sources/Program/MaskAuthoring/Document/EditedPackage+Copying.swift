import Files
import GLTF
import Glibc
import ImageFiles
import JSON
import Masks
import Pixels

/// Files that come into the package, and the package under another name.
extension EditedPackage {
    /// A picture that the user has chosen, as a file of the package. One from elsewhere is copied into the package, under
    /// its own name or one that is free.
    /// - Returns: the name in the package.
    /// - Throws: `FileError` if it cannot be a texture, cannot be read, is larger than a file of a mask may be, or cannot
    ///   be copied.
    package func adopt(picture path: FilePath) throws -> FilePath {
        guard PaintedTexture.canBe(path) else {
            throw FileError(.damaged, path: path, "is not a picture that masks can use: PNG, JPEG, OpenRaster or SVG")
        }
        if let own = nameInPackage(path) { return own }
        return try copy(try FileContents.read(path, limit: MaskArchive.maximumFileSize), of: path, orElse: "picture")
    }

    /// A transparent picture to paint on, as a new file of the package.
    /// - Returns: the name in the package.
    /// - Throws: `FileError`, `PictureError` or `OutOfMemory`.
    package func makePicture() throws -> FilePath {
        try copy(Self.emptyPicture(), of: "paint.png", orElse: "paint")
    }

    private static func emptyPicture() throws -> [UInt8] {
        let pixels = try PixelBuffer(width: Self.paintedSide, height: Self.paintedSide, format: .rgba8)
        let picture = try PictureWriter.encode(
            Picture(pixels: pixels, hasAlpha: true), options: .init(format: .png), path: "paint.png")
        return picture.bytes()
    }

    /// Takes empty pictures to paint on that a session has made which did not end as usual for those of this one: unless the
    /// saved mask names them in the end, they are removed.
    /// - Parameter document: the unsaved one of that session.
    func adoptEmptyPictures(of document: MaskDocument) {
        let empty = try? Self.emptyPicture()
        for name in document.manifest.strings where name.hasSuffix(".png") && Self.isPaint(name) {
            let name = FilePath(name)
            guard let stamp = disk.stamps[name], disk.adopted[name] == nil, name.staysBeneath,
                let bytes = try? FileContents.read(folder / name, limit: MaskArchive.maximumFileSize), bytes == empty
            else { continue }
            disk.adopted[name] = stamp
        }
    }

    private static let paintedSide = 1024

    /// Whether a file of a package has a name as pictures have that are made to be painted on, in a new mask or by
    /// `makePicture`: "paint" or "paint-2". Nothing else tells them from a user's own picture of that name.
    package static func isPaint(_ name: String) -> Bool {
        let stem = FilePath(name).withoutExtension.description
        guard stem.hasPrefix("paint-") else { return stem == "paint" }
        let number = stem.dropFirst(6)
        return !number.isEmpty && number.allSatisfy(\.isNumber)
    }

    /// Whether a file can be the model of a prop, by its name.
    package static func canBeModel(_ path: FilePath) -> Bool { ["glb", "gltf"].contains(path.fileExtension) }

    /// A model that the user has chosen, as a file of the package, like `adopt(picture:)`.
    /// - Throws: `FileError`; `MaskProblem` if it cannot be read as a model.
    package func adopt(model path: FilePath) throws -> (name: FilePath, model: Model) {
        guard Self.canBeModel(path) else {
            throw FileError(.damaged, path: path, "is not a glTF model: .glb or .gltf")
        }
        let (bytes, model) = try ModelFile.read(path)
        return (try nameInPackage(path) ?? copy(bytes, of: path, orElse: "model"), model)
    }

    /// Copies a file into the package, under its own name or one that is free.
    /// - Parameter stem: its name if packages cannot have its own.
    func copy(_ bytes: [UInt8], of path: FilePath, orElse stem: FilePath) throws -> FilePath {
        let given = path.name
        let stem = given.isPortableName && !given.isHidden ? given.withoutExtension : stem
        var number = 1
        while true {
            let name = (number == 1 ? stem : stem + "-\(number)") + ".\(path.fileExtension)"
            if !(folder / name).exists {
                try bytes.withUnsafeBytes { try AtomicFile.write($0, to: folder / name, replacing: false) }
                disk.stamps[name] = FileStamp(folder / name)
                disk.adopted[name] = disk.stamps[name]
                readRevision = -1
                return name
            }
            number += 1
        }
    }

    /// Removes the pictures and models that this session has copied into the package, and that the saved mask does not
    /// name. What somebody has changed stays; all does if another program has changed the manifest, which may name them
    /// now. To be called when nothing can be undone any more, and nothing reads the package.
    package func removeWhatWasOnlyTried() {
        defer { disk.adopted = [:] }
        guard !disk.adopted.isEmpty, manifestOnDisk == history.saved.manifest else { return }
        let named = history.saved.manifest.strings
        for (name, stamp) in disk.adopted where FileStamp(folder / name) == stamp {
            guard let text = name.string, !named.contains(where: { $0.contains(text) }) else { continue }
            _ = (folder / name).withCString { unlink($0) }
            disk.stamps[name] = nil
        }
    }

    /// Nil: it cannot be read; somebody may be writing it.
    private var manifestOnDisk: JSONValue? {
        let path = folder / MaskLoader.manifestName
        guard let bytes = try? FileContents.read(path, limit: MaskArchive.maximumFileSize) else { return nil }
        return try? bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
    }

    /// The name of a file of the package, whatever the spelling of the path; nil if it lies elsewhere. A link in the
    /// package is a file of it, under its own name.
    private func nameInPackage(_ path: FilePath) -> FilePath? {
        let parent = path.parent
        guard let whole = (parent.isEmpty ? "." : parent).resolved, let folder = folder.resolved,
            let name = (whole / path.name).relative(to: folder), name.staysBeneath, disk.stamps[name] != nil
        else { return nil }
        return name
    }

    /// A name for the folder of a copy of the package, free where this one lies: that of the mask, as folders are written, or
    /// with a number, "mask-2" for "mask" and "mask-3" for "mask-2".
    package var nameOfCopy: String {
        let folder = folder.withoutFinalSlashes
        let (own, given) = (folder.name.string ?? "mask", history.current.manifest["name"]?.string ?? "")
        func isTaken(_ name: String) -> Bool { (folder.parent / FilePath(name)).exists }
        let name = Self.folderName(given)
        if name.isEmpty || name == Self.folderName(own) { return Self.nameOfCopy(of: own, isTaken: isTaken) }
        return isTaken(name) ? Self.nameOfCopy(of: name, isTaken: isTaken) : name
    }

    /// A name in small letters, digits and single dashes, of at most 60 bytes.
    private static func folderName(_ name: String) -> String {
        var result = name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        while result.utf8.count > 60 || result.hasSuffix("-") { result.removeLast() }
        return result
    }

    /// - Parameter isTaken: whether something has this name already.
    static func nameOfCopy(of name: String, isTaken: (String) -> Bool) -> String {
        var (stem, number) = (Substring(name), 2)
        // Longer numbers, such as years, belong to the name.
        if let dash = name.lastIndex(of: "-"), dash != name.startIndex {
            let digits = name[name.index(after: dash)...]
            if (1...3).contains(digits.utf8.count), let first = digits.first, first.isNumber, first != "0",
                let last = Int(digits), last > 1
            {
                (stem, number) = (name[..<dash], last + 1)
            }
        }
        while isTaken("\(stem)-\(number)") { number += 1 }
        return "\(stem)-\(number)"
    }

    /// Writes the package with all unsaved changes as a new folder, and goes on with that one. The old folder stays as it
    /// was saved last. Unless the user has just given the mask another name, it has that of the new folder, so that lists
    /// tell the two apart; undo does not take that back.
    /// - Throws: `FileError`; the package is then still the old one.
    package func save(as target: FilePath) throws(FileError) {
        let target = target.withoutFinalSlashes
        try AtomicFile.checkIsFree(target)
        let oldName = history.saved.manifest["name"]
        func rename(_ document: inout MaskDocument) {
            if let name = target.name.string, document.manifest["name"] == oldName {
                document.manifest["name"] = .string(name)
            }
        }
        var document = history.current
        rename(&document)
        var files = document.files
        for (name, matte) in unsavedMattes {
            do {
                files[name] = try encoded(matte, name).bytes()
            } catch {
                throw FileError(.unwritable, path: folder / name, "cannot be compressed: \(error)")
            }
        }
        if let thumbnail = renewedThumbnail() { files[MaskLoader.thumbnailName] = thumbnail }
        for name in try PackageFolder.names(in: folder) where files[name] == nil {
            // An empty file has nothing to read.
            let isEmpty = (folder / name).status()?.st_size == 0
            files[name] = isEmpty ? [] : try FileContents.read(folder / name, limit: MaskArchive.maximumFileSize)
        }
        let pending = try PendingFolder(in: target.parent)
        try PackageFolder.write(
            files.sorted { $0.key < $1.key }.map { MaskArchive.File(name: $0, bytes: $1) }, to: pending.path)
        try pending.rename(to: target, replacing: false)
        let newLock = try PackageLock(target)
        // What somebody has changed is not this session's any more.
        let adopted = disk.adopted.filter { FileStamp(folder / $0.key) == $0.value }.keys
        removeWhatWasOnlyTried()
        removeJournal()
        folder = target.resolved ?? target
        (lock, journal) = (newLock, EditJournal(folder: folder))
        noteAuthor()
        history.rewrite(rename)
        history.markSaved()
        journaling.startAnew()
        disk = DiskState(stamps: PackageFolder.stamps(target))
        for name in adopted { disk.adopted[name] = disk.stamps[name] }
        readRevision = -1
        show("Saved as \(target). You now edit this mask.", false)
    }
}

extension JSONValue {
    /// All strings in it.
    fileprivate var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.strings)
        case .object(let members): members.flatMap(\.value.strings)
        default: []
        }
    }
}
