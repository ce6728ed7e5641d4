/// The sound of a moment, for masks: both values from 0 to 1.
package struct SoundSignals: Equatable, Sendable {
    /// How loud it is, between the quietest and the loudest of the last seconds; 0 in silence and for a steady noise.
    package var loudness: Float
    /// 1 when a sound begins, from where it falls to 0 within about half a second.
    package var beat: Float

    package init(loudness: Float, beat: Float) { (self.loudness, self.beat) = (loudness, beat) }

    /// Heard in pictures that show what a mask looks like.
    package static let example = SoundSignals(loudness: 0.7, beat: 0.5)
    package static let silence = SoundSignals(loudness: 0, beat: 0)
}
