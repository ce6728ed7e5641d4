import SourceSelection

/// What masks hear.
extension LiveSession {
    /// Whether frames come from a clip, which may have sound.
    var hasClip: Bool { if case .clip = input.source { true } else { false } }

    /// Whether a mask that is worn follows sound, also while it is off.
    private var maskFollowsSound: Bool { worn?.mask.followsSound == true || compositor.followsSound }

    /// Opens what is to be listened to, and says it if nothing can be heard. To be called for each frame.
    func listen() {
        let trouble = sound.update(
            microphone: outputs.microphone, maskFollowsSound: maskFollowsSound, isClip: hasClip)
        if let trouble { messages.say(trouble, isAlarm: true) }
    }

    /// To be called when a mask has been put on.
    func sayIfMaskHearsNothing() {
        guard worn?.mask.followsSound == true else { return }
        let hears = sound.input == .microphone || (hasClip && sound.input != SoundInput.none)
        guard !hears else { return }
        let name = masks.current.name
        messages.say(
            window == nil
                ? "\(name) follows sound: --sound microphone lets it hear"
                : "\(name) follows sound: let it hear in the panel (Tab, Sound)")
    }
}

extension LiveSettings {
    /// The same settings with a source that is asked for its sound.
    func listening(to sound: LiveSound) -> LiveSettings {
        var settings = self
        settings.source.clipSound = sound.clip
        return settings
    }
}
