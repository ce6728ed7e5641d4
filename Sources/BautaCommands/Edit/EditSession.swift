import Display
import FaceGeometry
import FaceTracking
import Glibc
import ImageFiles
import JSON
import MaskEditing
import MaskRendering
import Masks
import Pixels

/// A run of `bauta mask edit`. Lives on the process's first thread, which owns the window and OpenGL.
final class EditSession {
    let reference: ReferenceFace
    let mesh: FaceMesh
    /// Every side of a triangle once.
    let meshEdges: [Edge]
    let folder: String
    private let loader: MaskLoader
    private let options: LiveOptions
    private let window: DisplayWindow
    private let renderer: MaskRenderer
    private let lock: PackageLock
    private let journal: EditJournal
    private let textures = TextureCache()

    var history: EditHistory<MaskDocument>
    /// The document as it was last read, with all that is wrong with it.
    private(set) var reading: MaskReading
    private var readRevision = -1
    /// The last mask that could be worn.
    private var worn: Mask?
    var chosen: MaskDocument.LayerPath?

    private(set) var model: EditModel
    private(set) var source: any EditModelSource
    private var bare: HeldPicture?
    private let shown: PanelPicture
    private var isStale = true

    private(set) var messages = LiveMessages()
    /// A question that must be answered before anything else.
    private(set) var question: Question?
    private var isRunning = true
    private var stamps: [String: FileStamp] = [:]
    private var lastLook = ContinuousClock.now
    /// Since when what is on disk cannot be read.
    private var unreadableSince: ContinuousClock.Instant?
    private var journaled: (revision: Int, time: ContinuousClock.Instant)?
    private let start = ContinuousClock.now

    private lazy var panel = EditPanel(self)
    private(set) lazy var view = TextureView(self)

    enum Question {
        case recover(EditJournal.Content)
        case changedOnDisk(MaskDocument)
        case close
    }

    /// - Throws: `MaskProblem` when there is no manifest that can be edited; `CommandFailure` when the folder cannot be
    ///   written, or is being edited already.
    init(folder: String, data: DataFolder, options: LiveOptions, model: EditModel) throws {
        self.folder = folder
        self.options = options
        self.model = model
        guard Folder.exists(folder) else {
            throw CommandFailure(
                .noInput, "\(folder): is no folder; a packed mask is made one by: bauta mask unpack '\(folder)'")
        }
        guard access(folder, W_OK) == 0 else {
            throw CommandFailure(
                .cannotCreate,
                "\(folder): cannot be written: \(String(cString: strerror(errno))); copy the folder and edit the copy")
        }
        lock = try PackageLock(folder)
        reference = try data.referenceFace()
        mesh = try data.mesh()
        meshEdges = Set(mesh.triangles.flatMap(\.edges).map(\.undirected)).sorted {
            ($0.from, $0.to) < ($1.from, $1.to)
        }
        loader = data.maskLoader(reference)
        journal = EditJournal(folder: folder)
        let document = try Self.document(folder, loader)
        history = EditHistory(document)
        reading = loader.read(PackageFiles(folder: folder, unsaved: document.files, textures: textures))
        window = try DisplayWindow(
            title: "Bauta – \(folder)", width: 1280, height: 800, shaders: try data.shaders("FramePresenter"))
        renderer = try MaskRenderer(
            context: window, shaders: try data.maskShaders(), reference: reference, mesh: mesh)
        shown = PanelPicture(try PixelBuffer(width: 8, height: 8, format: .rgba8))
        source = DrawnHead(reference: reference)
        chosen = document.layerPaths.first
        stamps = Self.stamps(folder)
        messages.echoes = false
        try use(model)
        try offerJournal()
    }

