import Compositing
import Display
import FileDialogs
import Files
import LiveWindow

extension PhotographSession {
    func draw() {
        window.show(isMirrored: false) { panels in
            panels.controls {
                _ = panels.panel("Photographs", width: 320, isClosable: false) {
                    panels.disabled(question != nil || isEnding || dialog.isOpen) {
                        if let comparison = view.comparison {
                            drawResults(panels, comparison)
                        } else {
                            content(panels)
                        }
                    }
                }
                dialog.draw(panels)
            }
            if view.comparison == nil { drawPhotograph(panels) } else { view.drawComparison(panels) }
            if dialog.isOpen {
                // It stands where the other texts would be.
            } else if isEnding {
                panels.overlay("end", Self.stopping, x: 0.72, y: 0.5)
            } else if isFinding {
                panels.overlay("empty", "Looking for photographs …", x: 0.72, y: 0.5, width: 220)
            } else if list.shown == nil {
                panels.overlay("empty", Self.invitation, x: 0.72, y: 0.5, width: 280)
            } else if let comparison = view.comparison {
                if comparison.isOpening { panels.overlay("opening", "Opening …", x: 0.97, y: 0.03, width: 220) }
            } else if let shown = list.shown, view.photograph != shown {
                panels.overlay("opening", "Opening \(shown.name) …", x: 0.72, y: 0.5, width: 220)
            } else if case .running(let progress) = work {
                let preview = asked?.isShown == false ? ". Drawing the preview …" : ""
                let done = "Done: \(progress.done) of \(progress.total)" + preview
                panels.overlay("work", progress.isStopped ? Self.stopping : done, x: 0.97, y: 0.03, width: 400)
            } else if let obstacle, !view.hasPicture {
                panels.overlay("obstacle", obstacle, x: 0.5, y: 0.5, width: 400)
            } else if asked?.isShown == false {
                panels.overlay(
                    "drawing", "Drawing \(masks.cover == nil ? masks.names : "covers") …", x: 0.97, y: 0.03, width: 400)
            }
            if let message = messages.current {
                panels.overlay(
                    "message", message.text, x: 0.97, y: 0.97, opacity: message.opacity, isAlarm: message.isAlarm)
            }
            if messages.helpOpacity > 0, !dialog.isOpen {
                panels.overlay("help", Self.help, x: 0.97, y: 0.5, opacity: messages.helpOpacity)
            }
            switch question {
            case nil: break
            case .stop:
                guard case .running(let progress) = work else { break }
                draw(
                    "\(progress.done) of \(progress.total) are done. Stop?", ("Stop and close", .stop), "Keep working",
                    panels)
            case .close:
                let what = lack == .choice ? "What you have chosen now is not applied" : "Not all photographs are done"
                draw("\(what). Close?", ("Close", .quit), "Keep the window open", panels)
            }
        }
    }

    private func drawPhotograph(_ panels: Panels) {
        let isRunning = if case .running = work { true } else { false }
        let isFree = masks.cover == nil && question == nil && !isEnding && !isRunning && !dialog.isOpen
        let clicked = view.draw(
            panels, isOriginal: view.showsOriginal || window.heldLetter == "b",
            label: isFree ? { [masks] in masks.name($0) } : nil)
        if let clicked { chooseMask(forFace: clicked) }
    }

    /// In place of all else, while a result is beside its photograph.
    private func drawResults(_ panels: Panels, _ comparison: PhotographView.Comparison) {
        if panels.defaultButton("back", icon: .previous) { endComparison() }
        panels.hint("Esc: to the masks")
        panels.heading("Results", icon: .picture)
        if let (_, results) = lastResults { panels.text(results.wholeText) }
        drawSteps(panels, "result", keys: ("Left", "Right"), "\(list.shown?.name.description ?? "")")
        if let obstacle = comparison.obstacle {
            panels.alarm(obstacle)
        } else {
            panels.text(comparison.isOpening ? "Opening …" : "Before and after. The wheel magnifies.")
        }
        if panels.button("open the folder", icon: .folder) { openResultFolder() }
        panels.hint("O: shows the files in the desktop's file manager")
        drawFolder(panels, "in", lastResults?.results.folder)
    }

