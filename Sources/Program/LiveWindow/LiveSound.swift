import Clips
import Compositing
import Sound
import SourceSelection
import Threads

/// The sound for masks in a live session, and the microphone's level for the panel. A microphone is opened only if the
/// user has asked for it: no mask can.
final class LiveSound {
    /// The source of sound for masks; nil: a clip's own sound, for masks that follow sound.
    var input: SoundInput?
    /// Whether the user sees the level of the microphone.
    var isLevelShown = false
    /// Given to the source.
    let clip = ClipSoundRequest(isWanted: false)
    /// The microphone that is listened to; nil: none.
    private(set) var microphone: (name: String?, listener: MicrophoneListener)?
    /// The sound of the last frame; nil: no sound was used.
    private(set) var last: SoundSignals?
    private var saidTrouble: String?
    /// Closes microphones: their programs may take a moment to end.
    private let closing = BackgroundWork()

    init(_ input: SoundInput?) {
        self.input = input
        clip.isWanted = input == .clip
    }

    /// Opens and closes what is to be listened to. To be called for each frame.
    /// - Parameters:
    ///   - name: of the microphone, by `Microphone.name`; nil: the default one.
    ///   - maskFollowsSound: whether the mask that is worn does.
    ///   - isClip: whether frames come from a clip.
    /// - Returns: why masks hear nothing, for the user, and whether something is wrong; once, until they hear something.
    func update(
        microphone name: String?, maskFollowsSound: Bool, isClip: Bool
    ) -> (text: String, isAlarm: Bool)? {
        clip.isWanted = input == .clip || (input == nil && maskFollowsSound)
        let isWanted = input == .microphone || isLevelShown
        if let open = microphone, !isWanted || open.name != name {
            microphone = nil
            closing.add { open.listener.stop() }
        }
        closing.handBack()
        if isWanted, microphone == nil { microphone = (name, MicrophoneListener(name)) }
        var trouble: String?
        if input == .microphone {
            trouble = microphone?.listener.trouble
        } else if isClip, clip.isWanted, maskFollowsSound, clip.finding == .none {
            trouble = "This clip has no audible sound."
        }
        defer { saidTrouble = trouble }
        return saidTrouble == nil ? trouble.map { ($0, input == .microphone) } : nil
    }

    /// The sound of a frame; nil: no sound is used.
    func heard(by frame: borrowing Frame) -> SoundSignals? {
        last = input == .microphone ? microphone?.listener.signals(at: frame.captured) : frame.sound
        return last
    }

    /// Closes the microphone and waits for the threads of all.
    func stop() {
        microphone?.listener.stop()
        microphone = nil
        closing.finish()
    }
}