    func run() throws -> ExitCode {
        defer { source.stop() }
        var lastActivity = ContinuousClock.now
        while isRunning && !Interrupt.isRequested {
            let frameStart = ContinuousClock.now
            for event in window.events() { handle(event) }
            takeUpChanges()
            reread()
            try redrawFace()
            // While the mouse is held its way is not told by events everywhere.
            if window.isActive || isStale || isEditing || messages.current != nil { lastActivity = frameStart }
            // A window in which nothing happens need not be drawn again.
            if frameStart - lastActivity < .milliseconds(400) {
                isStale = false
                draw()
                keepJournal()
            }
            // Where the screen does not set the pace.
            let rest = Duration.milliseconds(14) - (ContinuousClock.now - frameStart)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        if !history.isSaved && isRunning {
            try journal.write(history.current)
            Console.error("bauta: unsaved changes are kept in \(journal.path) and offered at the next start\n")
        }
        return .success
    }

    // MARK: The document

    /// What is on disk.
    private static func document(_ folder: String, _ loader: MaskLoader) throws(MaskProblem) -> MaskDocument {
        let path = folder + "/" + MaskLoader.manifestName
        let manifest: JSONValue
        do {
            let bytes = try FileContents.read(path, limit: 1 << 20)
            manifest = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch let error as JSONValue.SyntaxError {
            throw MaskProblem(
                .manifestNotJSON, path: path, at: .line(error.line, column: error.column), error.reason)
        } catch {
            throw MaskProblem(.manifestUnreadable, path: path, "\(error)")
        }
        guard case .object = manifest else {
            throw MaskProblem(.wrongType, path: path, "must be an object, not \(manifest.kind)")
        }
        var document = MaskDocument(manifest: manifest)
        for use in loader.read(PackageFiles(folder: folder)).textureUses {
            if case .landmarks(let points, let path, let given) = use.purpose {
                document.points[String(path.dropFirst(folder.count + 1))] = Array(points.prefix(given))
            }
        }
        return document
    }

    private func reread() {
        guard readRevision != history.revision else { return }
        readRevision = history.revision
        reading = loader.read(
            PackageFiles(folder: folder, unsaved: history.current.files, textures: textures))
        if let mask = reading.mask { worn = mask }
        if let path = chosen, history.current[layer: path] == nil { chosen = history.current.layerPaths.first }
        isStale = true
        hasFaceChanged = true
        window.title = "Bauta – \(reading.mask?.name ?? folder)\(history.isSaved ? "" : " *")"
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
        stamps.keys.filter { name in
            ["png", "jpg", "jpeg", "ora", "svg"].contains(name.split(separator: ".").last?.lowercased() ?? "")
                && name != "thumbnail.png"
        }.sorted()
    }

    private static func stamps(_ folder: String) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for name in (try? PackageFolder.names(in: folder)) ?? [] {
            if let stamp = FileStamp("\(folder)/\(name)") { stamps[name] = stamp }
        }
        return stamps
    }

    /// Looks whether another program has changed files, and takes them up.
    private func takeUpChanges() {
        let now = ContinuousClock.now
        guard now - lastLook > .milliseconds(60) else { return }
        lastLook = now
        let new = Self.stamps(folder)
        guard new != stamps || unreadableSince != nil else { return }
        let changed = Set(new.keys).union(stamps.keys).filter { new[$0] != stamps[$0] }
        stamps = new
        readRevision = -1
        let ours = Set(history.saved.points.keys).union([MaskLoader.manifestName])
        if unreadableSince != nil || !changed.isDisjoint(with: ours) { takeUpDocument(now) }
    }

    private func takeUpDocument(_ now: ContinuousClock.Instant) {
        do {
            let document = try Self.document(folder, loader)
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
            if let since = unreadableSince, now - since > .seconds(1) { messages.say("\(error)", isAlarm: true) }
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
            stamps = Self.stamps(folder)
            readRevision = -1
            let problems = MaskCheck(mesh: mesh).problems(reading, names: stamps.keys.sorted())
            let count = problems.count
            messages.say(
                count == 0
                    ? "Saved."
                    : "Saved; bauta mask check finds \(count) problem\(count == 1 ? "" : "s"): \(problems[0])")
        } catch {
            messages.say("Not saved: \(error)", isAlarm: true)
        }
    }

    // MARK: The journal

    private func offerJournal() throws {
        do {
            guard let content = try journal.read() else { return }
            if content.document == history.current { return journal.remove() }
            question = .recover(content)
        } catch {
            let kept = journal.path + ".broken"
            guard rename(journal.path, kept) == 0 else { throw error }
            messages.say("\(error). It is kept as \(kept).", isAlarm: true)
        }
    }

    /// Writes what is not saved, at the end of each edit and twice a second within one.
    private func keepJournal() {
        guard question == nil, journaled?.revision != history.revision else { return }
        let now = ContinuousClock.now
        if isEditing, let journaled, now - journaled.time < .milliseconds(500) { return }
        journaled = (history.revision, now)
        if history.isSaved { return journal.remove() }
        do {
            try journal.write(history.current)
        } catch {
            messages.say("The journal of unsaved changes cannot be kept: \(error)", isAlarm: true)
        }
    }

    func answer(_ isYes: Bool) {
        switch question {
        case .recover(let content):
            if isYes {
                history.change("recover unsaved changes") { $0 = content.document }
                messages.say("The changes are back. They are not saved yet.")
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
            isRunning = isYes && !history.isSaved
        case nil: break
        }
        question = nil
        isStale = true
    }

    func cancelQuestion() { if case .close? = question { question = nil } }

    // MARK: Who wears it

    func use(_ model: EditModel) throws {
        let new: any EditModelSource
        switch model {
        case .drawn: new = DrawnHead(reference: reference)
        case .photograph(let path): new = PhotographModel(path, model: options.model, reference: reference)
        case .moving(let input):
            var options = options
            options.input = input
            new = try MovingModel(options, reference: reference)
        }
        source.stop()
        source = new
        bare = nil
        navigation.showAll()
        if case .photograph = model { looksForFace = true }
        self.model = model
        isStale = true
    }

    private final class HeldPicture {
        let picture: EditPicture
        init(_ picture: consuming EditPicture) { self.picture = picture }
    }

    private var hasFaceChanged = false
    private var shownTrouble: String?
    private var navigation = PictureNavigation()
    /// Whether the face of a photograph is still to be brought before the eyes.
    private var looksForFace = false
    private var lastMotion = ContinuousClock.now

    private func redrawFace() throws {
        if source.trouble != shownTrouble {
            shownTrouble = source.trouble
            isStale = true
        }
        if let picture = try source.next() {
            bare = HeldPicture(picture)
            hasFaceChanged = true
        }
        // What moves by itself goes on, also on a still.
        let now = ContinuousClock.now
        if worn?.isAnimated == true, now - lastMotion > .milliseconds(45) { hasFaceChanged = true }
        guard hasFaceChanged, let bare else { return }
        hasFaceChanged = false
        lastMotion = now
        var pixels = try bare.picture.pixels.copy()
        if let worn {
            let seconds = bare.picture.seconds ?? (worn.isAnimated ? (now - start) / .seconds(1) : nil)
            try renderer.draw(worn, on: bare.picture.wearers, at: seconds, in: &pixels, encoding: .video)
        }
        shown.update(pixels)
        isStale = true
    }

    // MARK: The window

    private(set) var isEditing = false

    private func draw() {
        window.show(isMirrored: false) { panels in
            let (width, height) = panels.windowSize
            let side: Float = 320
            let half = max(120, (width - side) / 2)
            let below: Float = source is DrawnHead ? 196 : 56
            panels.disabled(question != nil) {
                panels.area("layers", x: 0, y: 0, width: side, height: height) { panel.drawSide(panels) }
                panels.area("texture view", x: side, y: 0, width: half, height: height) {
                    view.draw(panels, width: half - 16, height: height - 16)
                }
                panels.area("face view", x: side + half, y: 0, width: half, height: height) {
                    panels.canvas("face", width: half - 16, height: height - below - 16) { drawFace($0) }
                    panel.drawModel(panels)
                }
            }
            panel.drawQuestion(panels)
            if let message = messages.current {
                panels.overlay(
                    "message", message.text, x: 0.5, y: 0.98, opacity: message.opacity, isAlarm: message.isAlarm)
            }
            if isEditing && !panels.isEditing { history.endEdit() }
            isEditing = panels.isEditing
        }
    }

    private func drawFace(_ canvas: Canvas) {
        guard bare != nil else {
            canvas.text(source.trouble ?? "Opening \(model.name) ...", at: Point(14, 12))
            return
        }
        let size = Point(Float(shown.width), Float(shown.height))
        if looksForFace, let bare {
            looksForFace = false
            if let face = bare.picture.wearers.max(by: { $0.face.box.area < $1.face.box.area })?.face {
                // With hat and beard; but never from so near that pixels are to be seen.
                let extent = max(2.4 * face.box.height, min(canvas.size.x, canvas.size.y) / 2)
                navigation.show(center: face.box.center, extent: min(extent, size.max()), of: size, on: canvas)
            }
        }
        let placed = navigation.navigate(canvas, size: size)
        canvas.picture(shown, at: placed.corner, size: placed.scale * size)
        if let trouble = source.trouble { canvas.text(trouble, at: Point(14, 12)) }
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed: close()
        case .dropped(let path):
            do {
                try use(PictureFormat(path: path) != nil ? .photograph(path) : .moving(.clip(path)))
            } catch {
                messages.say("\(error)", isAlarm: true)
            }
        case .key(let key): if question == nil { press(key) }
        }
    }

    private func close() {
        if history.isSaved { isRunning = false } else { question = .close }
        isStale = true
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .control("z", let shift): if shift { history.redo() } else { history.undo() }
        case .control("y", _): history.redo()
        case .control("s", _): save()
        case .control("q", _): close()
        case .letter("x"): view.isSymmetric.toggle()
        case .letter("n"): view.snaps.toggle()
        case .letter("m"): view.showsMesh.toggle()
        case .letter("f"):
            view.fit()
            navigation.showAll()
        case .left: view.nudge(Point(-1, 0))
        case .right: view.nudge(Point(1, 0))
        case .up: view.nudge(Point(0, -1))
        case .down: view.nudge(Point(0, 1))
        case .delete: panel.removeChosen()
        case .letter, .control, .space, .tab, .escape, .digit: break
        }
    }
}

extension Mask {
    /// Whether something in it moves by itself.
    fileprivate var isAnimated: Bool {
        layers.contains { layer in
            let picture: LayerPicture? =
                switch layer.content {
                case .warp(let warp): warp.picture
                case .sticker(let sticker): sticker.picture
                case .deform: nil
                }
            if case .animation(let animation)? = picture { return animation.position == nil }
            return false
        }
    }
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
