import Clips
import Display
import FileDialogs
import Files
import Glibc
import Installation
import LiveWindow
import Threads

/// A run of the window in which somebody chooses masks for photographs, sees them on each, and has all masked.
/// It belongs to the process's first thread, which owns the window and OpenGL.
package final class PhotographSession {
    let tasks: PhotographTasks
    let window: DisplayWindow
    let messages = WindowMessages()
    let masks: PhotographMasks
    /// Finds photographs and draws previews.
    private let looking = BackgroundWork()
    private let masking = BackgroundWork()
    /// Finds the folder for results, which waits for no preview, and opens folders.
    private let folders = BackgroundWork()
    private let chooser = PhotographChooser()
    var dialog: FileDialog { chooser.dialog }
    private(set) var list = PhotographList()
    private(set) var isFinding = false
    /// How often the window was cleared: what was looked for before is not added.
    private var clearings = 0
    /// Files that are dropped together come one after another.
    private var dropped: [FilePath] = []
    /// What was asked for last, and whether it is shown; nil: nothing was.
    private(set) var asked: (subject: PreviewSubject, isShown: Bool)?
    let view = PhotographView()
    /// What concerns the shown photograph, and why the last files were not opened; nil: nothing.
    private(set) var (obstacle, refusal): (String?, String?)
    private(set) var work = PhotographWork.none
    /// What the user is asked; nil: nothing.
    private(set) var question: Question?
    private var isRunning = true
    /// Whether the window only waits for what is being done.
    private(set) var isEnding = false

    enum Question {
        /// Whether the work is to be stopped.
        case stop
        /// Whether the window is to be closed, although something is lost.
        case close
    }

    /// What a window has made.
    package struct Outcome {
        /// The latest; nil: none.
        package let results: PhotographResults?
        /// The folders of the masks that were chosen in the end; nil: the user has chosen none.
        package let masks: [FilePath]?
        /// Whether threads of the window were left at their work, so that the process must end without waiting for them.
        package let isAbandoned: Bool
    }

    /// How long a closed window waits for photographs that are being decoded or masked, which may take long.
    private static let patience = Duration.milliseconds(1500)

    /// - Parameters:
    ///   - inputs: files and folders; may be empty.
    ///   - folders: of the masks that are chosen at first; at least one.
    /// - Throws: `GraphicsError` without a display; `DataFolderError` or `FileError`.
    package init(_ inputs: [FilePath], masks folders: [FilePath], tasks: PhotographTasks, data: DataFolder) throws {
        self.tasks = tasks
        var all = data.installedMasks()
        let chosen = folders.map { folder in
            // Kept ones are without links, others may have some.
            if let known = all.firstIndex(where: { $0.folder.isSameFile(as: folder) }) { return known }
            all.append((folder.name.description, folder))
            return all.count - 1
        }
        let thread = ThumbnailThread(
            data: data, reference: try data.referenceFace(), mesh: try data.mesh(), side: 2 * PhotographMasks.side)
        masks = PhotographMasks(all, chosen: chosen, thread: thread)
        window = try DisplayWindow(
            title: "Bauta – photographs", width: 960, height: 640, scale: nil,
            shaders: try data.shaders("FramePresenter"))
        window.steersPanel = true
        if !inputs.isEmpty { find(inputs) }
    }

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    package func run(isCancelled: () -> Bool) -> Outcome {
        var pace = DrawingPace(isHardware: window.isHardware)
        while isRunning && !isCancelled() {
            window.showsDialog = dialog.isOpen
            window.searchLetters = searchLetters
            for event in window.events() { handle(event) }
            takeChosen()
            takeDropped()
            let isBusy = looking.isBusy || masking.isBusy
            looking.handBack()
            masking.handBack()
            folders.handBack()
            magnify()
            findResultFolder()
            if tasks.networks.takeEnd() { askAgain() }
            let start = ContinuousClock.now
            if window.isActive || isBusy || dialog.isOpen || messages.current != nil { pace.wake(at: start) }
            if window.isVisible, pace.pause(at: start) == .zero, pace.isDue(at: start) {
                draw()
                pace.drew(from: start, to: .now)
            }
            usleep(10_000)
        }
        return end()
    }

    /// Waits for a short time for what is being done, and says so.
    private func end() -> Outcome {
        isEnding = true
        question = nil
        if case .running(let progress) = work { progress.stop() }
        chooser.stop()
        tasks.networks.stop()
        looking.abandon()
        folders.abandon()
        let start = ContinuousClock.now
        while looking.isWorking || folders.isWorking || masking.isBusy, ContinuousClock.now - start < Self.patience {
            _ = window.events()
            masking.handBack()
            draw()
            usleep(14_000)
        }
        masking.handBack()
        let isAbandoned = looking.isWorking || folders.isWorking || masking.isWorking
        // Also those of the beginning, once photographs wear them.
        let hasChosen = if case .none = work { masks.hasOthersThanAtFirst } else { true }
        let results: PhotographResults? =
            switch work {
            case .none: nil
            case .running(let progress): progress.results
            case .done(_, let results, _): results
            }
        return Outcome(results: results, masks: hasChosen ? masks.folders : nil, isAbandoned: isAbandoned)
    }

    // MARK: Events

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed: close()
        case .displayLost: isRunning = false
        case .dropped(let path): dropped.append(FilePath(path).withoutFinalSlashes)
        case .key(let key) where question != nil: if !window.steer(key) { answer(key) }
        case .key(let key) where dialog.isOpen:
            if dialog.takeLeave() { _ = window.leaveControl() }
            if !window.steerList(key), !window.steer(key) { dialog.press(key) }
        case .key(.letter(let letter)) where window.searchLetters.contains(letter) && !window.isShiftDown:
            masks.focusesSearch = true
        // In the field for searching, it puts on what has been found.
        case .key(.enter) where window.isTyping: putOnFound()
        // In the pictures of the masks, too.
        case .key(.enter) where window.isInGallery: begin()
        case .key(let key) where view.comparison != nil && pressInComparison(key): break
        case .key(let key) where window.steer(key): break
        case .key(let key): press(key)
        }
    }

    /// What is typed over the masks is a name. B shows the photograph without masks there, too.
    private var searchLetters: Set<Character> {
        guard masks.isPointedAt || window.isInGallery, masks.cover == nil, question == nil, !dialog.isOpen,
            view.comparison == nil
        else {
            return []
        }
        return Set("acdefghijklmnopqrstuvwxyz")
    }

    /// While a result is beside its photograph, keys go through the results, and none chooses masks that are not seen.
    /// - Returns: false: the key means what it always does.
    private func pressInComparison(_ key: WindowEvent.Key) -> Bool {
        switch key {
        case .left, .up, .pageUp: showPhotograph(-1)
        case .right, .down, .pageDown: showPhotograph(1)
        case .letter("o"): openResultFolder()
        case .escape where !window.isFullScreen && messages.helpOpacity == 0: endComparison()
        case .enter where !window.hasControl: endComparison()
        // Of the window, and of its controls.
        case .escape, .enter, .space, .tab, .backTab, .home, .end: return false
        case .letter("f") where !window.isShiftDown, .letter("h") where !window.isShiftDown,
            .letter("q") where !window.isShiftDown:
            return false
        case .function, .plus, .minus, .digit(0): return false
        case .control(let letter, _) where "oq+-".contains(letter): return false
        default: break
        }
        return true
    }

    private func press(_ key: WindowEvent.Key) {
        switch key {
        case .letter(let letter) where window.isShiftDown: chooseMask(beginning: letter)
        case .left, .up: chooseMask(-1)
        case .right, .down: chooseMask(1)
        case .pageUp: showPhotograph(-1)
        case .pageDown: showPhotograph(1)
        case .space where masks.cover == nil && view.comparison == nil:
            messages.say(masks.toggleKept())
            askForPreview()
        case .enter: begin()
        case .letter("o"): showResults()
        case .control("o", _): chooseFiles()
        case .control("f", _): masks.focusesSearch = masks.cover == nil
        case .letter("f"), .function(11): window.toggleFullScreen()
        case .letter("h"), .function(1): messages.toggleHelp()
        case .escape: dismiss()
        case .letter("q"), .control("q", _): close()
        case .plus: view.zoom(by: 1)
        case .minus: view.zoom(by: -1)
        case .digit(0): view.fit()
        case .digit(let number): chooseMask(forFace: number - 1)
        case .bracket(let isClosing): turn(toRight: isClosing)
        case .control("+", _): _ = window.enlarge(steps: 1)
        case .control("-", _): _ = window.enlarge(steps: -1)
        // While it is held, the photograph is shown as it is.
        case .letter("b"): break
        case .letter(let letter): chooseMask(beginning: letter)
        default: break
        }
    }

    /// Closes what is in front, or stops what runs. It never ends, as in the other windows: one time too many loses nothing.
    private func dismiss() {
        if window.closeLists() { return }
        if window.isFullScreen { return window.toggleFullScreen() }
        if messages.helpOpacity > 0 { return messages.toggleHelp() }
        if case .running(let progress) = work { return progress.stop() }
        if !window.leaveControl() { masks.endSearch() }
    }

    /// What is lost when the window closes; nil: nothing.
    var lack: PhotographWork.Lack? {
        if list.shown == nil { return nil }
        return work.lack(of: chosenRun, first: PhotographRun(inputs: list.inputs, masks: masks.firstFolders))
    }

    /// Asks before it stops what runs, or loses what the user has chosen, but not twice.
    private func close() {
        if case .running(let progress) = work {
            if progress.isStopped || question != nil { isRunning = false } else { question = .stop }
        } else if lack != nil, question == nil {
            question = .close
        } else {
            isRunning = false
        }
    }

    private func answer(_ key: WindowEvent.Key) {
        switch key {
        case .enter: answer(closes: true)
        case .escape: answer(closes: false)
        case .letter("q"), .control("q", _): close()
        default: break
        }
    }

    func answer(closes: Bool) {
        question = nil
        if closes { isRunning = false }
    }

    private func chooseMask(_ step: Int) {
        if masks.cover != nil { return }
        masks.move(by: step)
        askForPreview()
    }

    private func chooseMask(beginning letter: Character) {
        if masks.cover == nil, masks.move(toNextBeginning: letter) { askForPreview() }
    }

    /// Puts on the first mask that the search has found, unless the arrow keys have put on another one. Of several masks, a
    /// photograph with one face shows one: that makes room for it, unless faces of other photographs have been given it. The
    /// preview may still show what was chosen before.
    private func putOnFound() {
        guard let found = masks.firstFound else { return }
        if masks.count > 1, view.photograph == list.shown, view.faces.all.count == 1 {
            let worn = list.worn(of: masks.folders, byFace: 0, of: view.faces)
            let makesRoom = worn.map { !list.isWornElsewhere($0) } ?? false
            masks.choose(found, inPlaceOf: makesRoom ? worn : nil)
            list.wear(found, of: masks.folders, onFace: 0, of: view.faces)
        } else {
            masks.choose(found, inPlaceOf: nil)
        }
        askForPreview()
    }

    /// Lets a face of the shown photograph wear the next of the chosen masks, or after the last one none.
    /// - Parameter index: of the face, from left to right.
    func chooseMask(forFace index: Int) {
        if case .running = work { return }
        guard masks.cover == nil, view.photograph == list.shown else { return }
        list.wearNext(of: masks.folders, onFace: index, of: view.faces)
        askForPreview()
    }

    func showPhotograph(_ step: Int) {
        list.move(by: step)
        // Nobody sees a preview meanwhile.
        if view.comparison != nil { compare() } else { show() }
    }

    /// Turns the shown photograph by 90°, and what is made of it.
    func turn(toRight: Bool) {
        if case .running = work { return }
        list.turn(toRight: toRight)
        view.clear()
        show()
    }

    // MARK: Opening photographs

    func chooseFiles() { chooser.ask { [unowned self] in dropped.append($0) } }

    private func takeChosen() {
        switch chooser.takeAnswer() {
        case nil: break
        case .chosen(let paths): dropped += paths
        case .failed(let reason): messages.say(reason, isAlarm: true)
        }
    }

    private func takeDropped() {
        // What is found is compared with all that is open.
        guard !dropped.isEmpty, !isFinding else { return }
        if case .running = work {
            messages.say("Wait until these photographs are done", isAlarm: true)
        } else {
            find(dropped)
        }
        dropped = []
    }

    private func find(_ inputs: [FilePath]) {
        (isFinding, refusal) = (true, nil)
        looking.add { [tasks, opened = list.inputs] in
            tasks.find(inputs, opened)
        } finish: { [self, clearings] result in
            guard clearings == self.clearings else { return }
            isFinding = false
            switch result {
            case .success(let found):
                let old = list
                list.add(found)
                refusal = found.refusal
                guard list != old else { return }
                // What is opened is to be masked.
                endComparison()
                show()
            case .failure(let failure): refusal = failure.description
            }
        }
    }

    /// Takes all photographs out of the window.
    func clear() {
        list = PhotographList()
        (asked, obstacle, refusal, work) = (nil, nil, nil, .none)
        clearings += 1
        (isFinding, dropped) = (false, [])
        view.clear()
    }

    // MARK: Previews

    /// Nil: there are no photographs.
    private var subject: PreviewSubject? {
        list.shown.map {
            PreviewSubject(
                photograph: $0, turn: list.turns[$0] ?? .upright, number: list.place, masks: masks.folders,
                wearing: masks.cover == nil ? list.wearing(masks.folders)[$0] ?? [] : [], cover: masks.cover,
                isClose: view.isClose)
        }
    }

    /// Shows the photograph as it is, until its preview is drawn. What is shown already stays.
    private func show() {
        guard list.shown != nil, asked?.subject != subject else { return }
        obstacle = nil
        view.leave()
        showOriginal()
        askForPreview()
    }

    private func showOriginal() {
        guard let subject else { return }
        looking.add { [tasks] in
            tasks.show(subject.photograph, subject.turn, subject.isClose)
        } finish: { [self] result in
            // Somebody may have gone on, or there and back.
            guard let now = self.subject, subject.photograph == now.photograph, subject.turn == now.turn,
                subject.isClose == now.isClose
            else { return }
            view.show(subject.photograph, original: try? result.get())
        }
    }

    /// Shows the photograph with more pixels once the user looks at a part of it.
    private func magnify() {
        guard view.isClose, asked?.subject.isClose == false, view.photograph == list.shown, view.comparison == nil
        else { return }
        showOriginal()
        askForPreview()
    }

    /// Networks have come: they may find more.
    private func askAgain() {
        asked = nil
        list.foundFolder = nil
        askForPreview()
    }

    /// One preview is drawn at a time; of those that are asked for meanwhile, only the last one. While a result is shown, none
    /// is: nobody would see it.
    func askForPreview() {
        guard let subject, asked?.subject != subject, view.comparison == nil else { return }
        let isDrawing = asked?.isShown == false
        asked = (subject, false)
        if !isDrawing { drawPreview(subject) }
    }

    private func drawPreview(_ subject: PreviewSubject) {
        looking.add { [tasks] in
            tasks.preview(subject)
        } finish: { [self] result in
            guard let wanted = asked?.subject else { return }
            guard wanted == subject else { return drawPreview(wanted) }
            asked = (subject, true)
            switch result {
            case .success(let shown):
                view.show(subject.photograph, masked: shown)
                obstacle = shown.notice
            case .failure(let failure):
                obstacle = failure.description
                // The one before shows something else than what is chosen.
                view.showUnmasked()
            }
        }
    }

    // MARK: Masking

    /// What is masked next.
    var next: (run: PhotographRun, left: Int?) { work.next(chosenRun) }

    /// What is chosen now.
    var chosenRun: PhotographRun {
        PhotographRun(
            inputs: list.inputs, masks: masks.folders, turns: list.turns, wearing: list.wearing(masks.folders),
            cover: masks.cover, chosenFolder: list.chosenFolders[resultEnding])
    }

    func begin() {
        guard list.shown != nil else { return }
        if case .running = work { return }
        let (run, last) = (next.run, work)
        let progress = PhotographProgress(total: list.photographs.count)
        work = .running(progress)
        // What is told and shown is what is masked, not what was tried on before.
        if asked?.isShown == false {
            masks.forgetTold()
            view.showUnmasked()
        }
        masking.add { [tasks, shown = list.photographs] in
            tasks.mask(run, shown, progress)
        } finish: { [self] result in
            work = last.ended(run, result, begun: progress.results)
            switch result {
            // The panel may be scrolled to other masks.
            case .success(let results):
                let place = results.hasFolder ? ". O shows the results." : ""
                messages.say(results.wholeText + place, isAlarm: results.failed > 0)
            case .failure(let failure): messages.say(failure.description, isAlarm: true)
            }
            // Nothing is left to be stopped.
            question = nil
        }
    }

    private var resultEnding: String { PhotographRun.ending(masks.cover) }

    /// The folder that is created or continued next; nil: it is still being looked for.
    var resultFolder: FilePath? { next.run.folder ?? list.foundFolder?.folder }

    /// Looks on the disk for that folder, once for each choice.
    private func findResultFolder() {
        let run = next.run
        guard list.shown != nil, run.folder == nil, list.foundFolder?.run != run else { return }
        list.foundFolder = .init(run: run, folder: nil, before: list.foundFolder?.shown(before: run))
        folders.add { [tasks] in
            tasks.resultFolder(run)
        } finish: { [self] folder in
            if list.foundFolder?.run == run { list.foundFolder?.folder = folder }
        }
    }

    /// Lets the user choose another folder for results.
    func chooseResultFolder() {
        let ending = resultEnding
        guard let folder = resultFolder ?? list.resultFolder(ending: ending) else { return }
        chooser.askForResultFolder(folder) { [unowned self] in list.chosenFolders[ending] = $0 }
    }

    // MARK: Results

    /// The run with what is chosen now, or else the last one, and its results; nil: there are none of masks or of covers,
    /// whichever are chosen.
    var lastResults: PhotographWork.Done? {
        if let done = work.results(of: chosenRun) { return done }
        guard case .done(let run, let results, _) = work, (run.cover == nil) == (masks.cover == nil) else { return nil }
        return (run, results)
    }

    /// Shows the result of the shown photograph beside it.
    func showResults() {
        guard let (_, results) = lastResults, results.hasFolder else { return }
        // What it says is done.
        messages.end()
        compare()
    }

    private func compare() {
        if let shown = list.shown, lastResults != nil, view.compare(shown) { readResult(of: shown) }
    }

    private func readResult(of photograph: FilePath) {
        guard let (run, results) = lastResults else { return }
        looking.add { [tasks] in
            tasks.showResult(run, results.folder, photograph)
        } finish: { [self] compared in
            if let next = view.show(photograph, compared) { readResult(of: next) }
        }
    }

    func endComparison() {
        guard view.comparison != nil else { return }
        view.endComparison()
        show()
    }

    func openResultFolder() {
        guard let (_, results) = lastResults, results.hasFolder else { return }
        folders.add {
            Result { () throws(FileManagerWindow.Failure) in try FileManagerWindow.open(results.folder) }
        } finish: { [messages] result in
            if case .failure(let failure) = result { messages.say(failure.description, isAlarm: true) }
        }
    }
}
