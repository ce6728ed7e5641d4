import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON
import MaskEditing
import Masks
import Pixels

/// The mask package that is edited: its document with every step, what the document makes, the files on disk that it
/// must agree with, and the journal of what is not saved.
final class EditedPackage {
    let folder: String
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    private let loader: MaskLoader
    private let lock: PackageLock
    private let journal: EditJournal
    private let textures = TextureCache()
    /// Tells the person something; whether it is an alarm.
    private let say: (String, Bool) -> Void

    var history: EditHistory<MaskDocument>
    /// The document as it was last read, with all that is wrong with it.
    private(set) var reading: MaskReading
    private var readRevision = -1
    /// The last mask that could be worn.
    private(set) var worn: Mask?
    var chosen: MaskDocument.LayerPath?

    /// A question that must be answered before anything else.
    private(set) var question: Question?
    private var stamps: PackageFolder.Stamps
    private var lastLook = ContinuousClock.now
    /// Since when what is on disk cannot be read.
    private var unreadableSince: ContinuousClock.Instant?
    private var journaled: (revision: Int, time: ContinuousClock.Instant)?

    enum Question {
        case recover(EditJournal.Content)
        case changedOnDisk(MaskDocument)
        case close
    }

    /// - Throws: `MaskProblem` when there is no manifest that can be edited; `CommandFailure` when the folder cannot be
    ///   written, or is being edited already.
    init(
        _ folder: String, loader: MaskLoader, reference: ReferenceFace, mesh: FaceMesh,
        say: @escaping (String, Bool) -> Void
    ) throws {
        guard Folder.exists(folder) else {
            throw CommandFailure(
                .noInput, "\(folder): is no folder; a packed mask is made one by: bauta mask unpack '\(folder)'")
        }
        guard access(folder, W_OK) == 0 else {
            throw CommandFailure(
                .cannotCreate,
                "\(folder): cannot be written: \(String(cString: strerror(errno))); copy the folder and edit the copy")
        }
        self.folder = folder
        self.reference = reference
        self.mesh = mesh
        self.loader = loader
        self.say = say
        lock = try PackageLock(folder)
        journal = EditJournal(folder: folder)
        let (document, reading) = try Self.read(folder, loader, textures)
        history = EditHistory(document)
        self.reading = reading
        chosen = document.layerPaths.first
        stamps = PackageFolder.stamps(folder)
    }

    // MARK: The document

    /// What is on disk.
    private static func read(
        _ folder: String, _ loader: MaskLoader, _ textures: TextureCache
    ) throws(MaskProblem) -> (document: MaskDocument, reading: MaskReading) {
        let reading = loader.read(PackageFiles(folder: folder, textures: textures))
        guard let manifest = reading.document, case .object = manifest else {
            throw reading.errors.first
                ?? MaskProblem(.manifestUnreadable, path: folder, "cannot be read, and nobody knows why")
        }
        var document = MaskDocument(manifest: manifest)
        for use in reading.textureUses {
            if case .landmarks(let points, let path, let given) = use.purpose {
                document.points[String(path.dropFirst(folder.count + 1))] = Array(points.prefix(given))
            }
        }
        return (document, reading)
    }

    /// Reads the document again if it, or a file that it asks for, has changed.
    /// - Returns: whether it was read.
    func reread() -> Bool {
        guard readRevision != history.revision else { return false }
        readRevision = history.revision
        reading = loader.read(
            PackageFiles(folder: folder, unsaved: history.current.files, textures: textures))
        if let mask = reading.mask { worn = mask }
        if let path = chosen, history.current[layer: path] == nil { chosen = history.current.layerPaths.first }
        return true
    }

    var chosenLayer: JSONValue? { chosen.flatMap { history.current[layer: $0] } }

    /// The texture of the chosen layer, or the first frame of its animation.
    var chosenTexture: MaskReading.TextureUse? {
        guard let chosen else { return nil }
        let pointer = MaskDocument.pointer(chosen)
        return reading.textureUses.first { $0.pointer == pointer + "/texture" || $0.pointer == pointer + "/animation" }
    }

    func name(of texture: Texture) -> String { String(texture.path.dropFirst(folder.count + 1)) }

    /// The vertices on the texture, in pixels; nil: it is no part of the mesh.
    func points(of use: MaskReading.TextureUse) -> [Point]? {
        switch use.purpose {
        case .sheet:
            let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
            return reference.vertices.map { $0 * size }
        case .landmarks(let points, _, _): return points
        case .sticker: return nil
        }
    }

    /// - Parameters:
    ///   - points: all 79.
    ///   - vertex: the one that was meant.
    ///   - edit: what it is a part of.
    func set(_ points: [Point], of use: MaskReading.TextureUse, moved vertex: Int, edit: String?) {
        guard let chosen else { return }
        let texture = name(of: use.texture)
        let taken = Array(stamps.keys)
        let limit = PointsFile.largestCoordinate
        let points = points.map { pointwiseMax(Point(-limit, -limit), pointwiseMin(Point(limit, limit), $0)) }
        history.change("move point \(vertex + 1)", edit: edit) { document in
            switch use.purpose {
            case .sheet:
                let name = document.newPointsName(for: texture, taken: taken)
                document.points[name] = points
                document[layer: chosen]?["landmarks"] = .string(name)
            case .landmarks(_, let path, let given):
                // Head points that no file gives go with the others.
                let name = String(path.dropFirst(folder.count + 1))
                document.points[name] = vertex < given ? Array(points.prefix(given)) : points
            case .sticker: break
            }
        }
    }

