import FaceGeometry
import FaceTracking
import Media
import Occlusion
import Pixels

/// In which frames of a clip something is found before a face.
package struct ClipOcclusion: Sendable {
    /// Frames in a row.
    package struct Stretch: Equatable, Sendable {
        package let first: Int
        package fileprivate(set) var last: Int
        /// The largest part of the face's width and height that was covered, as a share of its area.
        package fileprivate(set) var largestShare: Double
    }

    package private(set) var frames = 0
    /// Frames with a face.
    package private(set) var facedFrames = 0
    package private(set) var coveredFrames = 0
    package private(set) var stretches: [Stretch] = []
    /// What finding it took, in milliseconds a frame.
    package private(set) var duration = Samples()

    /// Stretches that are nearer to each other are one, in frames.
    private static let gap = 3

    /// - Throws: `ClipError`, `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        clip: String, models: FaceModels, reference: ReferenceFace, mesh: FaceMesh, isStopped: StopCheck
    ) throws {
        let reader = try ClipReader(clip)
        let tracker = try models.makeOfflineTracker(reference: reference)
        var follower = OcclusionFollower(reference: reference, mesh: mesh)
        var frame = try reader.makeFrame()
        while let seconds = try reader.read(into: &frame) {
            try checkStop(isStopped)
            try tracker.track(frame, at: seconds)
            if tracker.scene.isCut { follower.interrupt() }
            let start = ContinuousClock.now
            let instances = tracker.faces.map(\.instance)
            let mattes = follower.follow(instances, in: frame, at: seconds)
            duration.add(.now - start)
            facedFrames += instances.isEmpty ? 0 : 1
            if !mattes.isEmpty { note(instances, mattes) }
            frames += 1
        }
    }

    private mutating func note(_ instances: [FaceInstance], _ mattes: [Int: OcclusionMatte]) {
        var largest = 0.0
        for instance in instances {
            guard let matte = mattes[instance.trackID] else { continue }
            let cells = matte.alpha.reduce(0) { $0 + Double($1) / 255 }
            let cellArea = Double(matte.box.area) / Double(matte.width * matte.height)
            let face = FaceBox(around: instance.face.vertices)
            largest = max(largest, cells * cellArea / Double(max(face.area, 1)))
        }
        coveredFrames += 1
        if let last = stretches.last, frames - last.last <= Self.gap {
            stretches[stretches.count - 1].last = frames
            stretches[stretches.count - 1].largestShare = max(last.largestShare, largest)
        } else {
            stretches.append(Stretch(first: frames, last: frames, largestShare: largest))
        }
    }
}
