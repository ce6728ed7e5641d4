/// What a face does, in numbers that do not depend on its size and place.
package struct Expression: Equatable, Sendable {
    /// Eye aspect ratios: height by width, about 0.3 when open, below 0.2 when closed (Soukupová & Čech, "Real-Time Eye
    /// Blink Detection using Facial Landmarks", 2016).
    package var rightEye: Float
    package var leftEye: Float
    /// How much of what is to be seen in an eye stands upright: changes of brightness across by those down. Iris and
    /// white make it high, closed lids lie flat. Landmark models, trained on open eyes nearly alone, leave many a closed
    /// eye open; this does not. Nil where only landmarks are known.
    package var rightEyeUprightness: Float?
    package var leftEyeUprightness: Float?
    /// The mouth's: (|p51−p59| + |p52−p58| + |p53−p57|) / (3·|p49−p55|), counting landmarks from 1.
    package var mouth: Float
    /// How wide the mouth is, by the distance between the eyes' outer corners.
    package var mouthWidth: Float
    /// How high the brows are above the eyes, by the same.
    package var browHeight: Float

    package init(_ landmarks: Landmarks, rightEyeUprightness: Float? = nil, leftEyeUprightness: Float? = nil) {
        self.rightEyeUprightness = rightEyeUprightness
        self.leftEyeUprightness = leftEyeUprightness
        func distance(_ a: Int, _ b: Int) -> Float { (landmarks[a] - landmarks[b]).length }
        func ratio(_ heights: Float, _ width: Float) -> Float { heights / max(width, 1e-6) }
        rightEye = ratio(distance(37, 41) + distance(38, 40), 2 * distance(36, 39))
        leftEye = ratio(distance(43, 47) + distance(44, 46), 2 * distance(42, 45))
        mouth = ratio(distance(50, 58) + distance(51, 57) + distance(52, 56), 3 * distance(48, 54))
        let unit = landmarks.interocularDistance
        mouthWidth = ratio(distance(48, 54), unit)
        let brows = landmarks.center(of: 17..<27)
        let eyes = (landmarks.center(of: Landmarks.rightEye) + landmarks.center(of: Landmarks.leftEye)) / 2
        browHeight = ratio((brows - eyes).length, unit)
    }

    init(eyes: Float, mouth: Float, mouthWidth: Float, browHeight: Float) {
        rightEye = eyes
        leftEye = eyes
        self.mouth = mouth
        self.mouthWidth = mouthWidth
        self.browHeight = browHeight
    }

    /// What a face can be seen to do.
    package struct States: OptionSet, Equatable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let rightEyeClosed = States(rawValue: 1)
        package static let leftEyeClosed = States(rawValue: 2)
        package static let mouthOpen = States(rawValue: 4)
        package static let smiling = States(rawValue: 8)
        package static let browsRaised = States(rawValue: 16)
        /// As the subject sees it.
        package static let turnedLeft = States(rawValue: 32)
        package static let turnedRight = States(rawValue: 64)

        package static let eyesClosed: States = [.rightEyeClosed, .leftEyeClosed]
        /// All, in the order of their bits.
        package static let names = [
            "rightEyeClosed", "leftEyeClosed", "mouthOpen", "smiling", "browsRaised", "turnedLeft", "turnedRight",
        ]
    }
}
