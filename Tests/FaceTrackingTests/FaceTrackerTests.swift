import Detection
import FaceGeometry
import FaceTracking
import ImageFiles
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// The tracker against synthetic people, of whom everything is known.
@Suite struct FaceTrackerTests {
    /// Nothing moves fast: all trembling is the tracker's own. The bounds are shares of what dlib's landmarks do.
    private static let slowFaces: [(String, Float)] = [
        ("noisy", 0.6), ("blinking", 0.7), ("flickering", 0.6), ("still", 0.6),
    ]

    /// The others take long to draw.
    @Test(arguments: slowFaces.prefix(SlowTests.areWanted ? 4 : 1)) func slowFacesHoldStill(
        _ name: String, bound: Float
    ) throws {
        let tracking = try SequenceTracking.whole(name)
        for frame in tracking.frames { #expect(frame.faces.map(\.trackID) == [1]) }
        let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
        let dlib = try #require(tracking.errors { $0.dlib })
        print("\(name): \(ours.aboutMean) of the width against dlib's \(dlib.aboutMean), in all \(ours.total)")
        #expect(ours.aboutMean < bound * dlib.aboutMean)
        #expect(ours.total < dlib.total)
        if name == "blinking" { checkBlinks(tracking) }
    }

    /// What moves fast does not lag behind so that it would be worse than no smoothing, also if a camera drops a frame now
    /// and then, or halves its rate.
    @Test(.slow, arguments: ["walking", "shaking"]) func fastFacesAreKeptUpWith(
        _ name: String
    ) throws {
        let pictures = try SequenceTracking.pictures(of: name)
        let drops: [(Int) -> Bool] = [{ _ in false }, { $0 % 7 == 5 }, { $0 > 30 && $0 % 2 == 0 }]
        for isDropped in drops {
            let tracking = try SequenceTracking(name, pictures: pictures, isDropped: isDropped)
            for frame in tracking.frames { #expect(frame.faces.map(\.trackID) == [1]) }
            let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
            let dlib = try #require(tracking.errors { $0.dlib })
            print("\(name): \(ours.aboutMean) of the width against dlib's \(dlib.aboutMean), in all \(ours.total)")
            print("\(name): largest slip \(tracking.largestSlip) of the width")
            #expect(ours.aboutMean < dlib.aboutMean)
            #expect(ours.total < 1.01 * dlib.total)
            #expect(tracking.largestSlip < 0.02)
        }
    }

    /// Still pictures have their faces from their first frames on, though the detector has a thread of its own.
    @Test func theFirstFrameOfASceneWaits() throws {
        let sequence = try #require(DrawnSequence.all.first { $0.name == "still" })
        let reference = try Repository.referenceFace()
        var settings = FaceTracker.Settings()
        (settings.waitsAtCuts, settings.showsStills) = (true, true)
        let tracker = try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath), reference: reference,
            settings: settings)
        for index in 0..<9 {
            let picture = try sequence.picture(index, reference: reference)
            // Frames are left out while the search runs.
            let gap = 0.7 * Double((index + 2) / 3)
            try tracker.track(picture, at: 0.04 * Double(index) + gap, isCut: index % 3 == 0)
            #expect(tracker.faces.count == 1, "frame \(index)")
            #expect(tracker.faces.first?.age == index % 3 + 1, "frame \(index)")
        }
    }

    /// So it is live: from the first frame on, after a gap, and on a slow machine in the frame in which a face is lost. No frame
    /// is without a face.
    @Test(arguments: [0.04, 0.7]) func liveFacesAreThereFromTheFirstFrameOn(_ interval: Double) throws {
        let tracker = try liveTracker()
        let sequence = try #require(DrawnSequence.all.first { $0.name == "still" })
        for index in 0..<4 {
            let picture = try sequence.picture(index, reference: try Repository.referenceFace())
            try tracker.track(picture, at: interval * Double(index), isCut: false)
            #expect(tracker.faces.count == 1, "frame \(index)")
        }
    }

    /// The face is somewhere else at once, as after few frames a second.
    @Test func aLostFaceIsFoundAtOnceWhereFramesAreRare() throws {
        let tracker = try liveTracker()
        let sequence = try #require(DrawnSequence.all.first { $0.name == "still" })
        for index in 0..<12 {
            var picture = try sequence.picture(0, reference: try Repository.referenceFace())
            if index > 3 { picture = try picture.turned(by: picture.width / 4) }
            try tracker.track(picture, at: 0.3 * Double(index), isCut: false)
            #expect(tracker.faces.count == 1, "frame \(index)")
        }
    }

