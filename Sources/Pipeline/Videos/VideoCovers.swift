import Compositing
import FaceGeometry
import FaceTracking
import Pixels

/// What is covered in each frame of a video.
struct VideoCovers {
    /// The number of tracks.
    let count: Int
    /// How many of them have been covered in some frame.
    private(set) var coveredCount = 0
    private let style: FaceCover.Style
    /// In the order of their first frames. Those before `next` have begun.
    private let tracks: [FaceBoxTracker.Track]
    private var next = 0
    /// Those that have begun and not ended, and whether they have been covered.
    private var current: [(track: FaceBoxTracker.Track, isCovered: Bool)] = []

    /// - Parameter tracks: in the order of their first frames.
    init(_ tracks: [FaceBoxTracker.Track], style: FaceCover.Style) {
        self.tracks = tracks
        self.style = style
        count = tracks.count
    }

    /// Covers the faces of a frame: those of all tracks but of a face that was found and not chosen, which is spared; and the
    /// chosen ones. Frames come in the order of their numbers.
    /// - Returns: whether anything was covered.
    mutating func draw(on frame: inout Frame) throws(OutOfMemory) -> Bool {
        while next < tracks.count, tracks[next].first <= frame.number {
            current.append((tracks[next], false))
            next += 1
        }
        current.removeAll { $0.track.box(in: frame.number) == nil }
        let chosen = frame.chosenFaces
        let spared = frame.faces.filter { face in !chosen.contains { $0.trackID == face.trackID } }
        var isCovered = false
        var uncovered: Set<Int> = []
        for face in spared {
            // Of two boxes only the nearer one is hers. The other one covers her, too, where they overlap.
            let near = current.indices.filter { index in
                !uncovered.contains(index)
                    && current[index].track.box(in: frame.number).map(OrientedBox(face.face.box).isAroundSameFace)
                        ?? false
            }
            let nearest = near.min {
                face.distance(to: current[$0], frame.number) < face.distance(to: current[$1], frame.number)
            }
            if let nearest { uncovered.insert(nearest) }
        }
        for index in current.indices where !uncovered.contains(index) {
            guard let box = current[index].track.box(in: frame.number) else { continue }
            try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &frame.pixels)
            isCovered = true
            if !current[index].isCovered { coveredCount += 1 }
            current[index].isCovered = true
        }
        for instance in chosen {
            try FaceCover(instance.face).draw(style, in: &frame.pixels)
            isCovered = true
        }
        return isCovered
    }
}

extension FaceInstance {
    fileprivate func distance(to current: (track: FaceBoxTracker.Track, isCovered: Bool), _ frame: Int) -> Float {
        current.track.box(in: frame).map { (face.box.center - $0.center).length } ?? .infinity
    }
}
