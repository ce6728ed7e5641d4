import FaceGeometry
import Sound

extension ExpressionSignals {
    /// Takes what is heard.
    package mutating func hear(_ sound: SoundSignals) {
        self[.loudness] = sound.loudness
        self[.beat] = sound.beat
    }
}