    /// Changes a key of the chosen layer; nil takes it out.
    func setChosen(_ key: String, _ value: JSONValue?, step: String? = nil) {
        guard let chosen else { return }
        history.change(step ?? "set \(key)", edit: "\(chosen) \(key)") { $0[layer: chosen]?[key] = value }
    }

    func change(_ name: String, edit: String? = nil, _ body: (inout MaskDocument) -> Void) {
        history.change(name, edit: edit, body)
    }

    // MARK: Files

    /// Files of the folder that can be textures.
    var pictureNames: [String] {
        stamps.keys.filter { PaintedTexture.canBe($0) && $0 != "thumbnail.png" }.sorted()
    }

    /// Looks whether another program has changed files, and takes them up.
    func takeUpChanges() {
        let now = ContinuousClock.now
        guard now - lastLook > .milliseconds(60) else { return }
        lastLook = now
        let new = PackageFolder.stamps(folder)
        guard new != stamps || unreadableSince != nil else { return }
        let changed = Set(new.keys).union(stamps.keys).filter { new[$0] != stamps[$0] }
        stamps = new
        readRevision = -1
        let ours = Set(history.saved.points.keys).union([MaskLoader.manifestName])
        if unreadableSince != nil || !changed.isDisjoint(with: ours) { takeUpDocument(now) }
    }

    private func takeUpDocument(_ now: ContinuousClock.Instant) {
        do {
            let document = try Self.read(folder, loader, textures).document
            unreadableSince = nil
            // What this program has saved itself is nothing new.
            guard document.files != history.saved.files else { return }
            if history.isSaved {
                history.change("what another program has saved") { $0 = document }
                history.markSaved()
            } else {
                question = .changedOnDisk(document)
            }
        } catch {
            // A program may be writing it just now.
            if let since = unreadableSince, now - since > .seconds(1) { say("\(error)", true) }
            unreadableSince = unreadableSince ?? now
        }
    }

    func save() {
        let (files, saved) = (history.current.files, history.saved.files)
        do {
            // The manifest last: what it asks for is there already.
            let names = files.keys.filter { $0 != MaskLoader.manifestName }.sorted() + [MaskLoader.manifestName]
            for name in names where files[name] != saved[name] || stamps[name] == nil {
                try (files[name] ?? []).withUnsafeBytes {
                    try AtomicFile.write($0, to: "\(folder)/\(name)", replacing: true)
                }
            }
            history.markSaved()
            journal.remove()
            stamps = PackageFolder.stamps(folder)
            readRevision = -1
            let problems = MaskCheck(mesh: mesh, reference: reference).problems(reading, names: stamps.keys.sorted())
            let count = problems.count
            say(
                count == 0
                    ? "Saved."
                    : "Saved; bauta mask check finds \(count) problem\(count == 1 ? "" : "s"): \(problems[0])", false)
        } catch {
            say("Not saved: \(error)", true)
        }
    }

    // MARK: The journal

    /// Asks whether what was not saved before is to be taken up.
    func offerJournal() throws {
        do {
            guard let content = try journal.read() else { return }
            if content.document == history.current { return journal.remove() }
            question = .recover(content)
        } catch {
            let kept = journal.path + ".broken"
            guard rename(journal.path, kept) == 0 else { throw error }
            say("\(error). It is kept as \(kept).", true)
        }
    }

    /// Writes what is not saved, at the end of each edit and twice a second within one.
    func keepJournal(isEditing: Bool) {
        guard question == nil, journaled?.revision != history.revision else { return }
        let now = ContinuousClock.now
        if isEditing, let journaled, now - journaled.time < .milliseconds(500) { return }
        journaled = (history.revision, now)
        if history.isSaved { return journal.remove() }
        do {
            try journal.write(history.current)
        } catch {
            say("The journal of unsaved changes cannot be kept: \(error)", true)
        }
    }

    /// Keeps what is not saved for the next start.
    /// - Returns: where; nil: everything is saved.
    func keepForNextStart() throws -> String? {
        if history.isSaved { return nil }
        try journal.write(history.current)
        return journal.path
    }

    // MARK: Questions

    func askToClose() { question = .close }

    /// - Returns: whether editing is over.
    func answer(_ isYes: Bool) -> Bool {
        defer { question = nil }
        switch question {
        case .recover(let content):
            if isYes {
                history.change("recover unsaved changes") { $0 = content.document }
                say("The changes are back. They are not saved yet.", false)
            } else {
                journal.remove()
            }
        case .changedOnDisk(let document):
            // Both are steps, so that what is given up can be brought back.
            let own = history.current
            history.change("what another program has saved") { $0 = document }
            if !isYes { history.change("keep what was here") { $0 = own } }
            history.markSaved(as: document)
            readRevision = -1
        case .close:
            if isYes { save() } else { journal.remove() }
            return !isYes || history.isSaved
        case nil: break
        }
        return false
    }

    func cancelQuestion() { if case .close? = question { question = nil } }
}

extension JSONValue {
    /// A number with the decimals that people can tell apart.
    static func rounded(_ value: Float) -> JSONValue { .number((Double(value) * 1000).rounded() / 1000) }
}

/// Keeps a second editor off the same package, for as long as it lives.
final class PackageLock {
    private let descriptor: Int32

    init(_ folder: String) throws {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(.noInput, "\(folder): cannot be opened: \(String(cString: strerror(errno)))")
        }
        // File systems without locks let everybody in.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            Glibc.close(descriptor)
            throw CommandFailure(.cannotCreate, "\(folder): is being edited in another window already")
        }
    }

    deinit { Glibc.close(descriptor) }
}
