import FaceGeometry
import FaceTracking
import People
import Pixels

extension Frame {
    /// Covers all faces but those of people who may be seen, and sets `chosenFaces`; the whole picture if it may show faces that
    /// nobody has looked for.
    /// - Parameter people: nil: nobody may be seen.
    package mutating func coverFaces(_ style: FaceCover.Style, but people: PeopleCoverings?) throws(OutOfMemory) {
        let start = ContinuousClock.now
        defer { timings.composing = .now - start }
        chosenFaces = people?.covered(faces) ?? faces
        guard let places = placesOfFaces else {
            isBlurred = true
            pixels.makeUnrecognisable()
            return
        }
        var spared: Set<Int> = []
        for face in faces where !chosenFaces.contains(where: { $0.trackID == face.trackID }) {
            if let place = face.nearest(of: places, without: spared) { spared.insert(place) }
        }
        for (index, box) in places.enumerated() where !spared.contains(index) {
            try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &pixels)
        }
        for instance in chosenFaces { try FaceCover(instance.face).draw(style, in: &pixels) }
    }
}

extension FaceInstance {
    /// Which of some boxes is around this face. Of two boxes only the nearer one is hers. The other one covers her, too, where
    /// they overlap.
    /// - Parameters:
    ///   - boxes: nil: one that is not there.
    ///   - taken: the indices of those that belong to others.
    package func nearest(of boxes: [OrientedBox?], without taken: Set<Int>) -> Int? {
        let near = boxes.indices.compactMap { index -> (index: Int, distance: Float)? in
            guard !taken.contains(index), let box = boxes[index], OrientedBox(face.box).isAroundSameFace(as: box)
            else { return nil }
            return (index, (face.box.center - box.center).length)
        }
        return near.min { $0.distance < $1.distance }?.index
    }
}
