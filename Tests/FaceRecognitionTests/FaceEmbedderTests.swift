import FaceGeometry
import FaceRecognition
import FaceTracking
import Files
import ImageFiles
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

private let absence: Comment =
    "dlib's face recognition network is not installed; scripts/fetch-networks --people fetches it"

@Suite struct FaceNetworkFileTests {
    @Test func aMissingOrWrongNetworkIsNamedWithItsRemedy() throws {
        let folder = try TemporaryFolder()
        let networks = NetworkFolder(path: FilePath(folder.path))
        let missing = #expect(throws: VisionError.self) { try FaceEmbedder(networks) }
        #expect(missing?.kind == .modelUnreadable && missing?.reason.contains("fetch-networks --people") == true)
        try folder.write([UInt8](repeating: 7, count: 1000), FaceEmbedder.fileName.description)
        let wrong = #expect(throws: VisionError.self) { try FaceEmbedder(networks) }
        #expect(wrong?.kind == .modelInvalid && wrong?.reason.contains("fetches it again") == true)
    }
}

@Suite(.enabled(if: FaceEmbedder.isInstalled(), absence)) struct FaceEmbedderTests {
    private let embedder: FaceEmbedder
    private let reference: ReferenceFace

    init() throws {
        embedder = try FaceEmbedder()
        reference = try Repository.referenceFace()
    }

    private func portrait() throws -> PixelBuffer {
        try PictureReader.read(Repository.root + "/samples/photograph/astronaut.jpg").pixels.withEightBits()
    }

    private func landmarks(in picture: borrowing PixelBuffer) throws -> Landmarks {
        let finder = try PhotographFaces(reference: reference, models: FaceModels())
        return try #require(finder.faces(in: picture).faces.max { $0.box.area < $1.box.area }).landmarks
    }

    private func embedding(_ landmarks: Landmarks, in picture: borrowing PixelBuffer) throws -> FaceEmbedding {
        try embedder.embedding(of: FaceChip(landmarks, in: picture))
    }

    /// The same face smaller, and with landmarks that are a little off, stays near; a drawn one is far away.
    @Test(.slow) func facesOfOnePersonAreNearAndOthersFar() throws {
        let picture = try portrait()
        let landmarks = try landmarks(in: picture)
        let own = try embedding(landmarks, in: picture)
        #expect(try embedding(landmarks, in: picture) == own)
        let half = try picture.resized(width: picture.width / 2, height: picture.height / 2)
        let scale = Point(Float(half.width) / Float(picture.width), Float(half.height) / Float(picture.height))
        #expect(try own.distance(to: embedding(landmarks.mapped { $0 * scale }, in: half)) < 0.3)
        #expect(try own.distance(to: embedding(landmarks.mapped { $0 + Point(3, -2) }, in: picture)) < 0.3)
        let sample = try #require(Sample.all.first)
        let drawn = try sample.picture(reference: reference, samples: 1)
        let far = try embedding(sample.drawing(reference: reference).landmarks, in: drawn)
        #expect(own.distance(to: far) > FaceRecognizer.rejectedDistance)
    }

    @Test func blurLowersTheSharpness() throws {
        let picture = try portrait()
        let landmarks = try landmarks(in: picture)
        let sharp = try FaceChip(landmarks, in: picture).sharpness
        let tiny = try picture.resized(width: picture.width / 16, height: picture.height / 16)
        let blurred = try tiny.resized(width: picture.width, height: picture.height)
        #expect(try FaceChip(landmarks, in: blurred).sharpness < sharp / 3)
        var plain = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        plain.fill(SIMD4(90, 90, 90, 255))
        #expect(try FaceChip(landmarks, in: plain).sharpness == 0)
    }

    /// A face that is followed is somebody after a few looks, in doubt again after it was lost, and sooner known then.
    @Test(.slow) func tracksAreIdentifiedOverTime() throws {
        let picture = try portrait()
        let landmarks = try landmarks(in: picture)
        var people = EnrolledPeople()
        _ = try people.enroll(PersonName("Eileen"), [embedding(landmarks, in: picture)], on: "2026-11-23")
        let tracks = TrackIdentifier(FaceIdentifier(embedder, people), .recorded, waits: true)
        let face = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 7)
        func identity(_ frame: Int, faces: [FaceInstance], isCut: Bool = false) throws -> [FaceIdentity] {
            let seconds = Double(frame) / 10
            var faces = faces
            try tracks.look(at: faces, in: picture, at: seconds, isCut: isCut)
            tracks.identify(&faces, at: seconds)
            return faces.map(\.identity)
        }
        let (known, doubt) = (FaceIdentity.person("Eileen"), FaceIdentity.uncertain(["Eileen"]))
        #expect(try identity(0, faces: [face]) == [doubt])
        #expect(try identity(1, faces: [face]) == [doubt])
        #expect(try identity(2, faces: [face]) == [known])
        #expect(try identity(3, faces: [face]) == [known])
        #expect(try identity(4, faces: []) == [])
        var again = [face]
        tracks.identify(&again, at: 0.3)
        #expect(again[0].identity == known, "a frame that was held back has lost its identity")
        #expect(try identity(5, faces: [face]) == [known], "one answer is enough for a face that returns")
        #expect(try identity(6, faces: [face], isCut: true) == [doubt], "after a cut it may be another face")
        var stranger = face
        stranger.trackID = 8
        #expect(try identity(6, faces: [stranger]) == [doubt])
    }

    /// Somebody else behind a track is nobody who is known, though no cut was found; so is a face after a slow change.
    @Test(.slow) func anIdentityHoldsOnlyWhileTheFaceLooksAlike() throws {
        let picture = try portrait()
        let landmarks = try landmarks(in: picture)
        let size = min(picture.width, picture.height)
        // Another face in the same place of a picture of the same size.
        let sample = try #require(Sample.all.first)
        let drawn = try sample.picture(reference: reference, samples: 1)
        let from = sample.drawing(reference: reference).landmarks
        let side = Float(min(drawn.width, drawn.height))
        let other = try drawn.resized(width: size * drawn.width / Int(side), height: size * drawn.height / Int(side))
        let otherLandmarks = from.mapped { $0 * (Float(size) / side) }
        var people = EnrolledPeople()
        _ = try people.enroll(PersonName("Eileen"), [embedding(landmarks, in: picture)], on: "2026-11-24")
        let (known, doubt) = (FaceIdentity.person("Eileen"), FaceIdentity.uncertain(["Eileen"]))
        let own = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 7)
        let stranger = FaceInstance(face: Face(landmarks: otherLandmarks, reference: reference), trackID: 7)
        let tracks = TrackIdentifier(FaceIdentifier(embedder, people), .recorded, waits: true)
        func identity(_ frame: Int, _ face: FaceInstance, _ picture: borrowing PixelBuffer) throws -> FaceIdentity {
            var faces = [face]
            try tracks.look(at: faces, in: picture, at: Double(frame) / 25, isCut: false)
            tracks.identify(&faces, at: Double(frame) / 25)
            return faces[0].identity
        }
        for frame in 0..<10 { _ = try identity(frame, own, picture) }
        #expect(try identity(10, own, picture) == known)
        #expect(try identity(11, stranger, other) == doubt)
        var held = [own]
        tracks.identify(&held, at: 10.0 / 25)
        #expect(held[0].identity == known, "what was seen before the change is not forgotten")
        held[0].mayBeAnother = true
        tracks.identify(&held, at: 10.0 / 25)
        #expect(held[0].identity == doubt)
        for frame in 12..<30 { #expect(try identity(frame, stranger, other) != known, "frame \(frame)") }
        #expect(try identity(30, own, picture) == doubt)
        for frame in 31..<45 { _ = try identity(frame, own, picture) }
        #expect(try identity(45, own, picture) == known)
    }

    /// Nobody is twice in a picture.
    @Test(.slow) func ofTwoFacesOnlyTheNearerIsThePerson() throws {
        let picture = try portrait()
        let landmarks = try landmarks(in: picture)
        var people = EnrolledPeople()
        _ = try people.enroll(PersonName("Eileen"), [embedding(landmarks, in: picture)], on: "2026-11-23")
        let face = Face(landmarks: landmarks, reference: reference)
        let shifted = Face(landmarks: landmarks.mapped { $0 + Point(2, 2) }, reference: reference)
        let identities = try FaceIdentifier(embedder, people).identities(of: [shifted, face], in: picture)
        #expect(identities == [.uncertain(["Eileen"]), .person("Eileen")])
    }
}
