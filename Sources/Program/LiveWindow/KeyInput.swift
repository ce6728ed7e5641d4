import Display
import LiveControl

/// The commands for keys of the window. A key has a meaning by itself or by the user's choice; while the window waits
/// for an answer or for a key to be chosen, the next key is that answer.
package struct KeyInput {
    /// The command to bind to the next pressed key; nil: keys keep their meaning.
    package var commandForKey: ControlCommand?
    /// Whether the window asks if a running recording is to be ended, or a GIF left out.
    package var asksToQuit = false

    /// The page that is shown in place of a picture, with its own keys.
    package var startPage = StartPageFocus()

    package init() {}

    /// What is asked before the window quits; nil: nothing is.
    /// - Parameter isMakingGIF: whether the last seconds are being saved. Their GIF, which takes long, is left out.
    package static func quitQuestion(isRecording: Bool, isMakingGIF: Bool) -> String? {
        switch (isRecording, isMakingGIF) {
        case (false, false): nil
        case (true, false): "A recording is running. Press Q to finish it and quit, or any other key to continue."
        case (false, true):
            "The GIF of the last \(Int(LastSeconds.seconds)) s is not ready. Press Q to quit with the MP4 alone, or any other "
                + "key to continue."
        case (true, true):
            "A recording is running, and a GIF is not ready. Press Q to finish the recording and quit without the GIF, or any "
                + "other key to continue."
        }
    }

    /// - Returns: the command for a pressed key; nil: none.
    package mutating func command(for key: WindowEvent.Key, _ bindings: KeyBindings) -> SessionCommand? {
        let wasAskedToQuit = asksToQuit
        // Any other key answers no.
        asksToQuit = false
        if let command = commandForKey {
            commandForKey = nil
            return .bindKey(key, command)
        }
        // A key of the user's own, perhaps for the cover, means the same everywhere.
        if let command = bindings[key] { return .byUser(command, isConfirmed: wasAskedToQuit) }
        if let action = startPage.take(key) { return action.map { .show($0) } }
        return switch key {
        case .left: .control(.previous)
        case .right: .control(.next)
        case .digit(0): .control(.mask(.toggle))
        case .digit(let place): .wearAtPlace(place)
        case .letter("c"), .function(12): .control(.cover(.toggle))
        case .space: .pause(.toggle)
        case .tab, .backTab: .showPanel(.toggle)
        // Once it is there, they go through it.
        case .function(6): .showPanel(.on)
        case .control("f", _): .searchMasks
        case .enter: .wearFirstFound
        case .escape: wasAskedToQuit ? .takeBackGesture : .dismiss
        case .letter("q"): .byUser(.quit, isConfirmed: wasAskedToQuit)
        case .letter("l"): .showMesh(.toggle)
        case .letter("m"): .mirror(.toggle)
        case .letter("f"): .toggleFullScreen
        case .letter("s"): .control(.snapshot)
        case .letter("r"): .control(.record(.toggle))
        case .letter("h"): .toggleHelp
        case .letter("g"): .saveLastSeconds
        case .letter("o"), .control("o", _): .show(.chooseFile)
        case .up: .moveInGallery(rows: -1)
        case .down: .moveInGallery(rows: 1)
        case .plus, .control("+", _): .enlarge(steps: 1)
        case .minus, .control("-", _): .enlarge(steps: -1)
        case .letter, .bracket, .delete, .backspace, .control, .function, .pageUp, .pageDown, .home, .end, .comma,
            .period, .slash:
            nil
        }
    }
}
