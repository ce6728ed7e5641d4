import Clips
import Display
import Files
import Glibc
import Graphics
import Installation
import LiveWindow
import Threads

/// A run of the window in which somebody chooses a mask for photographs, sees it on the first of them, and has all masked.
/// It belongs to the process's first thread, which owns the window and OpenGL.
package final class PhotographSession {
    private enum Work {
        case none
        case running(PhotographProgress)
        case done(PhotographResults)
    }

    private let tasks: PhotographTasks
    private let window: DisplayWindow
    private let messages = WindowMessages()
    private let masks: PhotographMasks
    /// Finds photographs and draws previews.
    private let looking = BackgroundWork()
    private let masking = BackgroundWork()
    private let opening = BackgroundWork()
    private var selection: PhotographSelection?
    private var isFinding = false
    /// Files that are dropped together come one after another.
    private var dropped: [FilePath] = []
    /// The mask whose preview was asked for last, and whether it is shown; nil: none.
    private var asked: (mask: FilePath, isShown: Bool)?
    private var obstacle: String?
    private var work = Work.none
    private var isRunning = true

    /// - Parameters:
    ///   - inputs: files and folders; may be empty.
    ///   - mask: the folder of the mask that is chosen at first.
    /// - Throws: `GraphicsError` without a display; `DataFolderError` or `FileError`.
    package init(_ inputs: [FilePath], mask: FilePath, tasks: PhotographTasks, data: DataFolder) throws {
        self.tasks = tasks
        var all = data.installedMasks()
        let known = all.firstIndex { $0.folder == mask }
        if known == nil { all.append((mask.name.description, mask)) }
        let thread = ThumbnailThread(
            data: data, reference: try data.referenceFace(), mesh: try data.mesh(), side: 2 * PhotographMasks.side)
        masks = PhotographMasks(all, chosen: known ?? all.count - 1, thread: thread)
        window = try DisplayWindow(
            title: "Bauta – photographs", width: 960, height: 640, scale: nil,
            shaders: try data.shaders("FramePresenter"))
        window.steersPanel = true
        window.isPictureBesidePanel = true
        if !inputs.isEmpty { find(inputs) }
    }

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    /// - Returns: what was made last; nil: nothing.
    package func run(isCancelled: () -> Bool) -> PhotographResults? {
        var lastActivity = ContinuousClock.now
        while isRunning && !isCancelled() {
            let start = ContinuousClock.now
            for event in window.events() { handle(event) }
            takeDropped()
            let isBusy = looking.isBusy || masking.isBusy
            looking.handBack()
            masking.handBack()
            opening.handBack()
            if window.isActive || isBusy || messages.current != nil { lastActivity = start }
            // Thumbnails come for some seconds; later, a window in which nothing happens is drawn seldom.
            draw()
            let interval = start - lastActivity < .seconds(8) ? 14 : 150
            let rest = Duration.milliseconds(interval) - (ContinuousClock.now - start)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        if case .running(let progress) = work { progress.stop() }
        looking.stop()
        // What is being written is finished, and told.
        masking.finish()
        opening.stop()
        if case .done(let results) = work { return results }
        return nil
    }

    // MARK: Events

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed: isRunning = false
        case .dropped(let path): dropped.append(FilePath(path).withoutFinalSlashes)
        case .key(let key) where window.steer(key): break
        case .key(let key): press(key)
        }
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .left, .up, .pageUp: choose(-1)
        case .right, .down, .pageDown: choose(1)
        case .enter, .space: begin()
        case .letter("o"): showResults()
        case .letter("f"), .function(11): window.toggleFullScreen()
        case .letter("h"), .function(1): messages.toggleHelp()
        case .escape: dismiss()
        case .letter("q"), .control("q", _): isRunning = false
        default: break
        }
    }

    /// Closes what is in front, stops what runs, or ends.
    private func dismiss() {
        if window.closeLists() { return }
        if window.isFullScreen { return window.toggleFullScreen() }
        if messages.helpOpacity > 0 { return messages.toggleHelp() }
        if case .running(let progress) = work { return progress.stop() }
        isRunning = false
    }

    private func choose(_ step: Int) {
        masks.move(by: step)
        askForPreview()
    }

    private func takeDropped() {
        guard !dropped.isEmpty else { return }
        if case .running = work {
            messages.say("Wait until these photographs are masked", isAlarm: true)
        } else {
            find(dropped)
        }
        dropped = []
    }

    // MARK: Work

    private func find(_ inputs: [FilePath]) {
        isFinding = true
        (selection, asked, obstacle, work) = (nil, nil, nil, .none)
        looking.add { [tasks] in
            tasks.find(inputs)
        } finish: { [self] result in
            isFinding = false
            switch result {
            case .success(let found):
                selection = found
                window.upload(found.shown.pixels)
                askForPreview()
            case .failure(let failure): obstacle = failure.description
            }
        }
    }

    /// One preview is drawn at a time; of those that are asked for meanwhile, only the last one.
    private func askForPreview() {
        guard let selection else { return }
        let mask = masks.folder
        guard asked?.mask != mask else { return }
        let isDrawing = asked?.isShown == false
        asked = (mask, false)
        if !isDrawing { drawPreview(selection.first, mask) }
    }

    private func drawPreview(_ photograph: FilePath, _ mask: FilePath) {
        looking.add { [tasks] in
            tasks.preview(photograph, mask)
        } finish: { [self] result in
            guard let selection, selection.first == photograph, let wanted = asked?.mask else { return }
            guard wanted == mask else { return drawPreview(photograph, wanted) }
            asked = (mask, true)
            switch result {
            case .success(let shown):
                window.upload(shown.pixels)
                obstacle = shown.faceCount == 0 ? "No face was found in this photograph." : shown.notice
            case .failure(let failure): obstacle = failure.description
            }
        }
    }

    private func begin() {
        guard let selection else { return }
        if case .running = work { return }
        let progress = PhotographProgress(total: selection.count)
        work = .running(progress)
        masking.add { [tasks, inputs = selection.inputs, mask = masks.folder] in
            tasks.mask(inputs, mask, progress)
        } finish: { [self] result in
            switch result {
            case .success(let results): work = .done(results)
            case .failure(let failure):
                work = .none
                messages.say(failure.description, isAlarm: true)
            }
        }
    }

    private func showResults() {
        guard case .done(let results) = work, results.masked + results.faceless > 0 else { return }
        opening.add {
            Result { () throws(FileManagerWindow.Failure) in try FileManagerWindow.open(results.folder) }
        } finish: { [messages] result in
            if case .failure(let failure) = result { messages.say(failure.description, isAlarm: true) }
        }
    }

    // MARK: Drawing

    private func draw() {
        window.show(isMirrored: false) { panels in
            _ = panels.panel("Photographs", width: 320, height: 616, isClosable: false) { content(panels) }
            if selection == nil {
                let text = isFinding ? "Looking for photographs …" : "Drop photographs or a folder here"
                panels.overlay("empty", text, x: 0.72, y: 0.5, width: 220)
            } else if asked?.isShown == false {
                panels.overlay("drawing", "Drawing \(masks.name) …", x: 0.97, y: 0.03)
            }
            if let message = messages.current {
                panels.overlay(
                    "message", message.text, x: 0.97, y: 0.97, opacity: message.opacity, isAlarm: message.isAlarm)
            }
            if messages.helpOpacity > 0 {
                panels.overlay("help", Self.help, x: 0.97, y: 0.5, opacity: messages.helpOpacity)
            }
        }
    }

    private func content(_ panels: Panels) {
        if let selection {
            panels.text(selection.count == 1 ? selection.first.name.description : "\(selection.count) photographs")
            drawWork(panels, selection)
        }
        if let obstacle { panels.alarm(obstacle) }
        panels.heading(masks.name, icon: .smile)
        if masks.draw(panels) { askForPreview() }
    }

    private func drawWork(_ panels: Panels, _ selection: PhotographSelection) {
        if case .running(let progress) = work {
            let (done, total) = (progress.done, max(1, progress.total))
            // A full bar is for alarms.
            panels.level("progress", 0.96 * Float(done) / Float(total), text: "\(done) of \(total)")
            if panels.button(progress.isStopped ? "Stopping …" : "Stop", icon: .stop) { progress.stop() }
            return
        }
        let label = selection.count == 1 ? "Mask it" : "Mask all \(selection.count)"
        if panels.button(label, icon: .save) { begin() }
        panels.hint("Enter. The results come into a new folder beside the photographs.")
        guard case .done(let results) = work else { return }
        panels.text(results.text)
        if let failure = results.failure { panels.alarm(failure) }
        // Where nothing could be written, there is no folder.
        guard results.masked + results.faceless > 0 else { return }
        if panels.button("Show results", icon: .folder) { showResults() }
        panels.hint("O: opens \(results.folder)")
    }

    private static let help = """
        Left, Right\tThe next mask
        Enter\tMask all
        O\tShow results
        Tab, arrows\tGo through the controls
        F\tFull screen
        Esc\tStop, close
        Q\tQuit
        """
}
