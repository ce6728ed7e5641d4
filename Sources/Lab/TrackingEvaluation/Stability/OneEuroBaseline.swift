import FaceGeometry

/// The 1 € filter (Casiez, Roussel, Vogel, CHI 2012) on the landmarks of every frame: what many programs do.
enum OneEuroBaseline {
    /// The setting with the least jitter among those with a lag of at most half a frame.
    /// - Parameters:
    ///   - times: of the frames, in seconds.
    ///   - width: of the face, in pixels.
    ///   - reference: the track that lag is measured against.
    static func best(
        on raw: LandmarkTrack, times: [Double], width: Float, reference: LandmarkTrack
    ) -> (track: LandmarkTrack, note: String) {
        var best: (track: LandmarkTrack, jitter: Float, note: String)?
        for minimumCutoff in [0.5, 1, 2, 4] as [Float] {
            for coefficient in [2, 5, 10, 20, 40, 80] as [Float] {
                let settings = OneEuroFilter.Settings(
                    minimumCutoff: minimumCutoff, speedCoefficient: coefficient)
                let track = filtered(raw, times: times, width: width, settings)
                guard let jitter = track.jitter, jitter < best?.jitter ?? .infinity,
                    let lag = track.lag(behind: reference), lag <= 0.5
                else { continue }
                best = (track, jitter, "cutoff \(minimumCutoff) Hz, β \(coefficient) Hz·s a width")
            }
        }
        return best.map { ($0.track, $0.note) } ?? (raw, "no setting has a lag of half a frame or less")
    }

    private static func filtered(
        _ raw: LandmarkTrack, times: [Double], width: Float, _ settings: OneEuroFilter.Settings
    ) -> LandmarkTrack {
        var result = raw
        for stretch in raw.stretches {
            var filters = PerLandmark<OneEuroFilter>(repeating: OneEuroFilter(settings))
            for index in stretch {
                let seconds = index == stretch.lowerBound ? 0 : Float(times[index] - times[index - 1])
                result.frames[index] = raw.frames[index]?.mappedWithIndex { point, place in
                    width * filters[point].filter(place / width, seconds: seconds)
                }
            }
        }
        return result
    }
}
