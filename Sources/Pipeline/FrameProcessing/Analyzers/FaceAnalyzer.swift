import Compositing

/// Finds the faces of frames. An analyzer that looks ahead gives frames back later than it takes them, in the same
/// order; none is left out. It belongs to one thread.
package protocol FaceAnalyzer: AnyObject {
    /// Takes the next frame.
    func add(_ frame: consuming Frame) throws

    /// The next frame whose faces are known, with `faces`, `isCut` and `timings` set; nil if frames must be added
    /// first.
    /// - Parameter isEnding: whether no frame will be added any more. The frames that still wait then come out.
    func next(isEnding: Bool) throws -> Frame?
}
