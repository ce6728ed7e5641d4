/// Why something cannot be measured. Errors of files, pictures, clips and models keep their own types.
package struct EvaluationError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// There is nothing to measure: no picture, no annotation.
        case noInput
        /// No face was found, or an annotation is broken.
        case unusableInput
        /// The caller's `StopCheck` returned true.
        case stopped
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// Asked before each unit of work (a frame, a picture); true ends the measurement with `EvaluationError.stopped`.
package typealias StopCheck = () -> Bool

/// - Throws: `EvaluationError` if the measurement is to end.
package func checkStop(_ isStopped: StopCheck) throws(EvaluationError) {
    if isStopped() { throw EvaluationError(.stopped, "interrupted") }
}
