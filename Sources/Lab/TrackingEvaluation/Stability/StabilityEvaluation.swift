import Clips
import Evaluation
import FaceGeometry
import FaceTracking

/// How steady the landmarks of one face are in a clip, and how much lag and error that costs.
/// `docs/internals/tracking.md` explains the measures. Lengths are fractions of the face's width.
package struct StabilityEvaluation {
    package struct Settings {
        /// A video that ffmpeg can read.
        package var clip: String
        /// The width that frames are scaled to, in pixels.
        package var width = 1280
        /// The number of frames to read; nil: all.
        package var frames: Int?
        package var models: FaceModels
        /// Where frames with the tracked faces are written; nil: nowhere.
        package var drawing: (folder: String, drawFace: DrawFace)?

        package init(clip: String, models: FaceModels) {
            self.clip = clip
            self.models = models
        }
    }

    /// One way to follow the face, measured.
    package struct Mode {
        package let name: String
        /// How far the mesh moves beyond the skin from frame to frame, and the fraction of pairs of frames in which that
        /// could be measured (`Slip`); nil if in none.
        package let slip: Float?
        package let wholeFaceSlip: Float?
        package let countedPairs: Float?
        /// The slip of the forehead.
        package let foreheadSlip: Float?
        /// The root mean square distance from the unsmoothed landmarks under a Gaussian of 0.5 s.
        package let drift: Float
        /// The root mean square of second differences over time.
        package let jitter: Float
        /// In frames.
        package let lag: Float
        /// The root mean square distance to the reference.
        package let error: Float
        /// Frames without a face after the first with one.
        package let lostFrames: Int
        package let largestStep: Float
        /// How often the track ID of the face changed; nil for modes without track IDs.
        package let identitySwitches: Int?
        package let note: String?
    }

    package let frames: Int
    package let width: Int
    package let height: Int
    /// In pixels.
    package let faceWidth: Float
    package let modes: [Mode]
    package let identitySwitches: Int
    /// How often each state of the face (blink, smile, …) began.
    package let events: [(name: String, count: Int)]
    /// Milliseconds per frame.
    package let stages: [Samples]

    /// - Throws: `EvaluationError` if there is no face in the clip, `ClipError`, `VisionError`, `FileError`.
    package init(
        _ settings: Settings, reference: ReferenceFace, mesh: FaceMesh, isStopped: StopCheck
    ) throws {
        let clip = try ClipReader(settings.clip, size: .width(settings.width), frames: settings.frames)
        let tracking = try ClipTracking(clip, models: settings.models, reference: reference)
        if let drawing = settings.drawing {
            tracking.overlay = try MeshDrawing(folder: drawing.folder, drawFace: drawing.drawFace)
        }
        try tracking.run(isStopped: isStopped)
        guard let faceWidth = tracking.raw.track.width else {
            throw EvaluationError(.unusableInput, "\(settings.clip): no face was found in it")
        }
        frames = tracking.times.count
        (width, height) = (clip.width, clip.height)
        self.faceWidth = faceWidth
        modes = Self.modes(tracking, faceWidth: faceWidth, reference: reference, mesh: mesh)
        identitySwitches = tracking.identitySwitches
        events = tracking.events
        stages = tracking.stages
    }

    private static func modes(
        _ tracking: ClipTracking, faceWidth width: Float, reference: ReferenceFace, mesh: FaceMesh
    ) -> [Mode] {
        let raw = tracking.raw.track
        let smooth = raw.zeroPhaseGaussian(deviation: 1.5)
        let intervals = Samples("", zip(tracking.times.dropFirst(), tracking.times).map { $0 - $1 })
        let driftFrames = driftSeconds / max(Float(intervals.median), 1e-3)
        func mode(
            _ name: String, _ track: LandmarkTrack, vertices: [[Point]?]? = nil, switches: Int? = nil,
            note: String? = nil
        ) -> Mode? {
            guard let jitter = track.jitter, let lag = track.lag(behind: smooth),
                let error = track.distance(to: smooth), let step = track.largestStep,
                let drift = track.drift(from: raw, deviation: driftFrames, cuts: tracking.cuts)
            else { return nil }
            let vertices =
                vertices ?? track.frames.map { $0.map { Face(landmarks: $0, reference: reference).vertices } }
            let slip = Slip(mesh: vertices, triangles: mesh.triangles, motions: tracking.skin.motions)
            let forehead = Slip(mesh: vertices, triangles: mesh.triangles, motions: tracking.skin.foreheadMotions)
            return Mode(
                name: name, slip: slip.points.map { $0 / width }, wholeFaceSlip: slip.wholeFace.map { $0 / width },
                countedPairs: slip.countedPairs, foreheadSlip: forehead.points.map { $0 / width }, drift: drift / width,
                jitter: jitter / width, lag: lag,
                error: error / width, lostFrames: track.lostFrames, largestStep: step / width,
                identitySwitches: switches, note: note)
        }
        let euro = OneEuroBaseline.best(on: raw, times: tracking.times, width: width, reference: smooth)
        let switches = tracking.identitySwitches
        let twoPass = tracking.twoPass()
        return [
            mode("raw", raw), mode("dlib", tracking.dlib.track), mode("oneEuro", euro.track, note: euro.note),
            mode("live", tracking.live, vertices: tracking.liveVertices, switches: switches),
            mode("twoPass", twoPass, vertices: tracking.twoPassVertices, switches: switches), mode("reference", smooth),
        ].compactMap { $0 }
    }

    /// The deviation of the Gaussian under which drift is measured.
    private static let driftSeconds: Float = 0.5
}
