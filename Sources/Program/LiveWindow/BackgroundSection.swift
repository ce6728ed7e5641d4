import Backgrounds
import Display
import Files

/// The panel's section on what is shown behind people.
struct BackgroundSection {
    private enum Kind { case none, blur, color, picture, transparent, masksAlone }

    /// What is typed, if it differs from what is shown.
    private var (color, path): (String?, String?)
    /// The last ones, which come back with their kind.
    private var lastColor = BackgroundChoice.color(red: 0, green: 255, blue: 0)
    private var lastPicture: BackgroundChoice?
    /// Whether `lastPicture` has been asked for since a picture was shown: its file may be gone.
    private var isPictureAsked = false

    mutating func draw(_ panels: Panels, _ settings: LiveState.Panel, _ send: LivePanel.Send) {
        let background = settings.background
        panels.heading("Background", icon: .room)
        guard background.canReplace else {
            return panels.text("Needs the networks above ('\(NetworkSection.title)').")
        }
        // A picture that is only looked for is no choice yet: who cancels keeps what there was.
        let shown = Self.kind(of: background.choice)
        note(background.drawn)
        var kinds: [(label: String, value: Kind)] = [
            ("the room", .none), ("blur", .blur), ("one colour", .color), ("picture or clip", .picture),
        ]
        if background.hasAlpha { kinds += [("transparent", .transparent), ("masks alone", .masksAlone)] }
        let hints = ["As the camera sees it. A mask that has a background of its own shows that."]
        let chosen = panels.choice(kinds, shown, hints: hints)
        if chosen != shown { choose(chosen, send) }
        // Always there, so that nothing moves under the mouse.
        panels.text(
            background.hasAlpha
                ? "At the edges of people, a little of the room is still seen. Only masks alone show none of it."
                : "At the edges of people, a little of the room is still seen: clear away what nobody is to see.")
        switch Self.kind(of: background.choice) {
        case .color: drawColor(panels, send)
        case .picture: drawPicture(panels, send)
        case .none, .blur, .transparent, .masksAlone: break
        }
    }

    private static func kind(of choice: BackgroundChoice?) -> Kind {
        switch choice {
        case nil: .none
        case .blur: .blur
        case .color: .color
        case .picture: .picture
        case .transparent: .transparent
        case .masksAlone: .masksAlone
        }
    }

    private mutating func note(_ choice: BackgroundChoice?) {
        if Self.kind(of: choice) == .picture { isPictureAsked = false }
        switch choice {
        case .color where choice != lastColor: (lastColor, color) = (choice ?? lastColor, nil)
        case .picture where choice != lastPicture: (lastPicture, path) = (choice, nil)
        default: break
        }
    }

    private mutating func choose(_ kind: Kind, _ send: LivePanel.Send) {
        (color, path) = (nil, nil)
        switch kind {
        case .none: send(.setBackground(nil))
        case .blur: send(.setBackground(.blur))
        case .color: send(.setBackground(lastColor))
        case .transparent: send(.setBackground(.transparent))
        case .masksAlone: send(.setBackground(.masksAlone))
        case .picture:
            if let lastPicture, !isPictureAsked {
                isPictureAsked = true
                send(.setBackground(lastPicture))
            } else {
                send(.chooseBackground)
            }
        }
    }

    private mutating func drawColor(_ panels: Panels, _ send: LivePanel.Send) {
        let shown = color ?? lastColor.text ?? ""
        let clicked = panels.swatches(Self.palette, chosen: lastColor.text)
        let written = panels.field("colour", shown, limit: 7)
        panels.hint("# and six hexadecimal digits: red, green and blue")
        let typed = clicked ?? written
        if typed != shown {
            color = typed
            if let choice = Self.color(typed) { send(.setBackground(choice)) }
        }
        if Self.color(typed) == nil { panels.alarm("Not a colour such as #00ff00") }
    }

    /// Those that other programs replace most often, and quiet ones.
    private static let palette: [(name: String, color: String)] = [
        ("Green", "#00ff00"), ("Blue", "#0000ff"), ("Magenta", "#ff00ff"), ("White", "#ffffff"), ("Grey", "#808080"),
        ("Navy", "#1b2a49"), ("Black", "#000000"),
    ]

    private static func color(_ text: String) -> BackgroundChoice? {
        guard text.hasPrefix("#") else { return nil }
        return BackgroundChoice(FilePath(text))
    }

    private static let hint =
        "The path of a picture, or of a clip, which is shown again and again. In a mirrored window it is mirrored, too; others "
        + "see it as it is."

    private mutating func drawPicture(_ panels: Panels, _ send: LivePanel.Send) {
        if panels.button("choose a file …", icon: .folder) { send(.chooseBackground) }
        let old = lastPicture?.text ?? ""
        let typed = panels.field("file", path ?? old, limit: 4000)
        let isEntered = panels.isEntered
        panels.hint(typed.isEmpty ? Self.hint : typed)
        path = typed == old ? nil : typed
        guard !typed.isEmpty, typed != old else { return }
        if panels.button("show it", icon: .picture) || isEntered {
            send(.setBackground(.picture(FilePath(typed: typed))))
        }
    }
}
