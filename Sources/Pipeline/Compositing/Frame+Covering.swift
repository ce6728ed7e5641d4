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
        guard case .known(let places) = facePlaces else { return hide() }
        let spared = faces.filter { face in !chosenFaces.contains { $0.trackID == face.trackID } }
        for box in Self.places(places, besides: spared) {
            try FaceCover(UnsureFace(box: box, score: 1)).draw(style, in: &pixels)
        }
        for instance in chosenFaces { try FaceCover(instance.face).draw(style, in: &pixels) }
    }

    /// Blurs the places of faces that are not tracked, such as profiles: no mask fits them, and nobody knows whose they are. The
    /// whole picture if they may be anywhere.
    package mutating func blurUntrackedFaces() throws(OutOfMemory) {
        let start = ContinuousClock.now
        defer { timings.composing += .now - start }
        if isBlurred { return }
        switch facePlaces {
        case .notSought: break
        case .unknown: hide()
        case .known(let places):
            for box in Self.places(places, besides: faces) {
                try FaceCover(UnsureFace(box: box, score: 1)).draw(.blur, in: &pixels)
            }
        }
    }

    /// Makes the whole picture unrecognisable.
    package mutating func hide() {
        isBlurred = true
        pixels.makeUnrecognisable()
    }

    /// The places that are around none of the faces. Of two around one face only the nearer one is hers: the other one is
    /// somebody else's, also where they overlap.
    private static func places(_ places: [OrientedBox], besides faces: [FaceInstance]) -> [OrientedBox] {
        var taken: Set<Int> = []
        for face in faces {
            if let place = OrientedBox(face.face.box).nearest(of: places, without: taken) { taken.insert(place) }
        }
        return places.indices.filter { !taken.contains($0) }.map { places[$0] }
    }
}
