import FrameProcessing

/// What is there next time.
extension LiveSession {
    /// A mask that is worn for less is only passed by, in seconds.
    private static let shortestUse = 3.0

    /// What the user has chosen by now. Of what does not outlive the session, such as the mask of a portrait, what was chosen
    /// before it.
    var chosen: LivePreferences {
        var chosen = preferences
        chosen.mask = masks.current.key ?? preferences.mask
        chosen.favourites = masks.favourites
        chosen.faces = compositor.faces
        chosen.whenLost = compositor.lostFaces.policy
        chosen.smoothing = source.controls.smoothing
        chosen.fade = fade
        return chosen
    }

    /// Writes what has changed since the last call. To be called every second. Options of the command line count as
    /// unchanged.
    func keepPreferences() {
        guard let file = settings.preferences else { return }
        if kept.mask != masks.index {
            (kept.mask, kept.since) = (masks.index, .now)
        } else if let key = masks.current.key, ContinuousClock.now - kept.since >= .seconds(Self.shortestUse) {
            preferences.noteUse(of: key)
        }
        preferences = chosen
        if let error = file.write(preferences, changesSince: kept.preferences) {
            messages.say("What you choose is not kept: \(error)", isAlarm: true)
        }
        kept.preferences = preferences
    }
}
