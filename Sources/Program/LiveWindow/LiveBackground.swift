import Backgrounds
import Clips
import Compositing
import Files
import NeuralNetworks

/// What a session shows in place of what is behind people, as the user has chosen it.
final class LiveBackground {
    /// May still be loading; nil: what is there, or what the mask shows in its place.
    fileprivate(set) var choice: BackgroundChoice?
    /// The choice that frames are drawn with.
    fileprivate(set) var drawn: BackgroundChoice?
    /// In which a picture is chosen.
    let chooser: FileChooser
    /// Whether people can be told from what is behind them.
    private(set) var canReplace: Bool
    fileprivate let networks: NetworkFolder

    /// The last session's, which a trial of a mask shows as soon as anything else than the window gets the picture; nil: none.
    fileprivate var leftOut: BackgroundChoice?
    /// Whether the window shows the room although the user has hidden it.
    var isLeftOut: Bool { leftOut != nil }

    /// Whether nobody is in front of it, or of the mask's. To be told of each frame that is drawn, and to forget those of another
    /// source.
    var emptiness = LastingState(patience: 0.8)

    private init(_ choice: BackgroundChoice?, _ settings: LiveSettings) {
        (self.choice, drawn, networks) = (choice, choice, settings.models.networks)
        chooser = FileChooser(remembering: settings.lastFolder(of: .backgrounds))
        canReplace = networks.hasPerson
    }

    /// What the session begins with: the command line's, or else the last session's, so that no frame shows the room of who
    /// had hidden it.
    /// - Parameter warn: is told why that of the last session cannot be shown.
    /// - Throws: as `FrameEffects.init`, of the command line's.
    static func first(
        _ settings: LiveSettings, _ preferences: LivePreferences, warn: (String) -> Void
    ) throws -> (background: LiveBackground, effects: FrameEffects) {
        let (asked, networks) = (settings.worn.background, settings.models.networks)
        guard let kept = settings.lastBackground(preferences) else {
            return (LiveBackground(asked, settings), try FrameEffects(live: asked, networks: networks))
        }
        if settings.window.isTrial {
            let background = LiveBackground(nil, settings)
            background.leftOut = kept
            return (background, try FrameEffects(nil, networks: networks))
        }
        let (choice, effects) = try restored(kept, networks, warn)
        return (LiveBackground(choice, settings), effects)
    }

    /// - Returns: the background of the last session, or what comes nearest to it.
    fileprivate static func restored(
        _ kept: BackgroundChoice, _ networks: NetworkFolder, _ warn: (String) -> Void
    ) throws -> (choice: BackgroundChoice?, effects: FrameEffects) {
        do {
            guard networks.hasPerson else { throw NoNetworks() }
            if case .picture(let path) = kept { InputFiles.protect(path) }
            return (kept, try FrameEffects(live: kept, networks: networks))
        } catch {
            guard networks.hasPerson, let effects = try? FrameEffects(.blur, networks: networks) else {
                warn("The background of the last session is left out: \(error)")
                return (nil, try FrameEffects(nil, networks: networks))
            }
            warn("The room is blurred; the background of the last session cannot be shown: \(error)")
            return (.blur, effects)
        }
    }

    /// Finds networks that have been fetched meanwhile. To be called every second.
    func update() { if !canReplace { canReplace = networks.hasPerson } }

    private struct NoNetworks: Error, CustomStringConvertible {
        var description: String {
            "it needs MediaPipe's networks that see people; \(NetworkFolder.remedy) fetches them"
        }
    }

    /// Unchecked: made on the loader's thread, and only the session's thread uses it from then on.
    fileprivate struct Handed: @unchecked Sendable {
        let choice: BackgroundChoice
        let effect: (any FrameEffect)?
    }
}

extension LiveSession {
    /// Shows another background once it is loaded. If that fails, the window says why and the old one stays.
    func setBackground(_ choice: BackgroundChoice?) {
        (background.choice, background.leftOut) = (choice, nil)
        guard let choice else { return draw(nil, with: nil) }
        let networks = background.networks
        loader.load("the background") {
            var whole = choice
            if case .picture(let path) = choice {
                InputFiles.protect(path)
                // The next session may start elsewhere.
                whole = .picture(path.resolved ?? path)
            }
            let effects = try FrameEffects(live: choice, networks: networks)
            return LiveBackground.Handed(choice: whole, effect: effects.chosen)
        } finish: { [unowned self] result in
            // Another one may have been chosen meanwhile.
            guard background.choice == choice else { return }
            do {
                let loaded = try result.get()
                background.choice = loaded.choice
                draw(loaded.choice, with: loaded.effect)
                if case .picture(let path) = loaded.choice { view.say("Background: \(path.name)") }
            } catch {
                background.choice = background.drawn
                refuse(error)
            }
        }
    }

    /// Shows the background that a trial has left out, from the next frame on: others are about to see the picture. That is
    /// waited for, so that no frame shows them the room.
    /// - Returns: whether it had been left out.
    @discardableResult
    func restoreBackground() -> Bool {
        guard let kept = background.leftOut else { return false }
        background.leftOut = nil
        let restored = try? LiveBackground.restored(kept, background.networks) { view.say($0, isAlarm: true) }
        background.choice = restored?.choice
        background.drawn = restored?.choice
        replaceBackground(with: restored?.effects.chosen)
        // Who wants to be seen in the room says so.
        if restored?.choice == nil {
            cover.set(isOn: true)
            view.say("The picture is covered, because your background cannot be shown. C uncovers it", isAlarm: true)
        }
        return true
    }

    private func draw(_ choice: BackgroundChoice?, with effect: (any FrameEffect)?) {
        background.drawn = choice
        replaceBackground(with: effect)
        // Where it is transparent, the outputs of this session have to be so, too.
        guard choice?.isTransparent != true else { return }
        // A path that is not UTF-8 cannot be kept; the room stays hidden nevertheless.
        choices.preferences.background = choice.map { $0.text ?? "blur" }
    }

    private func replaceBackground(with effect: (any FrameEffect)?) {
        compositor.replaceBackground(with: effect)
        background.emptiness.forget()
    }

    /// Shows the picture that the user has chosen in the dialog. To be called for each frame.
    func takeChosenBackground() {
        switch background.chooser.takeAnswer() {
        case nil: break
        case .chosen(let paths): if let path = paths.first { setBackground(.picture(path)) }
        case .failed(let reason): view.say(reason, isAlarm: true)
        }
    }
}
