import Display
import SyntheticFaces

/// Chooses the model, and sets the synthetic head's pose and expression.
final class ModelPanel {
    private let view: ModelView
    private let messages: WindowMessages
    private let chooser: FileChooser
    private var recent = RecentModels()
    private var isAnimated = false
    private let start = ContinuousClock.now
    private var wasClosed = false

    init(_ view: ModelView, messages: WindowMessages, chooser: FileChooser) {
        self.view = view
        self.messages = messages
        self.chooser = chooser
        recent.add(view.model)
    }

    /// - Parameter width: of the part of the window, as all here in window units.
    func height(width: Float) -> Float {
        guard view.source is SyntheticHeadModel else { return 60 }
        return Self.hasTwoColumns(width) ? 275 : 443
    }

    /// Whether two sliders with their labels find room beside each other.
    private static func hasTwoColumns(_ width: Float) -> Bool { width >= 366 }

    /// - Parameter width: of the part of the window.
    func draw(_ panels: Panels, width: Float) {
        panels.itemWidth(-1)
        var options: [(label: String, value: EditModel)] = [
            (EditModel.syntheticHead.name, .syntheticHead), (EditModel.camera(nil).name, .camera(nil)),
        ]
        options += recent.models.map { ($0.name, $0) }
        if !options.contains(where: { $0.value == view.model }) { options.append((view.model.name, view.model)) }
        options.append(("Choose a photograph or a clip ...", Self.fromFile))
        let model = panels.list("worn by", options, view.model)
        if model == Self.fromFile { chooseFile() } else if model != view.model { use(model) }
        if let head = view.source as? SyntheticHeadModel { draw(head, panels, isWide: Self.hasTwoColumns(width)) }
    }

    /// Stands for a file that is to be chosen.
    private static let fromFile = EditModel.clip("")

    func use(_ model: EditModel) {
        do {
            try view.use(model)
            recent.add(model)
        } catch {
            messages.say("\(error)", isAlarm: true)
        }
    }

    private func chooseFile() {
        chooser.open(
            FileChooser.Request(title: "Photograph or clip of the wearer", button: "open") { [weak self] path in
                self?.use(EditModel(file: path.string ?? path.description))
            }, at: recent.folder)
    }

    private func draw(_ head: SyntheticHeadModel, _ panels: Panels, isWide: Bool) {
        var settings = head.settings
        settings.person = panels.list(
            "person", Sample.all.enumerated().map { (wording($1.name), $0) }, settings.person % Sample.all.count)
        drawSliders(&settings, panels, isWide: isWide)
        isAnimated = panels.checkbox("animate", isAnimated)
        panels.hint("Turn, blink and talk")
        panels.sameLine()
        if panels.button("reset") {
            isAnimated = false
            settings = HeadSettings(person: settings.person, blinks: settings.blinks)
        }
        panels.hint("Straight ahead, at rest")
        if isAnimated { settings.animate(at: Float((ContinuousClock.now - start) / .seconds(1))) }
        let isClosed = min(settings.rightEye, settings.leftEye) > 0.6
        if isClosed && !wasClosed { settings.blinks += 1 }
        wasClosed = isClosed
        head.settings = settings
    }

    /// In two columns: pose and right eye on the left, the rest on the right.
    private func drawSliders(_ settings: inout HeadSettings, _ panels: Panels, isWide: Bool) {
        panels.itemWidth(isWide ? 120 : -1)
        func slider(_ label: String, _ value: inout Float, _ range: ClosedRange<Float>) {
            value = panels.slider(label, value, in: range, format: range.upperBound > 1 ? "%.0f" : "%.2f")
        }
        func goToSecondColumn() { if isWide { panels.sameLine(at: 230) } }
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
