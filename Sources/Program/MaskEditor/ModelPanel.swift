import Display
import FaceGeometry
import FileDialogs
import LiveWindow
import MaskAuthoring
import SyntheticFaces

/// Chooses the model, and sets the synthetic head's pose and expression.
final class ModelPanel {
    private let view: ModelView
    private let messages: WindowMessages
    private let chooser: FileChooser
    private let live: LiveRun
    private var recent = RecentModels()
    private var isAnimated = false
    /// Of the performance, in seconds.
    private var time: Float = 0
    /// When that was the time; nil: it stands still there.
    private var timeSet: ContinuousClock.Instant?
    private var wasClosed = false
    private let pictures: WearerPictures
    private var recorded = RecordedPerformance()
    /// The wearer whose picture was scrolled into sight last.
    private var seen: Wearer?

    init(
        _ view: ModelView, reference: ReferenceFace, messages: WindowMessages, chooser: FileChooser, live: LiveRun
    ) throws {
        self.view = view
        self.live = live
        self.messages = messages
        self.chooser = chooser
        pictures = try WearerPictures(reference: reference)
        recent.add(view.model)
    }

    /// The arguments of `bauta live` for who wears the mask: the camera that has been chosen here; otherwise the first one, or
    /// without a camera who wears it here.
    func liveWearer(hasCamera: Bool) -> [String] {
        let person = (view.source as? SyntheticHeadModel)?.settings.person ?? 0
        return view.model.liveArguments(person: person, hasCamera: hasCamera)
    }

    /// Whether it changes by itself: pictures of wearers are being made.
    var isWaiting: Bool { pictures.isWaiting }

    /// The height of the pictures of wearers: one row, and the beginning of the next.
    private static let stripHeight: Float = 98
    private static let pictureSide: Float = 54

    /// - Parameter width: of the part of the window, as all here in window units.
    func height(width: Float) -> Float {
        // The same for all wearers: their pictures stay under the mouse.
        // The buttons need 416 in one row.
        let hasOneRow = recorded.performance == nil && width >= 424
        let rows: Float = (Self.hasTwoColumns(width) ? 8 : 14) + (hasOneRow ? 0 : 1)
        return Self.stripHeight + 40 + 28 * rows
    }

    /// Whether two sliders with their labels find room beside each other.
    private static func hasTwoColumns(_ width: Float) -> Bool { width >= 366 }

    /// - Parameters:
    ///   - width: of the part of the window.
    ///   - isScrolled: whether all of it scrolls, so that no part of it does by itself.
    func draw(_ panels: Panels, width: Float, isScrolled: Bool) {
        if isScrolled {
            drawWearers(panels)
        } else {
            panels.scrolled("wearers", width: width, height: Self.stripHeight) { drawWearers(panels) }
        }
        if panels.button("photo", icon: .plus) { chooseFile() }
        panels.hint(
            "Puts the mask on a person in a photograph or a clip of your own. You can also drop it on the window.")
        panels.sameLine(ifRoomFor: "wear it live")
        if panels.button("wear it live", icon: .videoCamera) { live.isWanted = true }
        panels.hint(
            "Saves the mask and opens it in the live window: on you, or without a camera on who wears it here. What you save "
                + "later shows there, too")
        drawSeveral(panels)
        if let head = view.source as? SyntheticHeadModel {
            return draw(head, panels, width: width)
        }
        if view.source is MovingModel { drawRecording(panels) }
        panels.text("The light is the picture's own")
        panels.hint("The light on drawn people can be chosen. A layer follows that of a picture by its \"Light\"")
        var rest = HeadSettings()
        panels.disabled(true) {
            drawSliders(&rest, panels, width: width)
            panels.itemWidth(-1)
            _ = panels.slider("time", 0, in: 0...1, format: "%.1f s")
        }
    }

