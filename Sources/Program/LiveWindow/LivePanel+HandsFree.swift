import Display
import Gestures
import LiveControl

/// Hands-free control: its display in the picture, and its settings.
extension LivePanel {
    /// Shows the gesture that is being held, and the one that is about to do something.
    func showGesture(_ panels: Panels, _ state: LiveState) {
        // Where no frame comes, nothing follows the face.
        guard let handsFree = state.handsFree.following, state.startPage?.hasPicture ?? true else { return }
        if showPointer(panels, handsFree) { return }
        if let pending = handsFree.confirmation.pending {
            let title = state.switches.title(of: pending.action)
            panels.dial(
                "gesture", title.prefix(1).uppercased() + title.dropFirst(),
                "\(pending.gesture.title). Shake your head or press Esc to cancel.",
                fraction: handsFree.confirmation.progress, isAlarm: true)
        } else if let progress = handsFree.recognizer.progress,
            let command = state.gestures[progress.gesture]
        {
            panels.dial(
                "gesture", progress.gesture.title, "Hold it: \(state.switches.title(of: command))",
                fraction: progress.fraction,
                isAlarm: false)
        }
    }

    /// Shows what the nose points at, or how to calibrate it, and what opens the panel for those who have no keys.
    /// - Returns: whether it says what to do for the calibration.
    private func showPointer(_ panels: Panels, _ handsFree: HandsFree.Following) -> Bool {
        guard let pointer = handsFree.pointer else { return false }
        switch pointer.phase {
        case .centring, .ranging:
            guard handsFree.confirmation.pending == nil else { return false }
            let isFirst = pointer.phase == .centring
            panels.dial(
                "pointer", isFirst ? "Look at the middle of the window" : "Turn your head to all sides",
                isFirst
                    ? "The pointer of your nose starts there. Esc ends it."
                    : "As far as is comfortable: this sets the edges. Esc ends it.",
                fraction: pointer.progress, isAlarm: false)
            return true
        case .pointing:
            if let position = pointer.position {
                panels.ring(
                    x: position.x, y: position.y, fraction: pointer.progress, isWaiting: panels.isHandUsed)
            }
            return false
        }
    }

    func chooseGestures(_ panels: Panels, _ state: LiveState, _ send: Send) {
        panels.heading("Hands-free", icon: .hand)
        let isOn = state.handsFree.isOn
        let wanted = panels.checkbox("control with the face", isOn)
        panels.hint("Choose the effect of each gesture. A shake of the head cancels it before it happens.")
        if wanted != isOn { send(.setHandsFree(wanted)) }
        guard wanted else { return }
        let points = panels.checkbox("point with the nose", state.handsFree.wantsPointer)
        panels.hint(
            "A ring follows your nose and clicks where it rests for 0.8 s. Mouse and keys go first; Esc ends it.")
        if points != state.handsFree.wantsPointer { send(.setPointing(points)) }
        if points, panels.button("calibrate again", icon: .reset) { send(.calibratePointer) }
        for gesture in Gesture.bindable {
            let current = state.gestures[gesture]
            let command = panels.list(gesture.title, Self.commands(with: current), current)
            if command != current { send(.bindGesture(gesture, command)) }
        }
    }

    /// The commands that gestures can be given in the panel, and the one that this gesture has.
    private static func commands(
        with current: ControlCommand?
    ) -> [(label: String, value: ControlCommand?)] {
        var all: [(label: String, value: ControlCommand?)] = [
            ("Nothing", nil), ("Next mask", .next), ("Previous mask", .previous), ("Mask off and on", .mask(.toggle)),
            ("Snapshot", .snapshot), ("Start or stop recording", .record(.toggle)),
            ("Cover or uncover everything", .cover(.toggle)), ("Cover everything", .cover(.on)),
        ]
        if let current, !all.contains(where: { $0.value == current }) { all.append((current.line, current)) }
        return all
    }
}
