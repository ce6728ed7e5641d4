import FaceGeometry
import Files

/// What was found in a recording by `FaceBoxTracker`. With it, the same recording need not be searched again, also when
/// somebody has put right what was found.
package struct FaceBoxSearch: Equatable, Sendable {
    /// A frame in which the detector looked for faces.
    package struct SearchedFrame: Equatable, Sendable {
        /// Counted from 0.
        package let number: Int
        /// Whether the search could find all faces, small ones included.
        package let isThorough: Bool
        package let faces: [Detection]

        package init(number: Int, isThorough: Bool, faces: [Detection]) {
            (self.number, self.isThorough, self.faces) = (number, isThorough, faces)
        }
    }

    /// What the detector has found, in pixels of the picture for flow and the convention of dlib's detector.
    package struct Detection: Equatable, Sendable {
        package let center: Point
        package let side: Float
        package let score: Float

        package init(center: Point, side: Float, score: Float) {
            (self.center, self.side, self.score) = (center, side, score)
        }
    }

    /// In the order of their numbers.
    package let frames: [SearchedFrame]
    /// Of all faces, also of those that somebody has uncovered, in the order of their first frames.
    package let tracks: [FaceBoxTracker.Track]
    /// Of all frames, in seconds.
    package let times: [Double]
    /// The marks that the tracks follow from.
    package let marks: FaceBoxCorrections.Marks

    package init(
        frames: [SearchedFrame], tracks: [FaceBoxTracker.Track], times: [Double], marks: FaceBoxCorrections.Marks
    ) {
        (self.frames, self.tracks, self.times, self.marks) = (frames, tracks, times, marks)
    }
}

extension FaceBoxCorrections {
    /// Tells marks that lead to other tracks apart, by checksums: equal marks have equal ones.
    package struct Marks: Equatable, Sendable {
        package let added: UInt64
        package let confirmed: UInt64

        package init(added: UInt64, confirmed: UInt64) { (self.added, self.confirmed) = (added, confirmed) }
    }

    package var marks: Marks { Marks(added: Self.checksum(added), confirmed: Self.checksum(confirmed)) }

    /// Files keep places with two decimals.
    private static func checksum(_ places: [Place]) -> UInt64 {
        Checksum.of(
            places.flatMap { place -> [UInt64] in
                let numbers = [place.box.center.x, place.box.center.y, place.box.side].map { number in
                    // 0 for what no file holds.
                    Int64(exactly: (Double(number) * 100).rounded()) ?? 0
                }
                return [UInt64(place.frame)] + numbers.map { UInt64(bitPattern: $0) }
            })
    }
}
