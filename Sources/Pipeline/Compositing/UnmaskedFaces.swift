import FaceGeometry

/// Keeps account of the frames in which a face that had its mask before is without it, because the analyzer lost it. A
/// face that nobody followed yet is not known to be unmasked. A face that is not found again for a while has probably
/// left, or shows the back of its head: it is counted for `likelySeconds`.
package struct UnmaskedFaces: Sendable {
    /// Frames in a row in which a face was unmasked.
    package struct Stretch: Equatable, Sendable {
        /// The reason for its end.
        package enum End: String, Sendable {
            /// The face has its mask again, or another track has begun in its place.
            case foundAgain
            /// The picture shows another scene.
            case cut
            case endOfVideo
            /// It was not found again within `likelySeconds`.
            case notFoundAgain
            /// The frames after are blurred.
            case blurred
        }

        package let trackID: Int
        package let firstFrame: Int
        package fileprivate(set) var lastFrame: Int
        /// Times of these two frames, in seconds.
        package let start: Double
        package fileprivate(set) var end: Double
        package fileprivate(set) var until = End.endOfVideo

        package init(
            trackID: Int, firstFrame: Int, lastFrame: Int, start: Double, end: Double, until: End = .endOfVideo
        ) {
            self.trackID = trackID
            self.firstFrame = firstFrame
            self.lastFrame = lastFrame
            self.start = start
            self.end = end
            self.until = until
        }
    }

    /// In the order of their starts.
    package var stretches: [Stretch] { (done + lost.compactMap(\.stretch)).sorted { $0.firstFrame < $1.firstFrame } }
    /// The number of frames in which at least one face was unmasked.
    package private(set) var frameCount = 0

    private struct Lost {
        /// As it was last seen.
        let instance: FaceInstance
        /// When it was first missed.
        let since: Double
        var stretch: Stretch?
    }

    /// How long a lost face is likely to be there, in seconds.
    package static let likelySeconds = 2.0

    /// A face has left the picture if less than this part of its box was inside when it was last seen.
    private static let insidePart: Float = 0.75

    private var done: [Stretch] = []
    private var lost: [Lost] = []
    /// The faces with masks in the last frame.
    private var masked: [FaceInstance] = []

    package init() {}

    /// Takes the next frame after it has been composed.
    /// - Parameter blurredTrackIDs: those lost faces that are blurred in this frame.
    package mutating func note(_ frame: borrowing Frame, blurredTrackIDs: Set<Int> = []) {
        let (faces, chosen, kept) = (frame.faces, frame.chosenFaces, frame.keptFaces)
        if frame.isCut {
            for index in lost.indices { end(index, .cut) }
            (lost, masked) = ([], [])
        }
        for old in masked where !faces.contains(where: { $0.trackID == old.trackID }) {
            guard isInside(old, width: frame.pixels.width, height: frame.pixels.height) else { continue }
            lost.append(Lost(instance: old, since: frame.seconds ?? 0))
        }
        masked = chosen
        for index in lost.indices.reversed() {
            let old = lost[index].instance
            if faces.contains(where: { $0.trackID == old.trackID || LostFaces.overlap($0.face, old.face) }) {
                end(index, .foundAgain)
                lost.remove(at: index)
            }
        }
        let seconds = frame.seconds ?? 0
        for index in lost.indices.reversed() where seconds - lost[index].since >= Self.likelySeconds {
            end(index, .notFoundAgain)
            lost.remove(at: index)
        }
        var isUnmasked = false
        for index in lost.indices {
            if frame.isBlurred || blurredTrackIDs.contains(lost[index].instance.trackID) {
                end(index, .blurred)
            } else if !kept.contains(where: { $0.trackID == lost[index].instance.trackID }) {
                extend(index, frame.number, seconds)
                isUnmasked = true
            }
        }
        frameCount += isUnmasked ? 1 : 0
    }

    private mutating func extend(_ index: Int, _ frame: Int, _ seconds: Double) {
        if lost[index].stretch == nil {
            lost[index].stretch = Stretch(
                trackID: lost[index].instance.trackID, firstFrame: frame, lastFrame: frame, start: seconds,
                end: seconds)
        }
        lost[index].stretch?.lastFrame = frame
        lost[index].stretch?.end = seconds
    }

    private mutating func end(_ index: Int, _ reason: Stretch.End) {
        guard var stretch = lost[index].stretch else { return }
        stretch.until = reason
        done.append(stretch)
        lost[index].stretch = nil
    }

    private func isInside(_ instance: FaceInstance, width: Int, height: Int) -> Bool {
        let box = instance.face.box
        let across = min(box.x + box.width, Float(width)) - max(box.x, 0)
        let down = min(box.y + box.height, Float(height)) - max(box.y, 0)
        return across > 0 && down > 0 && across * down >= Self.insidePart * box.area
    }
}
