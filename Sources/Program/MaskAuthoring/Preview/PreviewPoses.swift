import FaceGeometry
import Glibc
import Sound
import SyntheticFaces

/// The wearers of a preview's masks, and their poses.
enum PreviewPoses {
    /// Frames per second of the animated preview.
    static let frameRate = 12.0
    static let frameCount = 48

    /// The six people of the still preview, from left to right.
    static var still: [DrawnFace] { (0..<6).map { posed(Sample.all[$0].face, column: $0) } }

    /// The sound for the six people: from silence to loud, some of them on a beat.
    static var stillSounds: [SoundSignals] {
        (0..<6).map { SoundSignals(loudness: Float($0) / 5, beat: $0 % 2 == 0 ? 0 : 0.9) }
    }

    private static func posed(_ face: DrawnFace, column: Int) -> DrawnFace {
        var face = face
        face.expression = DrawnFace.Expression()
        face.pose = Pose(yaw: 0, pitch: 0, roll: 0)
        switch column {
        case 1: face.pose = Pose(yaw: 0.52, pitch: 0, roll: 0)
        case 2: face.expression.mouthOpening = 0.9
        case 3: face.pose = Pose(yaw: -0.7, pitch: 0.2, roll: 0)
        case 4:
            face.expression.rightEyeOpenness = 0
            face.expression.leftEyeOpenness = 0
            face.expression.browRaise = 0.8
        case 5:
            face.pose = Pose(yaw: 0.1, pitch: -0.15, roll: 0.35)
            face.expression.smile = 1
        default: break
        }
        return face
    }

    /// The two people of the animated preview.
    static func moving(at seconds: Double) -> [DrawnFace] {
        (0..<2).map { person in moved(Sample.all[2 * person].face, at: Float(seconds) + 1.7 * Float(person)) }
    }

    /// The sound for the two people: two beats per second, which are loud, and a voice between that swells and fades.
    /// Not measured on a sound, but shaped as `SoundAnalysis` does it.
    static func movingSounds(at seconds: Double) -> [SoundSignals] {
        (0..<2).map { person in
            let time = Float(seconds) + 0.25 * Float(person)
            let sinceBeat = time.truncatingRemainder(dividingBy: 0.5)
            let beat = sinceBeat <= 0.04 ? 1 : powf(0.5, (sinceBeat - 0.04) / 0.1)
            let turn = 2 * Float.pi * time / Float(Double(frameCount) / frameRate)
            let voice = 0.35 * (1 - cos(turn)) * (0.8 + 0.2 * sin(13 * turn))
            return SoundSignals(loudness: min(1, max(voice, 0.8 * beat)), beat: beat)
        }
    }

    /// All motion repeats after `frameCount` frames, so that the animation loops without a jump.
    private static func moved(_ face: DrawnFace, at seconds: Float) -> DrawnFace {
        var face = face
        let length = Float(Double(frameCount) / frameRate)
        let time = seconds.truncatingRemainder(dividingBy: length)
        let turn = 2 * Float.pi * time / length
        face.pose = Pose(yaw: 0.5 * sin(turn), pitch: 0.12 * sin(2 * turn), roll: 0.1 * sin(turn + 1))
        face.expression = DrawnFace.Expression()
        if time > 0.6, time < 0.9 { (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0, 0) }
        if time > 1.2, time < 2.6 { face.expression.mouthOpening = 0.8 * abs(sin((time - 1.2) / 1.4 * 2 * .pi)) }
        face.expression.gazeTurn = 0.8 * sin(2 * turn + 2)
        face.expression.gazeNod = 0.4 * sin(turn)
        if time > 2.8, time < 3.8 { face.expression.smile = sin((time - 2.8) * .pi) }
        return face
    }
}
