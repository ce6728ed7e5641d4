import Vision

/// Why something is left out of all frames from now on.
package struct FrameWarning: CustomStringConvertible {
    private let cause: any Error
    private let loss: String

    /// - Parameter loss: what happens without it, as the second half of a sentence.
    init(_ cause: any Error, _ loss: String) { (self.cause, self.loss) = (cause, loss) }

    package var description: String { "\(cause); \(loss)" }

    /// Whether a network is not installed, or cannot be used here; one that is damaged is there.
    package var isOfMissingNetwork: Bool { (cause as? VisionError)?.kind == .modelUnreadable }
}
