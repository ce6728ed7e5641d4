import FaceGeometry
import LandmarkModels
import Masks
import NeuralNetworks
import Pixels
import Vision

/// Finds where the faces of a stream look, and whether their eyes are closed, for masks whose eyes look where those of
/// the wearer look. The network is loaded at the first use; where it is not installed, eyes look straight ahead.
package struct GazeFollower {
    fileprivate struct State {
        var right = EyeState()
        var left = EyeState()
        var lastSeconds: Double
    }

    fileprivate struct EyeState {
        /// Removes the trembling of a pupil that rests.
        private static let settings = OneEuroFilter.Settings(minimumCutoff: 1.5, speedCoefficient: 12)
        /// An eye closes below this opening, and opens again above the other one (`PupilFinder.Eye.opening`). Eyes that
        /// laugh are open by 0.2.
        private static let closes: Float = 0.14
        private static let opens: Float = 0.17
        /// How far a closed eye and one at rest are open.
        private static let closed: Float = 0.09
        private static let atRest: Float = 0.25

        private var filter = OneEuroFilter(settings)
        private(set) var offset = EyeOffset(.zero)
        private(set) var isClosed = false
        /// Of `ExpressionSignals`.
        private(set) var closing: Float = 0

        mutating func add(_ new: EyeOffset, seconds: Float) {
            offset = EyeOffset(filter.filter(new.offset, seconds: seconds))
        }

        mutating func add(opening: Float) {
            isClosed = opening < (isClosed ? Self.opens : Self.closes)
            closing = 1 - min(1, max(0, (opening - Self.closed) / (Self.atRest - Self.closed)))
        }
    }

    /// An eye that is narrower than this fraction of the other one in the picture is turned away.
    fileprivate static let smallestWidth: Float = 0.4
    /// A pupil does not leave the eye, in widths of the eye.
    fileprivate static let largestOffset: Float = 0.5

    private enum Source {
        /// It is loaded at the first use.
        case folder(NetworkFolder)
        case supply(SuppliedPupilFinder)
    }

    private let source: Source
    private var finder: PupilFinder?
    /// By track ID.
    private var states: [Int: State] = [:]

    package init(_ networks: NetworkFolder = .standard) { source = .folder(networks) }

    /// For a thread that must not wait for the disk: eyes look straight ahead until another thread has loaded the network.
    package init(_ supply: SuppliedPupilFinder) { source = .supply(supply) }

    /// Where the network is missing, that is an error.
    /// - Throws: `VisionError` with the path of the network.
    package init(requiring networks: NetworkFolder) throws(VisionError) {
        source = .folder(networks)
        finder = try PupilFinder(networks)
    }

    /// Sets the pupils, the signals of gaze and lids, and which eyes are closed, of those faces that have no pupils yet.
    /// - Parameters:
    ///   - faces: their track IDs differ.
    ///   - picture: before anything is drawn on it.
    ///   - seconds: the time of the picture; nil: a single one.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    package mutating func follow(
        _ faces: inout [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double?, reference: ReferenceFace
    ) throws {
        guard faces.contains(where: { $0.face.pupils == nil }), let finder = try loadedFinder() else { return }
        if picture.format == .rgba16 {
            try follow(&faces, in: picture.withEightBits(), at: seconds, reference: reference, finder)
        } else {
            try follow(&faces, in: picture, at: seconds, reference: reference, finder)
        }
        if states.count > faces.count {
            states = states.filter { state in faces.contains { $0.trackID == state.key } }
        }
    }

    /// Forgets where faces looked, as at a cut.
    package mutating func forget() { states = [:] }

    /// Makes sure, before any face is there, that a mask's eyes will be able to look where its wearer looks.
    /// - Throws: `VisionError` with the path of a damaged network. One that is missing is no error.
    package static func check(_ mask: Mask, networks: NetworkFolder = .standard) throws(VisionError) {
        if mask.followsGaze, networks.hasAttention { _ = try PupilFinder(networks) }
    }

    private mutating func loadedFinder() throws(VisionError) -> PupilFinder? {
        if finder == nil {
            switch source {
            case .folder(let networks): if networks.hasAttention { finder = try PupilFinder(networks) }
            case .supply(let supply): finder = supply.take()
            }
        }
        return finder
    }

    private mutating func follow(
        _ faces: inout [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double?, reference: ReferenceFace,
        _ finder: PupilFinder
    ) throws(VisionError) {
        for index in faces.indices where faces[index].face.pupils == nil {
            let instance = faces[index]
            let now = seconds ?? 0
            var state = (seconds == nil ? nil : states[instance.trackID]) ?? State(lastSeconds: now)
            // While something is in front of the face, its eyes are as they were.
            if instance.isSeen {
                do {
                    let (right, left) = try finder.eyes(of: instance.face.landmarks, in: picture)
                    state.update(right: right, left: left, of: instance.face, seconds: now, reference: reference)
                } catch  where error.kind == .failed {
                    continue
                }
            }
            if seconds != nil { states[instance.trackID] = state }
            state.apply(to: &faces[index], reference: reference)
        }
    }
}

extension GazeFollower.State {
    fileprivate mutating func update(
        right: PupilFinder.Eye, left: PupilFinder.Eye, of face: Face, seconds: Double, reference: ReferenceFace
    ) {
        let topology = Landmarks.topology
        func width(_ eye: LandmarkTopology.Contour) -> Float {
            (face.landmarks[eye.left] - face.landmarks[eye.right]).length
        }
        let widths = (right: width(topology.rightEye), left: width(topology.leftEye))
        // The network guesses in an eye that is turned away: the other one stands for both.
        let isRightSeen = widths.right > GazeFollower.smallestWidth * widths.left
        let isLeftSeen = widths.left > GazeFollower.smallestWidth * widths.right
        self.right.add(opening: (isRightSeen ? right : left).opening)
        self.left.add(opening: (isLeftSeen ? left : right).opening)
        // The pupil of a closed eye moves with that of the other; while both are closed, they stay where they were.
        func offset(_ pupil: Point, _ eye: LandmarkTopology.Contour) -> EyeOffset? {
            let found = EyeOffset(pupil: pupil, of: eye, face: face, reference: reference)
            return found.flatMap { $0.offset.length < GazeFollower.largestOffset ? $0 : nil }
        }
        let rightOffset = isRightSeen && !self.right.isClosed ? offset(right.pupil, topology.rightEye) : nil
        let leftOffset = isLeftSeen && !self.left.isClosed ? offset(left.pupil, topology.leftEye) : nil
        let elapsed = Float(max(0, seconds - lastSeconds))
        if let offset = rightOffset ?? leftOffset { self.right.add(offset, seconds: elapsed) }
        if let offset = leftOffset ?? rightOffset { self.left.add(offset, seconds: elapsed) }
        lastSeconds = seconds
    }

    fileprivate func apply(to instance: inout FaceInstance, reference: ReferenceFace) {
        instance.look(right: right.offset, left: left.offset, reference: reference)
        instance.signals[.rightEyeClosing] = right.closing
        instance.signals[.leftEyeClosing] = left.closing
        for (eye, state) in [(right, Expression.States.rightEyeClosed), (left, .leftEyeClosed)] {
            if eye.isClosed { instance.states.insert(state) } else { instance.states.remove(state) }
        }
    }
}
