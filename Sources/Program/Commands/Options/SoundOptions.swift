import Arguments
import SourceSelection

/// The options of commands that listen.
enum SoundOptions {
    /// - Parameters:
    ///   - defaultText: the default, as text.
    ///   - help: the use of the sound.
    static func input(defaultText: String, help: String) -> Option<SoundInput?> {
        Option("sound", words: SoundInput.self, defaultText: defaultText, help: help)
    }

    static let microphone = Option<String?>(
        "microphone", value: "name", defaultText: "the system's default",
        help: "The microphone: a source of PulseAudio or PipeWire ('pactl list short sources').")

    /// Refuses a clip's sound without a clip, and the microphone beside a clip that is read faster than it plays.
    static func check(
        _ option: Option<SoundInput?>, _ arguments: ParsedArguments, _ source: SourceOptions
    ) throws(UsageError) {
        let isClip = if case .clip = source.input { true } else { false }
        switch arguments[option] {
        case .clip where !isClip: throw arguments.invalid(option, "needs a clip")
        case .microphone where isClip && !source.isPaced:
            throw arguments.invalid(
                option, "needs a clip that plays at its own speed; use 'clip'")
        default: break
        }
    }
}
