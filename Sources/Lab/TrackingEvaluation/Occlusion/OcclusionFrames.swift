import Evaluation
import FaceGeometry
import FaceTracking
import Occlusion
import Pixels

/// A picture of a recording.
struct TimedPicture: ~Copyable {
    var pixels: PixelBuffer
    let seconds: Double
}

/// How faces are tracked and learnt while their occluders are measured.
package enum OcclusionTracking: CaseIterable, Sendable {
    /// As in live mode: a face is learnt while it is followed.
    case live
    /// As in videos: with the frames before and after each one, and faces that have been learnt before the first frame.
    case lookAhead
}

/// The frames of a recording with their faces and occluders.
struct OcclusionFrames {
    let tracking: OcclusionTracking
    let models: FaceModels
    let reference: ReferenceFace
    let mesh: FaceMesh
    let isStopped: StopCheck

    /// One frame.
    struct Result: Sendable {
        let instances: [FaceInstance]
        let mattes: [Int: OcclusionMatte]
        /// The time that finding them took.
        let duration: Duration
    }

    /// - Parameters:
    ///   - open: begins the recording: gives its pictures, one after another.
    ///   - body: gets each picture with its number.
    /// - Throws: `VisionError`, what `open` throws, and `EvaluationError` if the measurement is stopped.
    func follow(
        _ open: () throws -> () throws -> TimedPicture?, body: (borrowing PixelBuffer, Int, Result) throws -> Void
    ) throws {
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        var number = 0
        try track(try open()) { picture, instances, seconds, isCut in
            if isCut { follower.interrupt() }
            let start = ContinuousClock.now
            let mattes = try follower.follow(instances, in: picture, at: seconds)
            let result = Result(instances: instances, mattes: mattes, duration: .now - start)
            try body(picture, number, result)
            number += 1
        }
    }

    /// - Parameter body: gets each picture with its faces, its time, and whether it shows another scene.
    private func track(
        _ next: () throws -> TimedPicture?, body: (borrowing PixelBuffer, [FaceInstance], Double, Bool) throws -> Void
    ) throws {
        guard tracking == .lookAhead else {
            let tracker = try models.makeOfflineTracker(reference: reference)
            while let picture = try next() {
                try checkStop(isStopped)
                try tracker.track(picture.pixels, at: picture.seconds)
                try body(picture.pixels, tracker.faces.map(\.instance), picture.seconds, tracker.isCut)
            }
            return
        }
        let model = try models.loadLandmarkModel(for: .frames)
        let tracker = try models.makeLookAheadTracker(model: model, reference: reference, settings: .video())
        var isEnding = false
        while !isEnding {
            try checkStop(isStopped)
            if let picture = try next() {
                let seconds = picture.seconds
                try tracker.add(picture.pixels, at: seconds)
            } else {
                isEnding = true
            }
            while let output = try tracker.next(isEnding: isEnding) {
                try body(output.pixels, output.faces, output.seconds, output.isCut)
            }
        }
    }
}
