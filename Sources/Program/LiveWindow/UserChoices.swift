import Files

/// The user's choices, now and in earlier sessions. Changes are written; options of the command line count as
/// unchanged.
final class UserChoices {
    var preferences: LivePreferences
    /// Nil: nothing is kept.
    private let file: PreferencesFile?
    /// The preferences as they were last written.
    private var written: LivePreferences
    /// The mask that is worn, as an index of `MaskList.entries`, and since when.
    private var mask: (index: Int, since: ContinuousClock.Instant)

    /// A mask that is worn for less is only passed by, in seconds.
    private static let shortestUse = 3.0

    /// - Parameters:
    ///   - preferences: those of the session before.
    ///   - mask: an index of `MaskList.entries`.
    init(_ preferences: LivePreferences, in file: PreferencesFile?, mask: Int) {
        (self.preferences, self.file, self.mask) = (preferences, file, (mask, .now))
        written = preferences
    }

    /// - Parameter preferences: what the session begins with, after the options of the command line.
    func begin(with preferences: LivePreferences) { (self.preferences, written) = (preferences, preferences) }

    /// Writes what has changed since the last call. To be called every second.
    /// - Parameters:
    ///   - masks: in their present state.
    ///   - current: the preferences with what the session has now.
    /// - Returns: why an earlier call has failed; nil: it has not.
    func keep(_ masks: MaskList, current: (LivePreferences) -> LivePreferences) -> FileError? {
        guard let file else { return nil }
        if mask.index != masks.index {
            mask = (masks.index, .now)
        } else if let key = masks.current.key, ContinuousClock.now - mask.since >= .seconds(Self.shortestUse) {
            preferences.noteUse(of: key)
        }
        preferences = current(preferences)
        defer { written = preferences }
        return file.write(preferences, changesSince: written)
    }

    /// Waits until everything has been written.
    func finish() { file?.finish() }
}
