import FaceGeometry
import Glibc
import SyntheticFaces

/// The person, pose and expression of the synthetic head.
package struct HeadSettings: Equatable, Sendable {
    /// Index into `Sample.all`.
    package private(set) var person = 0
    /// Those beside that person, who all do the same; likewise.
    package private(set) var others: [Int] = []
    /// Degrees; positive to the subject's left.
    var yaw: Float = 0
    /// Degrees; positive upwards.
    var pitch: Float = 0
    /// Degrees; positive clockwise in the picture.
    var roll: Float = 0
    /// 0 (open) to 1 (closed).
    var rightEye: Float = 0
    var leftEye: Float = 0
    /// 0 (closed) to 1 (open).
    var mouth: Float = 0
    /// −1 (sad) to 1.
    var smile: Float = 0
    /// 0 to 1 (raised).
    var brows: Float = 0
    /// −1 to 1: where the eyes look, to the subject's left and up.
    var gazeTurn: Float = 0
    var gazeNod: Float = 0
    /// The sound signals, 0 to 1.
    var loudness: Float = 0
    var beat: Float = 0
    var blinks = 0
    var light = Light.usual

    package init(person: Int = 0) { self.person = person }

    /// At most so many heads are beside each other.
    private static let mostPeople = 3

    /// The heads beside each other, by their index in `Sample.all`.
    package var people: [Int] { [person] + others }

    package var isSeveral: Bool {
        get { !others.isEmpty }
        set {
            if newValue == isSeveral { return }
            others = newValue ? (1..<Self.mostPeople).map { (person + $0) % Sample.all.count } : []
        }
    }

    /// Shows a person in place of the first one. Nobody is there twice.
    package mutating func show(_ shown: Int) {
        if let place = others.firstIndex(of: shown) { others[place] = person }
        person = shown
    }

    /// Adds a head beside the others, for which the oldest leaves where there is no room, or takes it away. One stays.
    package mutating func toggle(_ toggled: Int) {
        var people = people
        if let place = people.firstIndex(of: toggled) {
            if people.count > 1 { people.remove(at: place) }
        } else {
            people = (people + [toggled]).suffix(Self.mostPeople)
        }
        (person, others) = (people[0], Array(people.dropFirst()))
    }

    /// The same people, straight ahead, at rest, in the usual light.
    var atRest: HeadSettings {
        var settings = HeadSettings(person: person)
        (settings.others, settings.blinks) = (others, blinks)
        return settings
    }

    /// Where the light comes from, and how much of it there is.
    enum Light: String, CaseIterable, Sendable {
        case usual, left, right, above, dark, coloured

        /// For the user.
        var name: String {
            switch self {
            case .usual: "Usual"
            case .left: "From the left"
            case .right: "From the right"
            case .above: "From above"
            case .dark: "Dark"
            case .coloured: "Coloured"
            }
        }

        /// The colour of the light, sRGB-encoded, 0…255 for each component; nil: white.
        var color: SIMD3<UInt16>? { self == .coloured ? SIMD3(255, 150, 190) : nil }

        func light(_ usual: DrawnFace.Light) -> DrawnFace.Light {
            var light = usual
            switch self {
            case .usual: break
            // In the picture, the person's left is on the right.
            case .left: (light.direction, light.ambient) = (SIMD3(1, -0.2, 0.3), 0.22)
            case .right: (light.direction, light.ambient) = (SIMD3(-1, -0.2, 0.3), 0.22)
            case .above: (light.direction, light.ambient) = (SIMD3(0, -1, 0.25), 0.22)
            case .dark: (light.intensity, light.ambient) = (0.25, 0.08)
            case .coloured: light.direction = SIMD3(0.8, -0.4, 0.5)
            }
            return light
        }
    }

    func face(of person: Int) -> DrawnFace {
        var face = Sample.all[person % Sample.all.count].face
        func radians(_ degrees: Float) -> Float { degrees * .pi / 180 }
        face.pose = Pose(yaw: radians(yaw), pitch: radians(pitch), roll: radians(roll))
        face.light = light.light(face.light)
        face.expression = DrawnFace.Expression()
        face.expression.rightEyeOpenness = 1 - rightEye
        face.expression.leftEyeOpenness = 1 - leftEye
        face.expression.mouthOpening = mouth
        face.expression.smile = smile
        face.expression.browRaise = brows
        face.expression.gazeTurn = gazeTurn
        face.expression.gazeNod = gazeNod
        return face
    }

    /// Sets what masks react to: the settings are more exact than what could be measured on the drawing.
    func apply(to instance: inout FaceInstance) {
        instance.blinks = blinks
        instance.signals[.mouthOpening] = mouth
        instance.signals[.smile] = max(0, smile)
        instance.signals[.browRaise] = brows
        instance.signals[.rightEyeClosing] = rightEye
        instance.signals[.leftEyeClosing] = leftEye
        instance.signals[.loudness] = loudness
        instance.signals[.beat] = beat
        instance.states = []
        if rightEye > 0.6 { instance.states.insert(.rightEyeClosed) }
        if leftEye > 0.6 { instance.states.insert(.leftEyeClosed) }
        if mouth > 0.25 { instance.states.insert(.mouthOpen) }
        if smile > 0.5 { instance.states.insert(.smiling) }
        if brows > 0.5 { instance.states.insert(.browsRaised) }
        if yaw > 20 { instance.states.insert(.turnedLeft) }
        if yaw < -20 { instance.states.insert(.turnedRight) }
    }

    /// Sets pose, face and eyes, and what is heard, as somebody did it.
    mutating func follow(_ signals: ExpressionSignals) {
        // The angles at which the signals are 1.
        (yaw, pitch, roll) = (45 * signals[.turn], 30 * signals[.nod], 45 * signals[.tilt])
        (rightEye, leftEye) = (signals[.rightEyeClosing], signals[.leftEyeClosing])
        (mouth, smile, brows) = (signals[.mouthOpening], signals[.smile], signals[.browRaise])
        (gazeTurn, gazeNod) = (signals[.gazeTurn], signals[.gazeNod])
        (loudness, beat) = (signals[.loudness], signals[.beat])
    }

    /// How long a performance takes, in seconds; then it begins again.
    static let performanceSeconds: Float = 12

    /// Sets pose, face and eyes of a head that looks around, smiles, talks, raises its brows and blinks, and what is heard: its
    /// voice, and two beats per second. Every signal goes through its whole range.
    /// - Parameter time: in seconds.
    mutating func animate(at time: Float) {
        let time = time.truncatingRemainder(dividingBy: Self.performanceSeconds)
        /// Waves that end where they began.
        func wave(_ count: Float) -> Float { sin(2 * .pi * count * time / Self.performanceSeconds) }
        /// 0 outside of a range of time, 1 in its middle.
        func rise(_ start: Float, _ end: Float) -> Float {
            time > start && time < end ? (10 * sin(.pi * (time - start) / (end - start))).rounded() / 10 : 0
        }
        yaw = (26 * wave(1)).rounded() + 0
        pitch = (8 * wave(2)).rounded() + 0
        roll = (7 * wave(3)).rounded() + 0
        gazeTurn = (10 * wave(5)).rounded() / 10 + 0
        gazeNod = (5 * wave(4)).rounded() / 10 + 0
        smile = rise(0.5, 3)
        brows = max(rise(6.2, 7.4), rise(7.6, 8.8))
        let talks = time.truncatingRemainder(dividingBy: 6) > 3.5
        mouth = talks ? (10 * abs(sin(time * 7))).rounded() / 10 : 0
        let beats = time.truncatingRemainder(dividingBy: 0.5)
        beat = (20 * powf(0.5, max(0, beats - 0.04) / 0.1)).rounded() / 20
        loudness = max(mouth, (10 * beat).rounded() / 20)
        let blink: Float = time.truncatingRemainder(dividingBy: 3) > 2.8 ? 1 : 0
        (rightEye, leftEye) = (blink, blink)
    }
}
