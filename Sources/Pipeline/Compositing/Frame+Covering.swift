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
        // Of two boxes around one face only the nearer one is spared. The other one covers her, too, where they overlap.
        var spared: Set<Int> = []
        for face in faces where !chosenFaces.contains(where: { $0.trackID == face.trackID }) {
            let place = OrientedBox(face.face.box).nearest(of: places, without: spared)
            if let place { spared.insert(place) }
        }
        for (index, box) in places.enumerated() where !spared.contains(index) {
            try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &pixels)
        }
        for instance in chosenFaces { try FaceCover(instance.face).draw(style, in: &pixels) }
    }
}
