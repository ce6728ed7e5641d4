/// A condition for automatic portrait capture.
package enum CaptureCondition: String, CaseIterable, Sendable {
    /// Neither the camera nor the face moves.
    case still
    /// The face looks into the camera, upright.
    case frontal
    case eyesOpen = "eyes-open"
    /// The face is in focus and not blurred by motion.
    case sharp
    /// The face is neither too dark nor too bright, nor lit from one side only.
    case lit
    case smiling
    case mouthClosed = "mouth-closed"
    /// Nobody else is in the picture.
    case alone

    /// The conditions for usual portraits.
    package static let standard: [CaptureCondition] = [.still, .frontal, .eyesOpen, .sharp, .lit]

    /// The measurements that apply until the face is in the middle: a person out of the picture is not told to smile.
    static let order: [CaptureCondition] = [
        .alone, .lit, .frontal, .still, .eyesOpen, .mouthClosed, .smiling, .sharp,
    ]
}
