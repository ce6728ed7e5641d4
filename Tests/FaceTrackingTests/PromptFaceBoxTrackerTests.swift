import Detection
import FaceGeometry
import FaceTracking
import Glibc
import Pixels
import Testing

/// Boxes of faces in a live picture that is shown at once, on textured squares that move, with a detector that is told what it
/// finds.
@Suite struct PromptFaceBoxTrackerTests {
    private typealias Square = FaceBoxTrackerTests.Square
    private static let rate = FaceBoxTrackerTests.rate

    private static func isCovered(_ square: Square, _ boxes: [OrientedBox]) -> Bool {
        boxes.contains { ($0.center - Point(square.x, square.y)).length < 8 }
    }

    /// The search of the first frame ends several frames later. Until then nothing is known; then the box is where the face is
    /// now, not where it was found.
    @Test func whatIsFoundLateIsCarriedToThePresentFrame() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: false) { detector }
        detector.tell([FaceBoxTrackerTests.detection(FaceBoxTrackerTests.moving(0))])
        detector.closeGate(true)
        func boxes(_ frame: Int, isCut: Bool = false) throws -> [OrientedBox] {
            let picture = try FaceBoxTrackerTests.picture([FaceBoxTrackerTests.moving(frame)], ground: 99)
            return try tracker.add(picture, at: Double(frame) / Self.rate, isCut: isCut)
        }
        for frame in 0..<5 { #expect(try boxes(frame).isEmpty, "\(frame)") }
        detector.closeGate(false)
        detector.waitForSearch()
        var frame = 5
        // The thread hands its result over a moment after the detector has ended: the picture stands still meanwhile.
        while try boxes(frame).isEmpty, frame < 200 {
            usleep(10_000)
            frame += 1
        }
        let box = try #require(try boxes(frame + 1).first)
        let square = FaceBoxTrackerTests.moving(frame + 1)
        #expect(Self.isCovered(square, [box]), "\(box) in frame \(frame + 1), \(square)")
    }

    /// A cut ends what was followed, and the search of a frame before it says nothing about those after it.
    @Test func nothingIsCarriedAcrossACut() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: true) { detector }
        let square = FaceBoxTrackerTests.moving(0)
        let picture = try FaceBoxTrackerTests.picture([square], ground: 99)
        detector.tell([FaceBoxTrackerTests.detection(square)])
        #expect(Self.isCovered(square, try tracker.add(picture, at: 0, isCut: false)))
        // A cut is searched at once.
        detector.tell([])
        #expect(try tracker.add(picture, at: 0.04, isCut: true).isEmpty)
    }

    /// A face that is not found any more is followed for a while, and no longer.
    @Test func aFaceIsFollowedForAWhile() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: true) { detector }
        var last = -1
        for frame in 0..<75 {
            let square = FaceBoxTrackerTests.moving(0)
            detector.tell(frame < 5 ? [FaceBoxTrackerTests.detection(square)] : [])
            let picture = try FaceBoxTrackerTests.picture([square], ground: 99)
            let boxes = try tracker.add(picture, at: Double(frame) / Self.rate, isCut: false)
            #expect(boxes.count <= 1)
            if Self.isCovered(square, boxes) {
                #expect(last == frame - 1, "bare in between")
                last = frame
            }
        }
        let seconds = Double(last) / Self.rate
        #expect(seconds > 1.2 && seconds < 2, "\(seconds)")
    }
}
