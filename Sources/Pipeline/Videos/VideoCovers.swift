import Compositing
import FaceGeometry
import FaceTracking
import Pixels

/// Covers faces in each frame of a video, of which a first pass has found the boxes.
struct VideoCovers {
    /// What was done to a frame.
    struct Drawn {
        var isCovered = false
        /// Whose faces the covered boxes showed when they were last spared.
        var trackIDs: Set<Int> = []
    }

    /// How many tracks have been covered in some frame.
    private(set) var coveredCount = 0
    private let style: FaceCover.Style
    private let smallestFace: SmallestFace?
    /// In the order of their first frames. Those before `next` have begun.
    private let tracks: [FaceBoxTracker.Track]
    private var next = 0
    /// Those that have begun and not ended.
    private var current: [Current] = []

    private struct Current {
        let track: FaceBoxTracker.Track
        /// Whether it has been covered.
        var isCovered = false
        /// Of the face that it was last spared for.
        var trackID: Int?
    }

    /// - Parameters:
    ///   - tracks: in the order of their first frames.
    ///   - smallestFace: tracks whose boxes are all smaller are not covered.
    init(_ tracks: [FaceBoxTracker.Track], style: FaceCover.Style, smallestFace: SmallestFace?) {
        self.smallestFace = smallestFace
        self.tracks = tracks
        self.style = style
    }

    /// Takes notice of a frame on which nothing is drawn.
    mutating func follow(_ frame: borrowing Frame, sparing spared: [FaceInstance]) {
        _ = uncovered(in: frame.number, height: frame.pixels.height, spared)
    }

    /// Goes on to a frame. Frames come in the order of their numbers.
    /// - Returns: the current boxes that belong to spared faces.
    private mutating func uncovered(in number: Int, height: Int, _ spared: [FaceInstance]) -> Set<Int> {
        let smallest = Float(smallestFace?.pixels(ofHeight: height) ?? 0)
        while next < tracks.count, tracks[next].first <= number {
            if tracks[next].largestSide >= smallest { current.append(Current(track: tracks[next])) }
            next += 1
        }
        current.removeAll { $0.track.box(in: number) == nil }
        var uncovered: Set<Int> = []
        for face in spared {
            // Of two boxes only the nearer one is hers. The other one covers her, too, where they overlap. A box that a person
            // has marked to be covered is nobody's who is spared.
            let boxes = current.map { $0.track.isAdded ? nil : $0.track.box(in: number) }
            guard let nearest = OrientedBox(face.face.box).nearest(of: boxes, without: uncovered) else { continue }
            uncovered.insert(nearest)
            for index in current.indices where current[index].trackID == face.trackID { current[index].trackID = nil }
            current[nearest].trackID = face.trackID
        }
        return uncovered
    }

    /// Covers the boxes of a frame, but those of spared faces.
    mutating func draw(on frame: inout Frame, sparing spared: [FaceInstance]) throws(OutOfMemory) -> Drawn {
        let uncovered = uncovered(in: frame.number, height: frame.pixels.height, spared)
        var drawn = Drawn()
        for index in current.indices where !uncovered.contains(index) {
            guard let box = current[index].track.box(in: frame.number) else { continue }
            try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &frame.pixels)
            drawn.isCovered = true
            if let trackID = current[index].trackID { drawn.trackIDs.insert(trackID) }
            if !current[index].isCovered { coveredCount += 1 }
            current[index].isCovered = true
        }
        return drawn
    }
}
