import Display
import FaceGeometry
import Files
import Glibc
import Graphics
import Installation

/// A run of the window in which somebody looks through what was anonymised. It belongs to the process's first thread, which
/// owns the window and OpenGL.
package final class ReviewSession {
    private let subject: any ReviewSubject
    private let window: DisplayWindow
    private let messages = WindowMessages()
    private var canvas = ReviewCanvas()
    /// The face that keys act on.
    private var chosen: Int?
    /// `ReviewScene.chosen` of the last drawing.
    private var subjectsChoice: Int?
    /// The picture that was drawn last.
    private var drawnPicture: ObjectIdentifier?
    private var isRunning = true
    private var isStale = true
    private var keepsView: Bool { subject.timeLineHeight > 0 }

    /// - Parameters:
    ///   - title: of the window.
    ///   - scale: the size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    /// - Throws: `GraphicsError` without a display.
    init(_ subject: any ReviewSubject, title: String, data: DataFolder, scale: Float?) throws {
        self.subject = subject
        window = try DisplayWindow(
            title: "Bauta – \(title)", width: 1280, height: 800, scale: scale, isForWork: true,
            shaders: try data.shaders("FramePresenter"))
    }

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    /// - Throws: what makes looking through it impossible.
    func run(isCancelled: () -> Bool) throws {
        defer { subject.stop() }
        messages.say(
            subject.scene.wearsMasks
                ? "Space: correct, next. C: the photograph, to take a mask away or to blur a face that was missed. H: help"
                : "Click a cover to take it away, drag one over a face that was missed. Space: correct, next. H: help")
        var lastActivity = ContinuousClock.now
        while isRunning && !isCancelled() {
            let start = ContinuousClock.now
            for event in window.events() { handle(event) }
            if try subject.update() { isStale = true }
            if window.isActive || isStale || messages.current != nil { lastActivity = start }
            // A window in which nothing happens is not drawn.
            if start - lastActivity < .milliseconds(400) {
                isStale = false
                draw()
            }
            // For displays without vertical synchronisation.
            let rest = Duration.milliseconds(14) - (ContinuousClock.now - start)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
    }

    // MARK: Events

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed, .displayLost: isRunning = false
        case .dropped: break
        case .key(let key): if canvas.placed == nil { press(key) } else { pressWhilePlacing(key) }
        }
        isStale = true
    }

    private func press(_ key: WindowEvent.Key) {
        if subject.press(key) { return }
        let decides = [.space, .enter, .delete, .letter("n"), .letter("x"), .letter("a")].contains(key)
        if decides, !isDrawn { return }
        if Self.concernsFaces(key), leavesResult() { return }
        switch key {
        case .space, .letter("n"): approve()
        case .left, .pageUp: move(by: -1)
        case .right, .pageDown: move(by: 1)
        case .tab: choose(1)
        case .backTab: choose(-1)
        case .enter, .letter("x"): if let chosen { toggle(chosen) } else { choose(1) }
        case .delete: removeChosen()
        case .letter("a"): beginPlacing()
        case .letter("u"), .control("z", _): undo()
        case .letter("c"): canvas.result.isWanted.toggle()
        case .letter("z"): canvas.zoomIn()
        case .letter("f"): canvas.showAll()
        case .letter("h"), .function(1): messages.toggleHelp()
        case .control("+", _): _ = window.enlarge(steps: 1)
        case .control("-", _): _ = window.enlarge(steps: -1)
        case .escape where messages.helpOpacity > 0: messages.toggleHelp()
        case .escape, .letter("q"), .control("q", _): isRunning = false
        default: break
        }
    }

    private static func concernsFaces(_ key: WindowEvent.Key) -> Bool {
        switch key {
        case .enter, .letter("x"), .delete, .letter("a"), .tab, .backTab, .letter("z"), .letter("u"), .control("z", _):
            true
        default: false
        }
    }

    /// Shows the photograph instead of a result, in which faces are not marked.
    /// - Returns: whether it does; then nothing else is done.
    private func leavesResult() -> Bool {
        guard canvas.result.leave() else { return false }
        messages.say("This is the photograph: now faces can be chosen. C: the result")
        return true
    }

    private func pressWhilePlacing(_ key: WindowEvent.Key) {
        guard let box = canvas.placed, let size = subject.scene.picture?.size else { return canvas.forgetGrip() }
        func change(_ step: Point = .zero, by factor: Float = 1) {
            let center = pointwiseMax(.zero, pointwiseMin(size, box.center + box.width / 4 * step))
            canvas.placed = FaceBox(center: center, side: max(4, min(size.max(), factor * box.width)))
        }
        switch key {
        case .left: change(Point(-1, 0))
        case .right: change(Point(1, 0))
        case .up: change(Point(0, -1))
        case .down: change(Point(0, 1))
        case .plus: change(by: 1.25)
        case .minus: change(by: 0.8)
        case .enter, .letter("a"):
            canvas.placed = nil
            add(box)
        case .escape: canvas.placed = nil
        case .letter("q"), .control("q", _): isRunning = false
        default: messages.say("Enter covers this place, Esc does not")
        }
    }

    private func beginPlacing() {
        guard let size = subject.scene.picture?.size else { return }
        canvas.placed = FaceBox(center: size / 2, side: max(4, size.min() / 8))
        messages.say("Arrows move it, + and - resize it, Enter covers the place, Esc does not")
    }

    // MARK: Deciding

    /// Does what is saved at once. What cannot be saved is not done.
    private func decide(_ action: () throws(FileError) -> Void) {
        do throws(FileError) {
            try action()
        } catch {
            messages.say("Not saved, so nothing has changed: \(error)", isAlarm: true)
        }
    }

    /// Whether the picture has been drawn: nobody decides about another one.
    private var isDrawn: Bool { drawnPicture == subject.scene.picture.map(ObjectIdentifier.init) }

    private func toggle(_ face: Int) { decide { () throws(FileError) in try subject.toggle(face) } }

    private func add(_ box: FaceBox) {
        decide { () throws(FileError) in
            try subject.add(box)
            if !subject.noteOnAdding.isEmpty { messages.say(subject.noteOnAdding) }
        }
    }

    private func approve() {
        decide { () throws(FileError) in if let text = try subject.approve() { messages.say(text) } }
        canvas.forgetGrip()
    }

    private func undo() {
        decide { () throws(FileError) in if try !subject.undo() { messages.say("There is nothing to take back") } }
    }

    private func move(by step: Int) {
        canvas.forgetGrip()
        subject.move(by: step)
    }

    private func removeChosen() {
        guard let chosen, subject.scene.faces.indices.contains(chosen) else { return }
        guard subject.scene.faces[chosen].isAdded else {
            return messages.say("Only what you have added can be removed; X takes the cover of a found face away")
        }
        toggle(chosen)
    }

    private func choose(_ step: Int) {
        let count = subject.scene.faces.count
        guard count > 0 else { return chosen = nil }
        let next = chosen.map { (($0 + step) % count + count) % count } ?? (step > 0 ? 0 : count - 1)
        chosen = next
        subject.choose(next)
    }

    // MARK: Drawing

    /// In narrower windows, the line about the picture may need a second one: it can have some 165 letters.
    private static func hasTwoLines(width: Float) -> Bool { width < 1300 }
    private static func statusHeight(width: Float) -> Float { hasTwoLines(width: width) ? 74 : 52 }

    private func draw() {
        let scene = subject.scene
        noteFaces(scene)
        var action: ReviewCanvas.Action?
        window.show(isMirrored: false) { panels in
            let size = panels.windowSize
            let statusHeight = Self.statusHeight(width: size.width - 16)
            let lower = statusHeight + subject.timeLineHeight
            panels.area("review", x: 0, y: 0, width: size.width, height: size.height) {
                let (width, height) = (max(1, size.width - 16), max(1, size.height - lower - 28))
                panels.canvas("picture", width: width, height: height) { canvas in
                    action = self.canvas.draw(scene, chosen: chosen, keepsView: keepsView, canvas)
                }
                if subject.timeLineHeight > 0 {
                    panels.canvas("time line", width: width, height: subject.timeLineHeight) {
                        if subject.drawTimeLine($0) { isStale = true }
                    }
                }
                panels.canvas("status", width: width, height: statusHeight) { drawStatus(scene, $0) }
            }
            if let message = messages.current {
                // At the lower edge of the picture, with room for two lines.
                let y = max(0.51, (size.height - lower - 68) / max(1, size.height - 52))
                panels.overlay(
                    "message", message.text, x: 0.5, y: y, opacity: message.opacity, isAlarm: message.isAlarm)
            }
            if messages.helpOpacity > 0 {
                let help = scene.wearsMasks ? Self.helpOnMasks : Self.helpOnCovers
                panels.overlay("help", help + Self.help + subject.help, x: 0.5, y: 0.4, opacity: messages.helpOpacity)
            }
        }
        switch action {
        case .toggle(let face):
            chosen = face
            toggle(face)
        case .add(let box): add(box)
        case .leaveResult: _ = leavesResult()
        case nil: return
        }
        isStale = true
    }

    /// Another picture has other faces, and the next track may be in the same one.
    private func noteFaces(_ scene: ReviewScene) {
        let picture = scene.picture.map(ObjectIdentifier.init)
        if picture != drawnPicture || scene.chosen != subjectsChoice { chosen = scene.chosen }
        if let chosen, !scene.faces.indices.contains(chosen) { self.chosen = nil }
        (drawnPicture, subjectsChoice) = (picture, scene.chosen)
    }

    private func drawStatus(_ scene: ReviewScene, _ canvas: Canvas) {
        let isNarrow = canvas.size.x < 700
        canvas.paragraph(subject.status, at: Point(4, 4), color: ReviewColors.text)
        let (y, gap): (Float, Float) = (Self.hasTwoLines(width: canvas.size.x) ? 50 : 28, isNarrow ? 46 : 60)
        var x: Float = 4
        let parts: [(String, ReviewFace.Origin, Bool)] = [
            (scene.wearsMasks ? "mask" : "covered", .found(isDoubtful: false), true),
            (scene.wearsMasks ? "no mask" : "not covered", .found(isDoubtful: false), false),
            (scene.wearsMasks ? "added: blurred" : "added", .added, true),
        ]
        for (text, origin, isCovered) in parts {
            let face = ReviewFace(box: FaceBox(center: Point(11, 11), side: 12), origin: origin, isCovered: isCovered)
            CoverDrawing(canvas: canvas, view: .init(scale: 1, corner: Point(x, y - 3))).draw(face, isChosen: false)
            canvas.text(text, at: Point(x + 28, y), color: ReviewColors.faint)
            x += gap + 8 * Float(text.count)
        }
        let (hint, isWarning) = self.hint(scene, isNarrow: isNarrow)
        canvas.text(hint, at: Point(x, y), color: isWarning ? ReviewColors.uncovered : ReviewColors.faint)
    }

    /// What is shown, and what keys do to it.
    private func hint(_ scene: ReviewScene, isNarrow: Bool) -> (text: String, isWarning: Bool) {
        let result = canvas.result
        if case .failure(let obstacle)? = scene.result {
            return (obstacle.reason + (isNarrow ? "" : ": this is the photograph    Space: correct, next"), true)
        }
        if result.isDrawn {
            let keys = "C: the photograph, to change it    Space: correct, next"
            return (isNarrow ? "H: keys" : "The result as it is now    \(keys)", true)
        }
        if result.hidesFaces {
            return (isNarrow ? "H: keys" : "About as the result will look; C shows what is below the covers", true)
        }
        return (isNarrow ? "H: keys" : "Space: correct, next    U: undo    C: as the result    H: all keys", false)
    }

    private static let helpOnCovers = """
        Click\tTake a cover away, or put it back
        Drag\tCover a place that was missed
        Enter, X\tTake the chosen cover away, or put it back
        Delete\tRemove a cover that you added
        A\tCover a place: arrows, + and -, Enter
        C\tAbout as the result will look, and back

        """

    private static let helpOnMasks = """
        C\tThe result as it is now, or the photograph, to change it
        Click\tLeave a face without a mask, or not
        Drag\tBlur a face that was missed
        Enter, X\tLeave the chosen face without a mask, or not
        Delete\tRemove what you added
        A\tBlur a place: arrows, + and -, Enter

        """

    private static let help = """
        Wheel, right button\tZoom, move the picture
        Tab, Shift+Tab\tChoose a face
        Z, F\tZoom to the chosen face, show all
        U\tUndo

        """
}
