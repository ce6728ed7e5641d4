import FaceGeometry
import FaceTracking
import Pixels

/// Finds where the faces of a stream look, for masks that ask for it. The network is loaded at the first use; where it
/// is not installed, eyes look straight ahead.
struct GazeFollower {
    private struct State {
        var right: EyeFilter
        var left: EyeFilter
        var lastSeconds: Double
    }

    /// Removes the trembling of a pupil that rests.
    private struct EyeFilter {
        private static let settings = OneEuroFilter.Settings(minimumCutoff: 1.5, speedCoefficient: 12)

        private var filter = OneEuroFilter(Self.settings)
        private(set) var value = EyeOffset(.zero)

        mutating func add(_ new: EyeOffset, seconds: Float) {
            value = EyeOffset(filter.filter(new.offset, seconds: seconds))
        }
    }

    /// Lids that are closed further hide the pupil, as a fraction.
    private static let largestClosing: Float = 0.6
    /// An eye that is narrower than this fraction of the other one in the picture is turned away.
    private static let smallestWidth: Float = 0.4
    /// A pupil does not leave the eye, in widths of the eye.
    private static let largestOffset: Float = 0.5

    private var finder: PupilFinder?
    private var isUnavailable = false
    /// By track ID.
    private var states: [Int: State] = [:]

    /// Sets the pupils and the signals of the gaze of those faces that have no pupils yet.
    /// - Parameters:
    ///   - faces: their track IDs differ.
    ///   - picture: before anything is drawn on it.
    ///   - seconds: the time of the picture; nil: a single one.
    mutating func follow(
        _ faces: inout [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double?, reference: ReferenceFace
    ) {
        guard faces.contains(where: { $0.face.pupils == nil }), let finder = loadedFinder() else { return }
        if picture.format == .rgba16 {
            guard let picture = try? picture.withEightBits() else { return }
            follow(&faces, in: picture, at: seconds, reference: reference, finder)
        } else {
            follow(&faces, in: picture, at: seconds, reference: reference, finder)
        }
        if states.count > faces.count {
            states = states.filter { state in faces.contains { $0.trackID == state.key } }
        }
    }

    /// Forgets where faces looked, as at a cut.
    mutating func forget() { states = [:] }

    private mutating func loadedFinder() -> PupilFinder? {
        if finder == nil, !isUnavailable {
            finder = try? PupilFinder()
            isUnavailable = finder == nil
        }
        return finder
    }

    private mutating func follow(
        _ faces: inout [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double?, reference: ReferenceFace,
        _ finder: PupilFinder
    ) {
        for index in faces.indices where faces[index].face.pupils == nil {
            let instance = faces[index]
            let now = seconds ?? 0
            var state =
                (seconds == nil ? nil : states[instance.trackID])
                ?? State(right: EyeFilter(), left: EyeFilter(), lastSeconds: now)
            // While something is in front of the face, or both eyes are closed, they look where they looked.
            if instance.isSeen {
                guard let found = try? finder.pupils(of: instance.face.landmarks, in: picture) else { continue }
                let elapsed = Float(max(0, now - state.lastSeconds))
                let (right, left) = Self.offsets(of: found, instance, reference)
                if let offset = right ?? left { state.right.add(offset, seconds: elapsed) }
                if let offset = left ?? right { state.left.add(offset, seconds: elapsed) }
                state.lastSeconds = now
            }
            if seconds != nil { states[instance.trackID] = state }
            faces[index].look(right: state.right.value, left: state.left.value, reference: reference)
        }
    }

    /// The offsets of both pupils; nil for eyes that are closed or turned away: the network guesses there.
    private static func offsets(
        of pupils: Pupils, _ instance: FaceInstance, _ reference: ReferenceFace
    ) -> (right: EyeOffset?, left: EyeOffset?) {
        let (face, topology) = (instance.face, Landmarks.topology)
        func width(_ eye: LandmarkTopology.Contour) -> Float {
            (face.landmarks[eye.left] - face.landmarks[eye.right]).length
        }
        func offset(
            _ pupil: Point, _ eye: LandmarkTopology.Contour, _ other: LandmarkTopology.Contour,
            closing: ExpressionSignals.Name
        ) -> EyeOffset? {
            guard instance.signals[closing] < largestClosing, width(eye) > smallestWidth * width(other),
                let found = EyeOffset(pupil: pupil, of: eye, face: face, reference: reference),
                found.offset.length < largestOffset
            else { return nil }
            return found
        }
        return (
            offset(pupils.right, topology.rightEye, topology.leftEye, closing: .rightEyeClosing),
            offset(pupils.left, topology.leftEye, topology.rightEye, closing: .leftEyeClosing)
        )
    }
}