    private func liveTracker() throws -> FaceTracker {
        var settings = FaceTracker.Settings()
        settings.waitsAtCuts = true
        return try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath),
            reference: Repository.referenceFace(), settings: settings)
    }

    /// No detector follows a head that tilts by 40°.
    @Test(.slow) func tiltedHeadsAreFollowed() throws {
        let tracking = try SequenceTracking.whole("tilting")
        for frame in tracking.frames { #expect(tracking.face(of: 0, in: frame)?.trackID == 1) }
        let ours = try #require(tracking.errors { tracking.face(of: 0, in: $0)?.face.landmarks })
        #expect(ours.total < 0.04)
        let largestRoll = tracking.frames.map { abs($0.faces[0].face.pose.roll) }.max() ?? 0
        #expect(largestRoll > 0.6)
    }

    /// Each drawn blink is an event of both eyes, and nothing else is.
    private func checkBlinks(_ tracking: SequenceTracking) {
        let began = tracking.frames.indices.filter { index in
            tracking.frames[index].faces.contains { $0.events.began.contains(.rightEyeClosed) }
        }.map { Float(tracking.sequence.seconds($0)) }
        let seen = DrawnSequence.blinks.count { blink in
            began.contains { $0 > blink.start - 0.08 && $0 < blink.start + blink.duration + 0.12 }
        }
        print("blinks: \(seen) of \(DrawnSequence.blinks.count), events at \(began)")
        #expect(seen * 10 >= DrawnSequence.blinks.count * 9)
        #expect(began.count <= DrawnSequence.blinks.count)
        for frame in tracking.frames {
            #expect(frame.faces.allSatisfy { !$0.events.states.contains(.mouthOpen) })
        }
    }

    @Test(.slow) func leavingFacesAreDroppedAndRecognisedLater() throws {
        let tracking = try SequenceTracking.whole("leaving")
        let times = tracking.frames.indices.map { Float(tracking.sequence.seconds($0)) }
        let gone = try #require(times.firstIndex { DrawnSequence.absence.contains($0) })
        let back = try #require(times.lastIndex { DrawnSequence.absence.contains($0) }) + 1
        for index in (gone + 5)..<back { #expect(tracking.frames[index].faces.isEmpty, "frame \(index)") }
        for index in (back + 10)..<times.count {
            #expect(tracking.frames[index].faces.map(\.trackID) == [1], "frame \(index)")
        }
    }

    /// A hand that passes leaves nothing on itself, and the face is the same afterwards.
    @Test(.slow) func occludedFacesComeBack() throws {
        let tracking = try SequenceTracking.whole("covered")
        #expect(Set(tracking.frames.flatMap { $0.faces.map(\.trackID) }) == [1])
        for frame in tracking.frames.suffix(10) { #expect(tracking.face(of: 0, in: frame) != nil) }
        for frame in tracking.frames {
            // Whatever is followed is where the face is.
            #expect(frame.faces.isEmpty || tracking.face(of: 0, in: frame) != nil)
        }
    }

    @Test(.slow) func peopleWhoCrossKeepTheirIdentity() throws {
        let tracking = try SequenceTracking.whole("crossing")
        func identities(_ frame: SequenceTracking.Frame) -> [Int?] {
            [0, 1].map { tracking.face(of: $0, in: frame)?.trackID }
        }
        let before = identities(tracking.frames[15])
        #expect(Set(before) == [1, 2])
        for frame in tracking.frames.suffix(15) { #expect(identities(frame) == before) }
        // Whoever is in front is never lost.
        for frame in tracking.frames.dropFirst(3) { #expect(identities(frame)[1] == before[1]) }
    }

    @Test(.slow) func manyFacesAreToldApart() throws {
        // Eight heads on one picture that is moved about.
        var mosaic = try PixelBuffer(width: 1000, height: 620, format: .rgba8)
        for place in 0..<8 {
            let name = Sample.all[place % Sample.all.count].name
            let head = try PictureReader.read("\(Repository.root)/samples/\(name).jpg").pixels
                .resized(width: 240, height: 300)
            let (left, top) = (20 + 240 * (place % 4), 10 + 300 * (place / 4))
            for y in 0..<300 {
                head.withRow(y) { from in
                    mosaic.withMutableRow(top + y) { to in for x in 0..<240 { to[left + x] = from[x] } }
                }
            }
        }
        let tracker = try makeTracker { try HOGFaceDetector() }
        var identities: [Set<Int>] = []
        var widths: [Int] = []
        for index in 0..<40 {
            let shift = 10 - abs(index % 20 - 10)
            var frame = try PixelBuffer(width: 980, height: 620, format: .rgba8)
            for y in 0..<620 {
                mosaic.withRow(y) { from in
                    frame.withMutableRow(y) { to in for x in 0..<980 { to[x] = from[x + shift] } }
                }
            }
            try tracker.track(frame, at: Double(index) / 25)
            identities.append(Set(tracker.faces.map(\.trackID)))
            widths.append(tracker.faces.count)
        }
        #expect(widths.last == 8, "\(widths)")
        #expect(Set(identities.suffix(20)).count == 1)
        #expect(identities.last == Set(1...8))
    }

    /// In the first frame of another scene nobody is where they were in the last.
    @Test func aCutResetsAtOnce() throws {
        let reference = try Repository.referenceFace()
        let tracker = try makeTracker { try HOGFaceDetector() }
        let first = try #require(DrawnSequence.all.first { $0.name == "still" })
        for index in 0..<12 {
            try tracker.track(first.picture(index, reference: reference), at: Double(index) / 25)
            let isCut = tracker.isCut
            #expect(!isCut)
        }
        #expect(tracker.faces.count == 1)
        // Somebody else, elsewhere, in another room.
        let portrait = try PictureReader.read("\(Repository.root)/samples/chidi.jpg").pixels
            .resized(width: 320, height: 400)
        var scene = try PixelBuffer(width: 320, height: 240, format: .rgba8)
        for y in 0..<240 {
            portrait.withRow(y + 90) { from in scene.withMutableRow(y) { to in for x in to.indices { to[x] = from[x] } }
            }
        }
        try tracker.track(scene, at: 12.0 / 25)
        let isCut = tracker.isCut
        #expect(isCut)
        #expect(tracker.faces.map(\.trackID) == [2])
        let found = tracker.faces[0].face.landmarks
        for index in 13..<20 { try tracker.track(scene, at: Double(index) / 25) }
        // The right place from the first frame on: nothing glides there.
        #expect((tracker.faces[0].face.landmarks.bounds.center - found.bounds.center).length < 2)
    }

    // MARK: Ghosts

    /// A detector that sees faces everywhere.
    private final class DeceivedDetector: FaceDetector {
        let boxConvention = BoxConvention.dlib
        let smallestFace = 80
        let seesColor = false
        private var state: UInt64 = 3

        func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
            let (width, height) = (Float(picture.width), Float(picture.height))
            return (0..<12).map { _ in
                let side = 60 + random() * (height / 2 - 60)
                return FaceDetection(
                    box: FaceBox(
                        x: random() * (width - side), y: random() * (height - side), width: side, height: side),
                    score: 1)
            }
        }

        private func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }
    }

    /// Where there is no face, hardly ever is one followed, and none for long.
    @Test(.slow) func wallsWearNoMasks() throws {
        let leaving = try #require(DrawnSequence.all.first { $0.name == "leaving" })
        let emptyRoom = 60
        try checkGhosts(in: leaving.picture(emptyRoom, reference: Repository.referenceFace()), name: "room")
    }

    @Test(
        .slow, .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
        arguments: ["no_face_dogs", "portrait_1080p", "many_faces"])
    func backgroundsOfPhotographsWearNoMasks(_ name: String) throws {
        let picture = try PictureReader.read("\(SharedData.root)/photos/\(name).jpg").pixels.withEightBits()
        try checkGhosts(in: picture, name: name)
    }

    /// Follows what a detector reports that sees faces everywhere.
    private func checkGhosts(in picture: borrowing PixelBuffer, name: String) throws {
        let reference = try Repository.referenceFace()
        // Where there are faces after all, these do not count.
        let real = try PhotographFaces(reference: reference) {
            try LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath)
        }.faces(in: picture).faces
        let tracker = try makeTracker { DeceivedDetector() }
        var ghosts = 0
        var longest: [Int: Int] = [:]
        for index in 0..<40 {
            try tracker.track(picture, at: Double(index) / 25)
            for face in tracker.faces
            where !real.contains(where: {
                ($0.box.center - face.face.box.center).length < max($0.box.width, face.face.box.width)
            }) {
                ghosts += 1
                longest[face.trackID, default: 0] += 1
            }
        }
        print("\(name): ghosts in \(ghosts) of 40 frames' faces, at most \(longest.values.max() ?? 0) frames long")
        #expect((longest.values.max() ?? 0) <= 5, "\(longest)")
        #expect(ghosts <= 12)
    }

    private func makeTracker(_ detector: @escaping @Sendable () throws -> any FaceDetector) throws -> FaceTracker {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        return try FaceTracker(
            model: LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath),
            reference: Repository.referenceFace(), settings: settings, detector: detector)
    }
}

extension PixelBuffer {
    /// A picture whose columns lie further to the right; those that leave it come in from the left.
    fileprivate func turned(by columns: Int) throws -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            withRow(y) { source in
                result.withMutableRow(y) { row in
                    for x in source.indices { row[(x + columns) % width] = source[x] }
                }
            }
        }
        return result
    }
}
