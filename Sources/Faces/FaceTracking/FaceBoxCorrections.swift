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

    /// Faces that were not found. They are tracked from there, forward and backward, as if they had been.
    package var added: [Place]
    /// Places of tracks that are none, or that stay uncovered.
    package var removed: [Place]

    package init(added: [Place] = [], removed: [Place] = []) { (self.added, self.removed) = (added, removed) }

    /// The tracks that no place in `removed` names. Each place names the nearest track that is around the same face there.
    func remaining(_ tracks: [FaceBoxTracker.Track]) -> [FaceBoxTracker.Track] {
        var tracks = tracks
        for place in removed {
            let near = tracks.indices.filter {
                tracks[$0].box(in: place.frame)?.isAroundSameFace(as: place.box) ?? false
            }
            let nearest = near.min {
                tracks[$0].distance(to: place) < tracks[$1].distance(to: place)
            }
            if let nearest { tracks.remove(at: nearest) }
        }
        return tracks
    }
}

extension FaceBoxTracker.Track {
    fileprivate func distance(to place: FaceBoxCorrections.Place) -> Float {
        box(in: place.frame).map { ($0.center - place.box.center).length } ?? .infinity
    }
}
