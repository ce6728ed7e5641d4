/// Whether the photograph is shown, or its result. Of masks, that is the file as it was written: nothing in it can be
/// decided about, because faces are not marked there, and it may be turned. Of covers, the photograph with opaque ones.
package struct ResultView: Equatable, Sendable {
    /// Whether the user wants the result.
    package var isWanted = false
    /// Whether the last drawing has shown the result as it was written.
    package private(set) var isDrawn = false
    private var wearsMasks = false

    package init() {}

    /// Whether covers are opaque.
    package var hidesFaces: Bool { isWanted && !wearsMasks }

    /// A scene is about to be drawn. Of masks, the result is shown at first; of covers, what is below them.
    /// - Parameters:
    ///   - wearsMasks: whether faces wear masks in the result.
    ///   - hasResult: whether the result can be shown as it was written.
    package mutating func begin(wearsMasks: Bool, hasResult: Bool) {
        if wearsMasks != self.wearsMasks { isWanted = wearsMasks }
        self.wearsMasks = wearsMasks
        isDrawn = isWanted && wearsMasks && hasResult
    }

    /// To be called before anything is done to a face. As long as the result is drawn, it is only left for the photograph.
    /// - Returns: whether it is; then nothing else may be done.
    package mutating func leave() -> Bool {
        if isDrawn { isWanted = false }
        return isDrawn
    }
}
