import Detection
import Dispatch
import FaceGeometry
import FaceTracking
import Glibc
import Pixels
import Synchronization
import Testing
import Vision

/// Boxes of faces in a live picture, on textured squares that move over a textured ground and a detector that is told what it
/// finds.
@Suite struct LiveFaceBoxTrackerTests {
    private typealias Square = FaceBoxTrackerTests.Square

    private static let rate = FaceBoxTrackerTests.rate
    private static let still = Square(x: 150, y: 110)

    /// The findings of all frames.
    private static func faces(
        _ frames: Int, square: (Int) -> [Square], ground: (Int) -> UInt32 = { _ in 99 },
        found: (Int) -> [FaceDetection]
    ) throws -> [LiveFaceBoxTracker.Faces] {
        let detector = ToldDetector()
        let tracker = try LiveFaceBoxTracker(waits: true) { detector }
        var faces: [LiveFaceBoxTracker.Faces] = []
        for frame in 0..<frames {
            detector.tell(found(frame))
            let picture = try FaceBoxTrackerTests.picture(square(frame), ground: ground(frame))
            try tracker.add(picture, at: Double(frame) / rate)
            while let next = tracker.next(isEnding: false) { faces.append(next) }
            #expect(frame - faces.count < 10, "more than 0.4 s are held back")
            if frame == frames - 1 { try tracker.finish(picture) }
        }
        while let next = tracker.next(isEnding: true) { faces.append(next) }
        #expect(faces.count == frames)
        return faces
    }

    private static func isCovered(_ square: Square, _ faces: LiveFaceBoxTracker.Faces) -> Bool {
        faces.boxes.map { $0.contains { ($0.center - Point(square.x, square.y)).length < 8 } } ?? true
    }

    /// It comes in at a frame that is not searched, and is found by the next search, or by the one after that.
    @Test(arguments: [0, 4]) func aFaceIsCoveredFromItsFirstFrameOn(missed: Int) throws {
        func square(_ frame: Int) -> [Square] { frame < 7 ? [] : [FaceBoxTrackerTests.moving(frame)] }
        let faces = try Self.faces(40, square: square) { frame in
            frame < 7 + missed ? [] : square(frame).map { FaceBoxTrackerTests.detection($0) }
        }
        for (frame, found) in faces.enumerated() {
            #expect(found.boxes != nil, "frame \(frame)")
            for face in square(frame) { #expect(Self.isCovered(face, found), "frame \(frame): \(found)") }
        }
        #expect(faces[0].boxes == [])
    }

    /// As long as flow knows where it is: for one and a half seconds.
    @Test func aFaceThatIsNotFoundAnyMoreStaysCoveredForAWhile() throws {
        let faces = try Self.faces(100, square: { _ in [Self.still] }) {
            $0 < 26 ? [FaceBoxTrackerTests.detection(Self.still)] : []
        }
        for frame in 0..<60 { #expect(Self.isCovered(Self.still, faces[frame]), "frame \(frame)") }
        #expect(faces[70].boxes == [])
    }

    @Test func theEndOfAVideoIsSearched() throws {
        let faces = try Self.faces(20, square: { $0 < 19 ? [] : [Self.still] }) {
            $0 < 19 ? [] : [FaceBoxTrackerTests.detection(Self.still)]
        }
        #expect(faces[19].boxes?.isEmpty == false && Self.isCovered(Self.still, faces[19]))
    }

    /// What no search has seen is not shown: the frames after the last search of a scene, either.
    @Test func everythingAroundACutIsCoveredUntilItIsSearched() throws {
        let faces = try Self.faces(
            60, square: { $0 < 32 ? [] : [Self.still] }, ground: { $0 < 32 ? 5 : 99 },
            found: { $0 < 32 ? [] : [FaceBoxTrackerTests.detection(Self.still)] })
        // Searches are at 30 and 33.
        #expect(faces[30].boxes != nil && faces[31].boxes == nil)
        for frame in 32..<60 {
            #expect(faces[frame].boxes != nil && Self.isCovered(Self.still, faces[frame]), "frame \(frame)")
        }
    }

    /// A detector that does not answer, and then does.
    @Test func everythingIsCoveredWhileSearchesLag() throws {
        let detector = ToldDetector()
        let tracker = try LiveFaceBoxTracker(waits: false) { detector }
        defer { detector.closeGate(false) }
        detector.tell([FaceBoxTrackerTests.detection(Self.still)])
        var faces: [LiveFaceBoxTracker.Faces] = []
        var frame = 0
        func add(_ count: Int, waiting: Bool) throws {
            for _ in 0..<count {
                let searches = detector.widths.count
                try tracker.add(FaceBoxTrackerTests.picture([Self.still]), at: Double(frame) / Self.rate)
                frame += 1
                if waiting {
                    usleep(20_000)
                    if detector.widths.count > searches { detector.waitForSearch() }
                }
                while let next = tracker.next(isEnding: false) { faces.append(next) }
            }
        }
        // The first search has not ended.
        detector.closeGate(true)
        try add(30, waiting: false)
        #expect(faces.count == 20 && faces.allSatisfy { $0.boxes == nil })
        detector.closeGate(false)
        detector.waitForSearch()
        faces = []
        for _ in 0..<100 where faces.last?.boxes == nil { try add(3, waiting: true) }
        #expect(faces.last.map { $0.boxes?.isEmpty == false && Self.isCovered(Self.still, $0) } == true)
        // Not at once: it might lag again.
        #expect((faces.firstIndex { $0.boxes != nil } ?? 0) >= 8)
        // A later one does not end either.
        detector.closeGate(true)
        try add(40, waiting: false)
        #expect(faces.suffix(20).allSatisfy { $0.boxes == nil })
    }

    /// The first one of each size may be slow. Smaller pictures are searched, but not so small that too few faces would be found.
    @Test func slowSearchesAreOfSmallerPictures() throws {
        let detector = ToldDetector()
        detector.take(.milliseconds(140))
        let tracker = try LiveFaceBoxTracker(waits: false) { detector }
        let picture = try PixelBuffer(width: 1280, height: 720, format: .rgba8)
        for search in 0..<9 {
            for frame in 0..<3 { try tracker.add(picture, at: Double(3 * search + frame) / 25) }
            detector.waitForSearch()
            usleep(20_000)
        }
        #expect(detector.widths.prefix(7) == [640, 640, 427, 427, 320, 320, 320], "\(detector.widths)")
    }

    /// Between two frames that are far apart, somebody may have come and gone, though both look alike.
    @Test func whatIsAfterAnInterruptionTellsNothingOfWhatIsBefore() throws {
        let detector = ToldDetector()
        let tracker = try LiveFaceBoxTracker(waits: true) { detector }
        var faces: [LiveFaceBoxTracker.Faces] = []
        detector.tell([FaceBoxTrackerTests.detection(Self.still)])
        let picture = try FaceBoxTrackerTests.picture([Self.still])
        for frame in 0..<20 {
            // Searched are 0, 3, 6, 9, and 11, the first after the interruption.
            try tracker.add(picture, at: Double(frame) / Self.rate + (frame < 11 ? 0 : 5))
            while let next = tracker.next(isEnding: false) { faces.append(next) }
        }
        try tracker.finish(picture)
        while let next = tracker.next(isEnding: true) { faces.append(next) }
        #expect(faces.count == 20)
        #expect(faces[9].boxes?.count == 1 && faces[10].boxes == nil && faces[11].boxes?.isEmpty == false)
    }
}