    /// What starts the work is always in the same place: what comes and goes is below the masks.
    private func content(_ panels: Panels) {
        let isRunning = if case .running = work { true } else { false }
        panels.disabled(isRunning) {
            if panels.button("Open…", icon: .folder) { chooseFiles() }
            panels.hint("Ctrl+O. Adds photographs; so does dropping files or a folder here.")
            panels.sameLine()
            panels.disabled(list.shown == nil) { if panels.button("Clear", icon: .remove) { clear() } }
            panels.hint("Takes all photographs out of this window. The files stay.")
        }
        panels.sameLine()
        if panels.button("keys", icon: .help) { messages.toggleHelp() }
        // Its tooltip would lie over the list.
        if messages.helpOpacity == 0 { panels.hint("F1 or H: what keys and mouse do") }
        drawWork(panels)
        if let shown = list.shown { drawPhotograph(panels, shown.name.description) }
        chooseCovering(panels, isRunning: isRunning)
        if let cover = masks.cover {
            drawCovers(panels, cover)
        } else {
            panels.text("A mask does not hide who somebody is: \"Hide people\" does.")
            let told = masks.told(worn, of: list.shown)
            let isWhole = panels.text(told.whole, or: told.short, lines: 2)
            let use = "A click on a face in the photograph, or its number, gives it the next of these, or none."
            panels.hint(isWhole ? use : "\(told.whole). \(use)")
            masks.drawSearch(panels, isTyping: window.isTyping)
            let height = max(Self.leastMasks, panels.roomBelow - masks.heightBelow)
            panels.scrolled("masks", width: 0, height: height, hasEdge: false) {
                if masks.draw(panels) { askForPreview() }
            }
        }
        let top = panels.top
        drawMessages(panels)
        masks.heightBelow = panels.top - top
    }

    /// Who wears what; nil: that is not known before the photograph is drawn.
    private var worn: WornText? {
        guard list.shown == nil || view.photograph == list.shown && asked?.isShown == true else { return nil }
        let faces = list.shown == nil ? [] : view.faces.all
        return WornText(faces, masks: masks.names, count: masks.count) { [masks] in masks.name($0) }
    }

    /// What came of the last files and of the last run, and what is missing.
    private func drawMessages(_ panels: Panels) {
        if let refusal { panels.alarm(refusal) }
        var told: String?
        if let (_, results) = lastResults {
            // Other masks, or covers of another kind.
            panels.text((next.left == nil ? "With the choice before: " : "") + results.wholeText)
            told = results.failure
            if let told { panels.alarm(told) }
        }
        // That of the shown photograph may have been said of the results.
        if let obstacle, obstacle != told { panels.alarm(obstacle) }
        drawNetworks(panels)
    }

    /// Without networks, faces are missed, and people cannot be hidden.
    private func drawNetworks(_ panels: Panels) {
        let state = tasks.networks.state
        if [.missing, .byCommand].contains(state), obstacle == nil, masks.cover == nil { return }
        switch NetworkSection.draw(panels, state, use: "They are used from now on.") {
        case .fetch: tasks.networks.start()
        case .cancel: tasks.networks.cancel()
        case nil: break
        }
    }

    private func chooseCovering(_ panels: Panels, isRunning: Bool) {
        panels.heading("Faces", icon: .users)
        panels.disabled(isRunning) {
            let covers = panels.choice(
                [("wear masks", false), ("hide people", true)], masks.cover != nil,
                hints: [
                    "Click a mask below; Ctrl+click adds one, for the next face. A click on a face changes what it wears.",
                    "Covers whole faces, and removes what the files tell of place and camera.",
                ])
            if covers != (masks.cover != nil) { cover(with: covers ? .solid : nil) }
        }
    }

    /// In place of masks.
    private func drawCovers(_ panels: Panels, _ cover: FaceCover.Style) {
        let isRunning = if case .running = work { true } else { false }
        panels.disabled(isRunning) {
            let styles: [(label: String, value: FaceCover.Style)] = [
                ("one colour", .solid), ("a drawn face", .face), ("mosaic", .mosaic), ("blur", .blur),
            ]
            let chosen = panels.choice(styles, cover)
            if chosen != cover { self.cover(with: chosen) }
        }
        let faces =
            tasks.findsProfiles()
            ? "Faces are covered, also from the side."
            : "Faces are covered. With this detector, those that are seen from the side may stay visible."
        panels.text(
            "\(faces) What the files tell of place and camera is removed, and photographs without a face are left out.")
        panels.text("The preview of a large photograph may leave out covers of small faces, which its result has.")
        panels.alarm(
            "Look at the results before you share them: a face that is not found stays visible. The command \"bauta review\" "
                + "covers it by hand.")
        if cover == .mosaic || cover == .blur { panels.text("Colours of skin and hair stay visible.") }
    }

    private func cover(with style: FaceCover.Style?) {
        masks.cover = style
        askForPreview()
    }

    /// The name of the shown photograph, and buttons to the others, if there are any.
    /// - Parameter noun: what is shown of each.
    private func drawSteps(_ panels: Panels, _ noun: String, keys: (back: String, on: String), _ name: String) {
        let count = list.photographs.count
        guard count > 1 else { return panels.text(name) }
        if panels.button(.previous, "<") { showPhotograph(-1) }
        panels.hint("The \(noun) before (\(keys.back))")
        panels.sameLine()
        if panels.button(.next, ">") { showPhotograph(1) }
        panels.hint("The next \(noun) (\(keys.on))")
        panels.sameLine()
        panels.text("\(list.place + 1) of \(count): \(name)")
    }

