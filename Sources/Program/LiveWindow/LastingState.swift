/// Whether something has been so in all frames for a while, in the frames' time: a pause does not count.
package struct LastingState {
    /// In seconds.
    private let patience: Double
    private var since: Double?
    package private(set) var lasts = false

    package init(patience: Double) { self.patience = patience }

    /// - Parameters:
    ///   - isSo: whether it is so in a frame.
    ///   - seconds: the frame's time.
    ///   - stays: whether no other frame is about to come: then it lasts at once.
    package mutating func note(_ isSo: Bool, at seconds: Double, stays: Bool = false) {
        since = isSo ? min(since ?? seconds, seconds) : nil
        lasts = since.map { stays || seconds - $0 > patience } ?? false
    }

    /// Nothing of the frames before holds.
    package mutating func forget() { (since, lasts) = (nil, false) }
}