    private func drawSeveral(_ panels: Panels) {
        let old = (view.source as? SyntheticHeadModel)?.settings.isSeveral ?? false
        panels.sameLine(ifRoomFor: "several")
        let new = panels.checkbox("several", old)
        panels.hint(
            "Shows the mask on up to three drawn people at once. A click on a picture above adds or removes one. Without "
                + "this box, Ctrl+click does so while a drawn person is shown")
        guard new != old else { return }
        if !(view.source is SyntheticHeadModel) { use(.syntheticHead) }
        (view.source as? SyntheticHeadModel)?.settings.isSeveral = new
    }

    private func drawRecording(_ panels: Panels) {
        panels.sameLine()
        let longest = Int(Performance.longest)
        guard let recording = view.recording else {
            if panels.button("record", icon: .record) { view.recording = Performance() }
            panels.hint("Records what the face does, for up to \(longest) s. Drawn people do it again, in any mask")
            return
        }
        let isEnded = panels.button("stop", icon: .stop)
        panels.sameLine()
        panels.text("\(Int(recording.seconds)) of \(longest) s")
        if isEnded || recording.isFull { endRecording() }
    }

    /// Keeps what is being recorded.
    private func endRecording() {
        guard let recording = view.recording else { return }
        view.recording = nil
        guard recording.canBePlayed else {
            return messages.say("Nothing was recorded: there was no face", isAlarm: true)
        }
        do {
            try recorded.keep(recording)
            messages.say("Recorded \(Int(recording.seconds.rounded())) s: choose a drawn person, and \"animate\"")
        } catch {
            messages.say("What was recorded is not kept: \(error)", isAlarm: true)
        }
        (time, timeSet, isAnimated) = (0, nil, false)
    }

    private func drawWearers(_ panels: Panels) {
        var wearers = Sample.all.indices.map { Wearer.person($0) }
        wearers += [EditModel.camera(nil)].map { .model($0) } + recent.models.map { .model($0) }
        let current: Wearer =
            (view.source as? SyntheticHeadModel).map { .person($0.settings.person % Sample.all.count) }
            ?? .model(view.model)
        if !wearers.contains(current) { wearers.append(current) }
        let items = zip(wearers, pictures.pictures(of: wearers)).map { wearer, picture in
            let isMissing = wearer == .model(.camera(nil)) && pictures.hasNoCamera
            return PanelThumbnail(
                label: isMissing ? "No camera" : wearer.name, detail: "", picture: picture, isMarked: nil)
        }
        let head = (view.source as? SyntheticHeadModel)?.settings
        let others = head?.people.dropFirst().compactMap { wearers.firstIndex(of: .person($0)) } ?? []
        let input = panels.gallery(
            items, chosen: wearers.firstIndex(of: current), others: others, isList: false, side: Self.pictureSide,
            inSight: current == seen ? nil : wearers.firstIndex(of: current)
        ) { _ in }
        seen = current
        guard case .chosen(let index)? = input.click else { return }
        let adds = head != nil && (head?.isSeveral == true || input.isControlDown) && !input.isReached
        if adds, case .person(let person) = wearers[index] {
            (view.source as? SyntheticHeadModel)?.settings.toggle(person)
            return
        }
        if wearers[index] == .model(.camera(nil)), pictures.hasNoCamera { pictures.lookForCamera() }
        guard wearers[index] != current else { return }
        switch wearers[index] {
        case .model(let model): use(model)
        case .person(let person):
            if !(view.source is SyntheticHeadModel) { use(.syntheticHead) }
            (view.source as? SyntheticHeadModel)?.settings.show(person)
        }
    }

