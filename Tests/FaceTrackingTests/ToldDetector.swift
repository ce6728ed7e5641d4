import Detection
import Dispatch
import FaceGeometry
import Glibc
import Pixels
import Synchronization
import Testing

/// Finds what it is told to, and waits at a gate while that is closed.
final class ToldDetector: FaceDetector, Sendable {
    private struct State {
        var next: [FaceDetection] = []
        var widths: [Int] = []
        var isGateClosed = false
        var duration = Duration.zero
    }

    let boxConvention = BoxConvention.dlib
    let smallestFace = 10
    let seesColor = true
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    func tell(_ next: [FaceDetection]) { state.withLock { $0.next = next } }
    func closeGate(_ isClosed: Bool) { state.withLock { $0.isGateClosed = isClosed } }
    func take(_ duration: Duration) { state.withLock { $0.duration = duration } }
    /// Of the searched pictures.
    var widths: [Int] { state.withLock { $0.widths } }
    /// Waits for the end of a search.
    func waitForSearch() { #expect(ended.wait(timeout: .now() + 60) == .success) }

    func detections(in picture: borrowing PixelBuffer) -> [FaceDetection] {
        let width = picture.width
        let (next, duration) = state.withLock { state in
            state.widths.append(width)
            return (state.next, state.duration)
        }
        while state.withLock({ $0.isGateClosed }) { usleep(1000) }
        usleep(UInt32(duration / .microseconds(1)))
        ended.signal()
        let scale = Float(width) / 320
        return next.map {
            FaceDetection(
                box: OrientedBox(center: scale * $0.box.center, side: scale * $0.box.width, roll: 0),
                score: $0.score)
        }
    }
}
