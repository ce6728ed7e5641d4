import Compositing
import FaceGeometry
import FaceTracking
import Pixels

/// What is covered in each frame of a video.
struct VideoCovers {
    /// The number of faces.
    let count: Int
    /// In the order of their first frames. Those before `next` have begun.
    private let tracks: [FaceBoxTracker.Track]
    private var next = 0
    /// Those that have begun and not ended.
    private var current: [FaceBoxTracker.Track] = []

    /// - Parameter tracks: in the order of their first frames.
    init(_ tracks: [FaceBoxTracker.Track]) {
        self.tracks = tracks
        count = tracks.count
    }

    /// Covers the faces of a frame: those of all tracks but where a face is that was found and not chosen, which is spared; and
    /// the chosen ones. Frames come in the order of their numbers.
    /// - Returns: whether anything was covered.
    mutating func draw(on frame: inout Frame) -> Bool {
        while next < tracks.count, tracks[next].first <= frame.number {
            current.append(tracks[next])
            next += 1
        }
        current.removeAll { $0.box(in: frame.number) == nil }
        let chosen = frame.chosenFaces
        let spared = frame.faces.filter { face in !chosen.contains { $0.trackID == face.trackID } }
        var isCovered = false
        for box in current.compactMap({ $0.box(in: frame.number) }) where !spared.contains(where: { $0.isIn(box) }) {
            FaceCover(UnsureFace(box: box, score: 1)).draw(in: &frame.pixels)
            isCovered = true
        }
        for instance in chosen {
            FaceCover(instance.face).draw(in: &frame.pixels)
            isCovered = true
        }
        return isCovered
    }
}

extension FaceInstance {
    /// Whether a box is around this face.
    fileprivate func isIn(_ box: OrientedBox) -> Bool {
        let side = (face.box.width + face.box.height) / 2
        return (face.box.center - box.center).length < 0.35 * max(side, box.side)
            && max(side, box.side) < 1.6 * min(side, box.side)
    }
}
