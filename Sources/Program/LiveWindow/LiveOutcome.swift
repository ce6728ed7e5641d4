import FrameProcessing

/// The result of `LiveSession.run`.
package struct LiveOutcome: Sendable {
    /// The statistics of the whole run.
    package var statistics: LiveStatistics.Summary
    /// The target, the virtual camera and the recordings, each with the number of frames written to it.
    package var outputs: [(target: String, frames: Int)]
    /// The error that ended the source or an output that the settings ask for; nil: none.
    package var failure: (any Error)?
    /// Whether the failure has been logged already.
    package var failureIsLogged: Bool
}
