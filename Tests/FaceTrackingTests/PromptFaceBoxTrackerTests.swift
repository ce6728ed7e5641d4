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

    private static func isCovered(_ square: Square, _ boxes: [OrientedBox]?) -> Bool {
        (boxes ?? []).contains { ($0.center - Point(square.x, square.y)).length < 8 }
    }

    /// The search of the first frame ends several frames later. Until then nothing is known; then the box is where the face is
    /// now, not where it was found.
    @Test func whatIsFoundLateIsCarriedToThePresentFrame() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: false) { detector }
        detector.tell([FaceBoxTrackerTests.detection(FaceBoxTrackerTests.moving(0))])
        detector.closeGate(true)
        var seconds = 0.0
        func boxes(_ frame: Int, after step: Double) throws -> [OrientedBox]? {
            let picture = try FaceBoxTrackerTests.picture([FaceBoxTrackerTests.moving(frame)], ground: 99)
            seconds += step
            return try tracker.add(picture, at: seconds, isCut: false)
        }
        for frame in 0..<5 { #expect(try boxes(frame, after: 1 / Self.rate) == nil, "\(frame)") }
        detector.closeGate(false)
        detector.waitForSearch()
        // The thread hands its result over a moment after the detector has ended: the picture stands still meanwhile.
        var tries = 0
        while try boxes(5, after: 5e-5) == nil, tries < 2000 {
            usleep(10_000)
            tries += 1
        }
        let box = try #require(try boxes(6, after: 1 / Self.rate)?.first)
        let square = FaceBoxTrackerTests.moving(6)
        #expect(Self.isCovered(square, [box]), "\(box), \(square)")
    }

    /// A cut ends what was followed. The search of a frame before it, which ends after it, says nothing about the new scene, in
    /// which nothing is known before its own search has ended.
    @Test func nothingIsCarriedAcrossACut() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: false) { detector }
        let square = FaceBoxTrackerTests.moving(0)
        let before = try FaceBoxTrackerTests.picture([square], ground: 99)
        let after = try FaceBoxTrackerTests.picture([], ground: 7)
        detector.tell([FaceBoxTrackerTests.detection(square)])
        detector.closeGate(true)
        #expect(try tracker.add(before, at: 0, isCut: false) == nil)
        #expect(try tracker.add(after, at: 0.04, isCut: true) == nil)
        detector.tell([])
        detector.closeGate(false)
        detector.waitForSearch()
        var seconds = 0.04
        var boxes: [OrientedBox]?
        while boxes == nil, seconds < 20 {
            usleep(10_000)
            seconds += 0.01
            boxes = try tracker.add(after, at: seconds, isCut: false)
        }
        #expect(boxes == [])
        #expect(detector.widths.count >= 2, "known without a search of its own")
    }

    /// Without an answer for a while, faces may be anywhere.
    @Test func aSlowSearchIsNoAnswer() throws {
        let detector = ToldDetector()
        let tracker = try PromptFaceBoxTracker(waits: false) { detector }
        let picture = try FaceBoxTrackerTests.picture([], ground: 7)
        var seconds = 0.0
        while try tracker.add(picture, at: seconds, isCut: false) == nil, seconds < 20 {
            usleep(10_000)
            seconds += 0.01
        }
        detector.closeGate(true)
        let answered = seconds
        while seconds < answered + 3 {
            seconds += 0.04
            let boxes = try tracker.add(picture, at: seconds, isCut: false)
            // One search may have been running when the gate was closed.
            if seconds > answered + 2.5 { #expect(boxes == nil, "\(seconds - answered)") }
        }
        detector.closeGate(false)
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
            #expect(try #require(boxes).count <= 1)
            if Self.isCovered(square, boxes) {
                #expect(last == frame - 1, "bare in between")
                last = frame
            }
        }
        let seconds = Double(last) / Self.rate
        #expect(seconds > 1.2 && seconds < 2, "\(seconds)")
    }
}
