import CommandLine
import Display
import FaceGeometry
import Glibc
import ImageFiles
import MaskAuthoring
import MaskRendering
import Masking
import Masks
import Pixels

/// A run of `bauta mask edit`. Lives on the process's first thread, which owns the window and OpenGL.
final class EditSession {
    let reference: ReferenceFace
    let mesh: FaceMesh
    /// Every side of a triangle once.
    let meshEdges: [Edge]
    let package: EditedPackage
    private let options: SourceOptions
    private let landmarkModel: String
    private let window: DisplayWindow
    private let renderer: MaskRenderer

    private(set) var model: EditModel
    private(set) var source: any EditModelSource
    private var bare: HeldPicture?
    private let shown: PanelPicture
    private var isStale = true

    let messages: WindowMessages
    private var isRunning = true
    private let start = ContinuousClock.now

    private lazy var panel = EditPanel(self)
    private(set) lazy var view = TextureView(self)

    /// - Throws: `MaskProblem` when there is no manifest that can be edited; `CommandFailure` when the folder cannot be
    ///   written, or is being edited already.
    init(folder: String, data: DataFolder, options: SourceOptions, landmarkModel: String, model: EditModel) throws {
        self.options = options
        self.landmarkModel = landmarkModel
        self.model = model
        let messages = WindowMessages()
        self.messages = messages
        reference = try data.referenceFace()
        mesh = try data.mesh()
        meshEdges = mesh.edges
        package = try EditedPackage(folder, loader: data.maskLoader(reference), reference: reference, mesh: mesh) {
            messages.say($0, isAlarm: $1)
        }
        window = try DisplayWindow(
            title: "Bauta – \(folder)", width: 1280, height: 800, shaders: try data.shaders("FramePresenter"))
        renderer = try MaskRenderer(
            context: window, shaders: try data.maskShaders(), reference: reference, mesh: mesh)
        shown = PanelPicture(try PixelBuffer(width: 8, height: 8, format: .rgba8))
        source = DrawnHead(reference: reference)
        try use(model)
        try package.offerJournal()
    }

    func run() throws -> ExitCode {
        defer { source.stop() }
        var lastActivity = ContinuousClock.now
        var lastDraw = lastActivity
        while isRunning && !Interrupt.isRequested {
            let frameStart = ContinuousClock.now
            for event in window.events() { handle(event) }
            package.followDisk()
            if package.reread() {
                isStale = true
                hasFaceChanged = true
                let name = package.reading.mask?.name ?? package.folder
                window.title = "Bauta – \(name)\(package.history.isSaved ? "" : " *")"
            }
            try redrawFace()
            // While the mouse is held its way is not told by events everywhere.
            if window.isActive || isStale || isEditing || messages.current != nil { lastActivity = frameStart }
            // A window in which nothing happens need not be drawn again, and one that nobody touches not so often: without
            // a graphics card that is what the drawn head and the mask have to wait for.
            let isTouched = window.isActive || isEditing
            if frameStart - lastActivity < .milliseconds(400), isTouched || frameStart - lastDraw > .milliseconds(40) {
                isStale = false
                lastDraw = frameStart
                draw()
                package.keepJournal(isEditing: isEditing)
            }
            // Where the screen does not set the pace.
            let rest = Duration.milliseconds(14) - (ContinuousClock.now - frameStart)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        if isRunning, let place = try package.keepForNextStart() {
            Console.error("bauta: unsaved changes are kept in \(place) and offered at the next start\n")
        }
        return .success
    }

    // MARK: Who wears it

    func use(_ model: EditModel) throws {
        let new: any EditModelSource
        switch model {
        case .drawn: new = DrawnHead(reference: reference)
        case .photograph(let path): new = PhotographModel(path, model: landmarkModel, reference: reference)
        case .moving(let input):
            var options = options
            options.input = input
            new = try MovingModel(options, model: landmarkModel, reference: reference) {
                Console.error("bauta: \($0)\n")
            }
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
        if package.worn?.isAnimated == true, now - lastMotion > .milliseconds(45) { hasFaceChanged = true }
        guard hasFaceChanged, let bare else { return }
        hasFaceChanged = false
        lastMotion = now
        let worn = package.worn
        let seconds = bare.picture.seconds ?? (worn?.isAnimated == true ? (now - start) / .seconds(1) : nil)
        var frame = Frame(try bare.picture.pixels.copy(), seconds: seconds)
        frame.faces = bare.picture.instances
        var compositor = FaceCompositor(mask: worn)
        try compositor.compose(&frame, with: renderer)
        shown.update(frame.pixels)
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
            panels.disabled(package.question != nil) {
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
            if isEditing && !panels.isEditing { package.history.endEdit() }
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
            if let face = bare.picture.instances.max(by: { $0.face.box.area < $1.face.box.area })?.face {
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
        case .key(let key): if package.question == nil { press(key) }
        }
    }

    func answer(_ isYes: Bool) {
        if package.answer(isYes) { isRunning = false }
        isStale = true
    }

    private func close() {
        if package.history.isSaved { isRunning = false } else { package.askToClose() }
        isStale = true
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .control("z", let shift): if shift { package.history.redo() } else { package.history.undo() }
        case .control("y", _): package.history.redo()
        case .control("s", _): package.save()
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
        case .delete: package.removeSelected()
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
