import FaceGeometry

/// What a person has put right of the faces that `FaceBoxTracker` found in a clip.
package struct FaceBoxCorrections: Equatable, Sendable {
    /// A face in one frame.
    package struct Place: Equatable, Sendable {
        /// Counted from 0.
        package let frame: Int
        /// In pixels of the frame, in the convention of dlib's detector.
        package let box: OrientedBox

        package init(frame: Int, box: OrientedBox) { (self.frame, self.box) = (frame, box) }
    }

    /// Faces that were not found. They are tracked from there, forward and backward, as if they had been, and covered whatever
    /// else is said of their tracks.
    package var added: [Place]
    /// Faces that were found in an earlier search, and are tracked although this one may not find them.
    package var confirmed: [Place]
    /// Places of tracks that are none, or that stay uncovered.
    package var removed: [Place]

    package init(added: [Place] = [], confirmed: [Place] = [], removed: [Place] = []) {
        (self.added, self.confirmed, self.removed) = (added, confirmed, removed)
    }

    /// What a person has seen in a frame, in pixels of the picture for flow.
    /// - Parameter scale: pixels of the frame for a pixel of that.
    func sightings(in frame: Int, scale: Float) -> [FaceBoxTracks.Sighting] {
        func sightings(_ places: [Place], _ origin: FaceBoxTracks.Sighting.Origin) -> [FaceBoxTracks.Sighting] {
            places.filter { $0.frame == frame }.map { place in
                let box = OrientedBox(center: place.box.center / scale, side: place.box.side / scale, roll: 0)
                return FaceBoxTracks.Sighting(box: box, score: 1, origin: origin)
            }
        }
        return sightings(confirmed, .confirmed) + sightings(added, .added)
    }

    /// The tracks that no place in `removed` names. Each place names the nearest track that is around the same face there, up to
    /// the cuts: beyond, its boxes may cover somebody else.
    /// - Returns: also how many places name one.
    package func remaining(_ tracks: [FaceBoxTracker.Track]) -> (tracks: [FaceBoxTracker.Track], uncovered: Int) {
        var (tracks, uncovered) = (tracks, 0)
        for place in removed {
            let boxes = tracks.map { $0.isAdded ? nil : $0.box(in: place.frame) }
            if let nearest = place.box.nearest(of: boxes) {
                tracks.replaceSubrange(nearest...nearest, with: tracks[nearest].parts(without: place.frame))
                uncovered += 1
            }
        }
        return (tracks.sorted { $0.first < $1.first }, uncovered)
    }
}
