/// What a picture that is taken by itself must be like.
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

    /// What pictures of people are usually wanted to be like.
    package static let standard: [CaptureCondition] = [.still, .frontal, .eyesOpen, .sharp, .lit]

    /// What is measured of a face before it is in the middle: nobody is told to smile who is out of the picture.
    static let order: [CaptureCondition] = [
        .alone, .lit, .frontal, .still, .eyesOpen, .mouthClosed, .smiling, .sharp,
    ]
}
