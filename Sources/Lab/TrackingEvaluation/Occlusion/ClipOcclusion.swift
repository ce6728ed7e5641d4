import Clips
import Evaluation
import FaceGeometry
import FaceTracking
import Occlusion
import Pixels

/// The frames of a clip in which an occluder is detected.
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
    /// The time for detection, in milliseconds per frame.
    package private(set) var duration = Samples()

    /// Stretches that are nearer to each other are one, in frames.
    private static let gap = 3

    /// - Throws: `ClipError`, `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        clip: String, tracking: OcclusionTracking, models: FaceModels, reference: ReferenceFace, mesh: FaceMesh,
        isStopped: @escaping StopCheck
    ) throws {
        let source = OcclusionFrames(
            tracking: tracking, models: models, reference: reference, mesh: mesh, isStopped: isStopped)
        func open() throws -> () throws -> TimedPicture? {
            let reader = try ClipReader(clip)
            return {
                var frame = try reader.makeFrame()
                guard let seconds = try reader.read(into: &frame) else { return nil }
                return TimedPicture(pixels: frame, seconds: seconds)
            }
        }
        try source.follow(open) { _, _, result in
            duration.add(result.duration)
            facedFrames += result.instances.isEmpty ? 0 : 1
            if !result.mattes.isEmpty { note(result.instances, result.mattes) }
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
