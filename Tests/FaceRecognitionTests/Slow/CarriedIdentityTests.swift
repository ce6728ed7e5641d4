import FaceGeometry
import FaceRecognition
import FaceTracking
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Two enrolled people cross, or change places at a cut. A name that stays with a track and not with the face would leave
/// somebody unmasked who has not agreed.
@Suite(
    .serialized,
    .enabled(
        if: FaceEmbedder.isInstalled(),
        "dlib's face recognition network is not installed; scripts/fetch-networks --people fetches it"))
struct CarriedIdentityTests {
    private static let frameCount = 75

    /// Scenes that differ in people, ways, sizes, speed and what happens.
    private static func scene(_ number: Int) -> DrawnSequence {
        let pairs = [
            ("ada", "chidi"), ("dalia", "emre"), ("finn", "chidi"), ("ada", "emre"), ("dalia", "finn"),
        ]
        let (first, second) = pairs[number % pairs.count]
        let height = Float(number % 3) * 10
        let sizes: (Float, Float) = number % 2 == 0 ? (78, 84) : (84, 84)
        let speed = 0.8 + 0.4 * Float(number % 4)
        return DrawnSequence("scene \(number)", frames: frameCount) { time in
            let way: Float
            switch number / 5 {
            // They cross.
            case 0: way = max(0, min(1, speed * (time - 0.6)))
            // They meet, stand for half a second, one half behind the other, and cross or go back.
            case 1:
                let (come, go) = (min(1, speed * max(0, time - 0.4)), min(1, speed * max(0, time - 2)))
                way = 0.4 * come + (number % 2 == 0 ? 0.6 : -0.4) * go
            // They change places at a cut,
            case 2: way = time < 1.4 ? 0 : 1
            // or one of them is where the other was, and the other is gone.
            default: way = 0
            }
            let places = (Point(70 + 180 * way, 118 - height), Point(250 - 180 * way, 118 + height))
            let (near, far) = (
                DrawnSequence.actor(first, at: places.0, width: sizes.1),
                DrawnSequence.actor(second, at: places.1, width: sizes.0)
            )
            if number < 15 { return [far, near] }
            return time < 1.4 ? [near] : [DrawnSequence.actor(second, at: places.0, width: sizes.1)]
        }.scaled(by: 2)
    }

    @Test(arguments: 0..<20) func aNameStaysWithItsFace(_ number: Int) throws {
        let reference = try Repository.referenceFace()
        let embedder = try FaceEmbedder()
        let sequence = Self.scene(number)
        // The colour of their skin tells the two apart.
        func people(_ frame: Int) -> [(skin: SIMD3<Float>, landmarks: Landmarks)] {
            zip(sequence.actors(frame), sequence.landmarks(frame, reference: reference)).map {
                (skin: $0.face.identity.skin, landmarks: $1)
            }
        }
        var names: [SIMD3<Float>: String] = [:]
        var enrolled = EnrolledPeople()
        for frame in [0, Self.frameCount - 1] {
            let picture = try sequence.picture(frame, reference: reference)
            for person in people(frame) where names[person.skin] == nil {
                let name = "person \(names.count)"
                names[person.skin] = name
                let embedding = try embedder.embedding(of: FaceChip(person.landmarks, in: picture))
                _ = try enrolled.enroll(PersonName(name), [embedding], on: "2026-11-25")
            }
        }
        #expect(names.count == 2)

        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings)
        let tracks = TrackIdentifier(FaceIdentifier(embedder, enrolled), .recorded, waits: true)
        var (right, wrong) = (0, 0)
        for frame in 0..<sequence.frameCount {
            let picture = try sequence.picture(frame, reference: reference)
            let seconds = sequence.seconds(frame)
            try tracker.track(picture, at: seconds)
            var faces = tracker.faces.map { FaceInstance(face: $0.face, trackID: $0.trackID) }
            try tracks.look(at: faces, in: picture, at: seconds, isCut: tracker.isCut)
            tracks.identify(&faces, at: seconds)
            let people = people(frame)
            for face in faces {
                guard let name = face.identity.name else { continue }
                func distance(_ landmarks: Landmarks) -> Float {
                    (landmarks.bounds.center - face.face.landmarks.bounds.center).length
                }
                // Where one stands in front of the other, the face may be either's: such a name counts only if it is right.
                guard let nearest = people.min(by: { distance($0.landmarks) < distance($1.landmarks) }) else {
                    continue
                }
                let isClear = people.allSatisfy {
                    $0.skin == nearest.skin || distance($0.landmarks) > 0.3 * nearest.landmarks.bounds.width
                }
                if name == names[nearest.skin] { right += 1 } else if isClear { wrong += 1 }
            }
        }
        print("scene \(number): named right \(right) times, wrong \(wrong)")
        #expect(wrong == 0 && right > sequence.frameCount / 2, "right \(right), wrong \(wrong)")
    }
}
