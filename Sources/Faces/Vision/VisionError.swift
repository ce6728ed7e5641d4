import CVision
import Files

/// A failure of dlib, OpenCV or a landmark model.
package struct VisionError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The model file is missing or cannot be opened.
        case modelUnreadable
        /// The model file is damaged or of the wrong kind.
        case modelInvalid
        case outOfMemory
        case failed
    }

    package let kind: Kind
    package let reason: String

    package var description: String { reason }

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Converts a status of the C library.
    package init(_ status: cvision_status, modelPath: FilePath? = nil, of model: String = "landmark model") {
        let message = withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let path = modelPath?.description ?? "the model"
        switch Int(status.code) {
        case CVISION_CANNOT_READ: self.init(.modelUnreadable, "\(path): cannot be read: \(message)")
        case CVISION_BAD_MODEL:
            self.init(.modelInvalid, "\(path): is not a usable \(model): \(message)")
        case CVISION_OUT_OF_MEMORY: self.init(.outOfMemory, message)
        default: self.init(.failed, message)
        }
    }
}
