/// The source of sound for masks that follow sound.
package enum SoundInput: String, CaseIterable, Sendable {
    case none
    /// The sound of the clip that the frames come from.
    case clip
    case microphone
}