    private func drawPhotograph(_ panels: Panels, _ name: String) {
        panels.heading("Photograph", icon: .picture)
        drawSteps(panels, "photograph", keys: ("Page Up", "Page Down"), name)
        view.showsOriginal = panels.checkbox("original", view.showsOriginal)
        panels.hint("The photograph without masks; B shows it as long as it is held")
        panels.sameLine(ifRoomFor: "turn right")
        let isRunning = if case .running = work { true } else { false }
        panels.disabled(isRunning) { if panels.button("turn right", icon: .redo) { turn(toRight: true) } }
        panels.hint("] turns the photograph to the right, [ to the left. Its result is turned, too.")
    }

    /// Three rows, whatever happens.
    private func drawWork(_ panels: Panels) {
        if case .running(let progress) = work {
            let (done, total) = (progress.done, max(1, progress.total))
            // A full bar is for alarms. It is where the button was: who clicks twice stops nothing.
            panels.level("progress", 0.96 * Float(done) / Float(total), text: "\(done) of \(total)")
            if panels.button(progress.isStopped ? Self.stopping : "Stop", icon: .stop) { progress.stop() }
            panels.hint("Esc. What is done stays.")
            return drawFolder(panels, "in", progress.results?.folder)
        }
        let (count, left) = (list.photographs.count, next.left)
        let verb = masks.cover == nil ? "Mask" : "Hide people in"
        var label = count == 0 ? "\(verb) photographs" : count == 1 ? "\(verb) it" : "\(verb) all \(count)"
        if let left { label = left > 0 ? "\(verb) the other \(left)" : "All done. Look for new ones" }
        panels.disabled(count == 0) {
            let isClicked =
                left == 0 || count == 0 || masks.isSearching
                ? panels.button(label, icon: .save) : panels.defaultButton(label, icon: .save)
            if isClicked { begin() }
            panels.hint(
                left == 0
                    ? "Enter. Photographs that are new in the folders are done, and those whose results are missing."
                    : "Enter. The photographs stay as they are; the results go into the folder below.")
            if panels.button("change folder…", icon: .folder) { chooseResultFolder() }
            panels.hint(
                "Results that this window made are replaced. If the folder has others, a new folder is created."
            )
        }
        let hasResults = lastResults?.results.hasFolder ?? false
        panels.sameLine(ifRoomFor: "show results")
        panels.disabled(!hasResults) { if panels.button("show results", icon: .picture) { showResults() } }
        panels.hint("O: shows each photograph before and after")
        drawFolder(panels, left == nil ? "to" : "in", count == 0 ? nil : resultFolder ?? list.foundFolder?.before)
    }

    /// In one line.
    private func drawFolder(_ panels: Panels, _ word: String, _ folder: FilePath?) {
        panels.text(folder.map { "\(word) \($0.shortened(to: 36))" } ?? "")
        if let folder { panels.hint("\(folder)") }
    }

    /// - Parameters:
    ///   - yes: closes the window; with the button's icon.
    ///   - no: does not.
    private func draw(_ question: String, _ yes: (text: String, icon: Icon), _ no: String, _ panels: Panels) {
        let (width, height) = panels.windowSize
        let side = min(400, width - 20)
        panels.area(
            "question", x: (width - side) / 2, y: height / 2 - 60, width: side, height: 120, isInFront: true
        ) {
            panels.heading(question)
            panels.text("")
            if panels.defaultButton(yes.text, icon: yes.icon) { answer(closes: true) }
            panels.hint("Enter")
            panels.sameLine(ifRoomFor: no, hasIcon: false)
            if panels.button(no) { answer(closes: false) }
            panels.hint("Esc")
        }
    }

    private static let stopping = "Stopping …"
    /// The height of the masks at least, in the window's units: where there is less room, all of the panel scrolls.
    private static let leastMasks: Float = 120

    private static let invitation = """
        Drop photographs or a folder here, or open them (Ctrl+O)
        """

    private static let help = """
        Right, Left	Another mask; kept ones stay
        Shift+letter	Next mask that begins with it
        Type over the masks	Search them
        Space	Keep this mask, add another
        Ctrl+click	Add a mask, or remove it
        Click on a face	Its next mask, or none
        1-9	The same for that face
        Page Down, Up	Another photograph
        B (hold)	Show it without masks
        + and -	Magnify; so does the wheel
        0	Show all; so does a double click
        ] and [	Turn it right, left
        Enter	Mask all photographs
        O	Show results, before and after
        Ctrl+O	Open photographs
        Ctrl+F	Search the masks
        Ctrl + and -	Size of texts
        Tab, F6	Next control, section
        F	Full screen
        F1, H	This list
        Esc	Leave what is open; stop
        Q	Quit
        """
}