    func use(_ model: EditModel) {
        endRecording()
        do {
            try view.use(model)
            recent.add(model)
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    private func chooseFile() {
        chooser.dialog.open(
            FileDialog.Request(
                title: "Photograph or clip of the wearer", button: "open", kind: "photographs or clips",
                lists: FirstFrame.isClipOrPicture, preview: FirstFrame.read,
                take: { [weak self] path in self?.use(EditModel(file: path.string ?? path.description)) }),
            at: recent.folder ?? FileChooser.pictures)
    }

    private func draw(_ head: SyntheticHeadModel, _ panels: Panels, width: Float) {
        var settings = head.settings
        panels.sameLine(ifRoomFor: "animate")
        let wasAnimated = isAnimated
        isAnimated = panels.checkbox("animate", isAnimated)
        panels.hint("Turn, smile, talk, raise the brows and blink, again and again")
        if isAnimated, !wasAnimated { timeSet = .now }
        panels.sameLine(ifRoomFor: "reset", hasIcon: false)
        if panels.button("reset") {
            isAnimated = false
            (time, timeSet) = (0, nil)
            settings = settings.atRest
        }
        panels.hint("Straight ahead, at rest, in the usual light")
        if recorded.performance != nil {
            panels.sameLine(ifRoomFor: "as recorded")
            recorded.isChosen = panels.checkbox("as recorded", recorded.isChosen)
            panels.hint("Moves as the face that was recorded from a camera or a clip")
        }
        panels.itemWidth(-1)
        settings.light = panels.list("lit", HeadSettings.Light.allCases.map { ($0.name, $0) }, settings.light)
        panels.hint("Left and right are the person's own")
        drawSliders(&settings, panels, width: width)
        drawTime(&settings, panels)
        let isClosed = min(settings.rightEye, settings.leftEye) > 0.6
        if isClosed && !wasClosed { settings.blinks += 1 }
        wasClosed = isClosed
        head.settings = settings
    }

    /// The time line of the performance: what moves it by hand stops it there.
    private func drawTime(_ settings: inout HeadSettings, _ panels: Panels) {
        let performance = recorded.isChosen ? recorded.performance : nil
        let length = performance?.seconds ?? HeadSettings.performanceSeconds
        time = min(time, length)
        let now = ContinuousClock.now
        if isAnimated, let set = timeSet {
            time = (time + Float((now - set) / .seconds(1))).truncatingRemainder(dividingBy: length)
            timeSet = now
        }
        panels.itemWidth(-1)
        let chosen = panels.slider("time", time, in: 0...length, format: "%.1f s")
        panels.hint("Drag it to see one moment of the animation; \"Animate\" goes on from there")
        if chosen != time { (time, timeSet, isAnimated) = (chosen, nil, false) } else if !isAnimated { return }
        if let performance { settings.follow(performance.signals(at: time)) } else { settings.animate(at: time) }
    }

    /// In two columns: pose and right eye on the left, the rest on the right.
    private func drawSliders(_ settings: inout HeadSettings, _ panels: Panels, width: Float) {
        let isWide = Self.hasTwoColumns(width)
        // Labels take 90; the rest is the space between the columns.
        let column = min(400, width / 2)
        panels.itemWidth(isWide ? column - 110 : -1)
        func slider(_ label: String, _ value: inout Float, _ range: ClosedRange<Float>) {
            value = panels.slider(label, value, in: range, format: range.upperBound > 1 ? "%.0f" : "%.2f")
        }
        func goToSecondColumn() { if isWide { panels.sameLine(at: column) } }
        slider("turn", &settings.yaw, -50...50)
        goToSecondColumn()
        slider("mouth", &settings.mouth, 0...1)
        slider("nod", &settings.pitch, -30...30)
        goToSecondColumn()
        slider("smile", &settings.smile, -1...1)
        slider("tilt", &settings.roll, -45...45)
        goToSecondColumn()
        slider("brows", &settings.brows, 0...1)
        slider("right eye", &settings.rightEye, 0...1)
        goToSecondColumn()
        slider("left eye", &settings.leftEye, 0...1)
        slider("look aside", &settings.gazeTurn, -1...1)
        goToSecondColumn()
        slider("look up", &settings.gazeNod, -1...1)
        slider("loudness", &settings.loudness, 0...1)
        goToSecondColumn()
        slider("beat", &settings.beat, 0...1)
    }
}
