import Display
import FaceGeometry
import FaceTracking
import Files
import FrameSources
import Glibc
import ImageFiles
import Installation
import MaskAuthoring
import MaskRendering
import Threads

/// A run of the editor. It belongs to the process's first thread, which owns the window and OpenGL.
package final class EditSession {
    let package: EditedPackage
    let messages: WindowMessages
    let textureView: TextureView
    let modelView: ModelView
    let propView: PropView
    let window: DisplayWindow
    let editPanel: EditPanel
    private let placement: FacePlacement
    let modelPanel: ModelPanel
    let questionPanel: QuestionPanel
    let authorPanel: AuthorPanel
    let fileChooser: FileChooser
    private let live = LiveRun()
    /// What was made for this session and may not be needed any more; nil: nothing.
    private var draft: PackageDraft?
    /// Decodes pictures and models.
    private let reading = BackgroundWork()
    /// Finds the faces of photographs.
    private let finding = BackgroundWork()
    var isRunning = true
    /// Nobody can be asked any more: what is not saved is kept for the next start.
    var isDisplayLost = false
    private var isStale = true
    /// Whether the user holds a slider, a point or a text field.
    private var isEditing = false
    private static var habitsFile: ConfigurationFile? { ConfigurationFile(named: "edit.json") }

    /// - Parameters:
    ///   - folder: the mask's package.
    ///   - draft: the mask, if it was made for this session: one that stays untouched is removed.
    ///   - model: the first wearer of the mask.
    ///   - person: who the synthetic head is at first, by the index in `Sample.all`.
    ///   - scale: the size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    ///   - models: find the faces of photographs, cameras and clips.
    ///   - openSource: opens a camera or a clip.
    /// - Throws: `MaskProblem` if there is no manifest that can be edited; `FileError` if the folder cannot be written,
    ///   or is being edited by another process; `GraphicsError` without a display; the errors of the model.
    package init(
        folder: FilePath, draft: PackageDraft? = nil, data: DataFolder, model: EditModel, person: Int = 0,
        models: FaceModels, scale: Float? = nil,
        openSource: @escaping (EditModel) throws -> FrameSourceDescription
    ) throws {
        let assets = try AuthoringAssets(data)
        let (reference, mesh) = (assets.reference, assets.mesh)
        self.draft = draft
        let messages = WindowMessages()
        self.messages = messages
        fileChooser = FileChooser(examples: data.path / "masks")
        let package = try EditedPackage(folder, assets: assets) { messages.say($0, isAlarm: $1) }
        self.package = package
        RecentMasks().note(package.folder)
        window = try DisplayWindow(
            title: "Bauta – \(folder)", width: 1280, height: 800, scale: scale, isForWork: true,
            shaders: try data.shaders("FramePresenter"))
        window.steersPanel = true
        let finding = finding
        let renderer = try data.makeRenderer(.auto, window: window, reference: reference, mesh: mesh)
        modelView = try ModelView(
            model, package: package, reference: reference, mesh: mesh, renderer: renderer, networks: models.networks,
            warn: { messages.say($0, isAlarm: true) }
        ) { model in
            switch model {
            case .syntheticHead: SyntheticHeadModel(HeadSettings(person: person), reference: reference)
            case .photograph(let path): PhotographModel(path, models: models, reference: reference, work: finding)
            case .camera, .clip: try MovingModel(openSource(model), models: models, reference: reference)
            }
        }
        textureView = TextureView(
            package, data: data, assets: assets, renderer: renderer, messages: messages)
        propView = PropView(package, renderer: renderer, messages: messages)
        authorPanel = AuthorPanel(package)
        placement = FacePlacement(package, reference: reference, models: models, messages: messages)
        editPanel = EditPanel(
            package, view: textureView, chooser: fileChooser, author: authorPanel, placement: placement,
            messages: messages)
        modelPanel = try ModelPanel(
            modelView, reference: reference, messages: messages, chooser: fileChooser, live: live)
        questionPanel = QuestionPanel(package)
        let habits = EditHabits(Self.habitsFile)
        (textureView.brush.color, textureView.showsMesh) = (habits.color, habits.showsMesh)
        try package.offerJournal()
    }

    /// Who types sees the letters at once: the mask, which may take longer than a letter, follows when no key has come for so
    /// long.
    private static let typingPause = Duration.milliseconds(250)

    /// How a run has ended.
    package struct Outcome {
        /// The file that unsaved changes were kept in; nil: there are none.
        package let kept: FilePath?
        /// Whether threads were left at their work, so that the process must end without waiting for them.
        package let isAbandoned: Bool
    }

    /// How long a closed window waits for a picture that is being decoded or searched, which may take long.
    private static let patience = Duration.milliseconds(1500)

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    package func run(isCancelled: () -> Bool) throws -> Outcome {
        let result = Result {
            try edit(unless: isCancelled)
            authorPanel.saveAtOnce()
        }
        var habits = EditHabits()
        (habits.color, habits.showsMesh) = (textureView.brush.color, textureView.showsMesh)
        habits.keep(in: Self.habitsFile)
        // Also after an error.
        let journal = Result { try package.keepForNextStart() }
        let isAbandoned = end()
        try result.get()
        let kept = try journal.get()
        // An export has ended, which may have read them.
        if kept == nil { package.removeWhatWasOnlyTried() }
        if !isInUse { draft?.removeIfUntouched() }
        return Outcome(kept: kept, isAbandoned: isAbandoned)
    }

    /// Whether another program may have the mask still: a live window, or one that paints.
    private var isInUse: Bool { live.hasStarted || textureView.hasOpenedProgram }

    /// Once the mask has another name, nobody misses what it was made of.
    private func removeDraft() {
        guard let draft, !package.folder.isSameFile(as: draft.folder) else { return }
        self.draft = nil
        if !isInUse { draft.removeIfUntouched() }
    }

    /// Waits for what is being written, and for a short time for what is being read.
    /// - Returns: whether that goes on.
    private func end() -> Bool {
        fileChooser.dialog.stop()
        reading.abandon()
        placement.abandon()
        modelView.source.stop()
        finding.abandon()
        let start = ContinuousClock.now
        while isWorking, ContinuousClock.now - start < Self.patience {
            _ = window.events()
            usleep(14_000)
        }
        return isWorking
    }

    private var isWorking: Bool {
        reading.isWorking || placement.isWorking || finding.isWorking || textureView.isWorking || live.isLooking
    }

    private func edit(unless isCancelled: () -> Bool) throws {
        var lastActivity = ContinuousClock.now
        var lastDraw = lastActivity
        var lastTyping = lastActivity - Self.typingPause
        var drawsSinceRest = 0
        var pause = Duration.milliseconds(40)
        while isRunning && !isDisplayLost && !isCancelled() {
            let frameStart = ContinuousClock.now
            window.showsDialog = hasDialog
            for event in window.events() { handle(event) }
            // What would be changed now would be lost.
            guard isRunning else { break }
            if window.isTypedInto { lastTyping = frameStart }
            if frameStart - lastTyping > Self.typingPause {
                update()
                try modelView.update()
            }
            removeDraft()
            live.handBack()
            if let failure = live.failure() { messages.say(failure, isAlarm: true) }
            if modelView.isStale || propView.isMoving || modelPanel.isWaiting
                || textureView.isWaiting
            {
                isStale = true
            }
            modelView.isStale = false
            // Not every desktop sends events while the mouse is held.
            let isTouched = window.isActive || isEditing
            if isTouched || isStale || messages.current != nil { (lastActivity, drawsSinceRest) = (frameStart, 0) }
            // A window in which nothing happens is not drawn, and one without input less often: without a graphics card
            // drawing it takes time away from the model and the mask.
            // Tooltips need a few frames once the mouse has rested, however long each takes.
            if drawsSinceRest < 4, isTouched || frameStart - lastDraw > pause {
                isStale = false
                if frameStart - lastActivity > .seconds(Panels.hintDelay) { drawsSinceRest += 1 }
                lastDraw = frameStart
                try draw()
                // At most half of the time, where nobody waits for it.
                let duration: Duration = ContinuousClock.now - frameStart
                pause = min(max(.milliseconds(40), duration * 2), .milliseconds(500))
            }
            // Drawn or not: a state may wait for the one before it, or for room on the disk.
            package.keepJournal(isEditing: isEditing)
            // For displays without vertical synchronisation.
            let rest = Duration.milliseconds(14) - (ContinuousClock.now - frameStart)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
    }

    /// Opens the live window, once the mask is saved and it is known whether there is a camera.
    private func wearLive() {
        guard live.isWanted, !authorPanel.isSaving else { return }
        guard package.history.isSaved else {
            // One that cannot be saved says why.
            if live.isSaving { live.isWanted = false } else { authorPanel.saveUnasked() }
            return live.isSaving.toggle()
        }
        // The camera that has been chosen needs no search.
        if case .camera = modelView.model { return openLive(hasCamera: true) }
        live.findCameras { [unowned self] in openLive(hasCamera: $0) }
    }

    private func openLive(hasCamera: Bool) {
        let wearer = modelPanel.liveWearer(hasCamera: hasCamera)
        // No two programs have one camera.
        if case .camera = modelView.model { modelPanel.use(.syntheticHead) }
        let told = live.start(package.folder, on: wearer)
        messages.say(told.text, isAlarm: told.isAlarm)
    }

    private func update() {
        package.followDisk()
        placement.update()
        if package.isReading { isStale = true }
        guard package.reread(with: reading) else { return }
        isStale = true
        modelView.needsRedraw = true
        let name = package.history.current.manifest["name"]?.string ?? package.folder.name.description
        window.title = "Bauta – \(name)\(package.history.isSaved ? "" : " *")"
    }

    func close() {
        authorPanel.saveAtOnce()
        if package.history.isSaved { isRunning = false } else { package.askToClose() }
        isStale = true
    }

    func take(answer: QuestionPanel.Answer) {
        switch answer {
        case .yes: if package.answer(true) { isRunning = false }
        case .no: if package.answer(false) { isRunning = false }
        case .cancel: package.cancelClosing()
        }
        isStale = true
    }

    /// Whether the user has to answer something before editing goes on.
    private var hasDialog: Bool { package.question != nil || fileChooser.dialog.isOpen || authorPanel.isOpen }

    private static func area(_ name: String, _ part: EditLayout.Part, _ panels: Panels, content: () -> Void) {
        panels.area(name, x: part.x, y: part.y, width: part.width, height: part.height, content: content)
    }

    private func draw() throws {
        authorPanel.saveWhatIsTold()
        if authorPanel.isSaving { isStale = true }
        wearLive()
        var failure: (any Error)?
        window.show(isMirrored: false) { panels in
            let (width, height) = panels.windowSize
            let layout = EditLayout(width: width, height: height)
            panels.controls {
                panels.disabled(hasDialog) {
                    Self.area("layers", layout.layers, panels) { editPanel.draw(panels) }
                    Self.area("texture view", layout.texture, panels) {
                        let (width, height) = (layout.texture.innerWidth, layout.texture.innerHeight)
                        guard let model = package.selectedModel else {
                            return textureView.draw(panels, width: width, height: height)
                        }
                        do {
                            try propView.draw(model, panels, width: width, height: height)
                        } catch {
                            failure = error
                        }
                    }
                    Self.area("face view", layout.face, panels) {
                        let width = layout.face.innerWidth
                        let parts = layout.faceParts(controls: modelPanel.height(width: width))
                        panels.canvas("face", width: parts.width, height: parts.height) { modelView.draw($0) }
                        func scrolled(_ width: Float, _ height: Float) {
                            panels.scrolled("controls", width: width, height: height) {
                                modelPanel.draw(panels, width: width, isScrolled: true)
                            }
                        }
                        switch parts.controls {
                        case .below: modelPanel.draw(panels, width: width, isScrolled: false)
                        case .scrolledBelow(let height): scrolled(width, height)
                        case .scrolledBeside(let width):
                            panels.sameLine()
                            scrolled(width, parts.height)
                        }
                    }
                }
                if let answer = questionPanel.draw(panels) { take(answer: answer) }
                if authorPanel.isOpen { authorPanel.draw(panels) }
                if fileChooser.dialog.isOpen {
                    fileChooser.dialog.draw(panels)
                    isStale = isStale || fileChooser.dialog.isWaiting
                }
            }
            if authorPanel.isSaving {
                panels.overlay("saving", "Saving …", x: 0.5, y: 0.97, width: 200)
            } else if package.isReading {
                panels.overlay("reading", "Reading pictures …", x: 0.5, y: 0.97, width: 200)
            }
            if messages.helpOpacity > 0, !fileChooser.dialog.isOpen {
                panels.overlay("help", Self.help, x: 0.5, y: 0.5)
            }
            if isEditing && !panels.isEditing { package.history.endEdit() }
            isEditing = panels.isEditing
        }
        if let failure { throw failure }
    }
}
