import CVision

/// What dlib or OpenCV could not do.
package struct VisionError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The model file is missing or cannot be opened.
        case modelUnreadable
        /// The model file is not what it should be.
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

    /// The one place where a status of the C library becomes a Swift error.
    init(_ status: cvision_status, modelPath: String? = nil, of model: String = "landmark model") {
        let message = withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let path = modelPath ?? "the model"
        switch Int(status.code) {
        case CVISION_CANNOT_READ: self.init(.modelUnreadable, "\(path): cannot be read: \(message)")
        case CVISION_BAD_MODEL:
            self.init(.modelInvalid, "\(path): is no \(model) that can be used: \(message)")
        case CVISION_OUT_OF_MEMORY: self.init(.outOfMemory, message)
        default: self.init(.failed, message)
        }
    }
}
