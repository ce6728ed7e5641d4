/// The centres of the subject's right and left pupil, in pixels.
package struct Pupils: Equatable, Sendable {
    package var right: Point
    package var left: Point

    package init(right: Point, left: Point) {
        self.right = right
        self.left = left
    }
}

/// Where a pupil is in its eye: its distance from where it rests while the eye looks straight ahead, in widths of the
/// eye on the reference face; x to the subject's left, y down. Independent of the place, size and pose of the head.
package struct EyeOffset: Equatable, Sendable {
    package var offset: Point

    package init(_ offset: Point) { self.offset = offset }

    /// How far a pupil is in front of the line between the corners of its eye, in widths of the reference face: on a
    /// turned head it moves over that line. About 7 mm of 140.
    private static let protrusion: Float = 0.05
    /// An eye that looks aside by 30° moves its pupil by half of the eyeball's radius of 12 mm: a fifth of the distance
    /// between the eye's corners.
    private static let lookingAside: Float = 0.2

    /// - Parameters:
    ///   - pupil: in pixels.
    ///   - eye: of the face.
    /// - Returns: nil where the face is seen so much from the side that it cannot be computed.
    package init?(pupil: Point, of eye: LandmarkTopology.Contour, face: Face, reference: ReferenceFace) {
        let distance = pupil - Self.rest(of: eye, face: face, reference: reference)
        guard let offset = face.camera.referenceOffset(distance) else { return nil }
        self.offset = offset / Self.width(of: eye, reference)
    }

    /// The pupil's place in a picture, in pixels.
    package func pupil(of eye: LandmarkTopology.Contour, face: Face, reference: ReferenceFace) -> Point {
        Self.rest(of: eye, face: face, reference: reference)
            + face.camera.direction(offset * Self.width(of: eye, reference))
    }

    /// −1 to 1: 1 is 30° to the subject's left.
    package var turn: Float { min(1, max(-1, offset.x / Self.lookingAside)) }
    /// −1 to 1: 1 is 30° up.
    package var nod: Float { min(1, max(-1, -offset.y / Self.lookingAside)) }

    /// Where the pupil is when the eye looks straight ahead. The corners of an eye stay where they are when its lids
    /// close.
    private static func rest(of eye: LandmarkTopology.Contour, face: Face, reference: ReferenceFace) -> Point {
        let corners = [eye.right, eye.left]
        let rise = reference.landmarks.center(of: eye.outline) - reference.landmarks.center(of: corners)
        return face.landmarks.center(of: corners)
            + face.camera.direction(rise, depth: protrusion * reference.width)
    }

    private static func width(of eye: LandmarkTopology.Contour, _ reference: ReferenceFace) -> Float {
        (reference.landmarks[eye.left] - reference.landmarks[eye.right]).length
    }
}

extension FaceInstance {
    /// Sets the pupils and the signals of the gaze.
    /// - Parameters:
    ///   - right: of the subject's right eye.
    package mutating func look(right: EyeOffset, left: EyeOffset, reference: ReferenceFace) {
        let topology = Landmarks.topology
        face.pupils = Pupils(
            right: right.pupil(of: topology.rightEye, face: face, reference: reference),
            left: left.pupil(of: topology.leftEye, face: face, reference: reference))
        let mean = EyeOffset((right.offset + left.offset) / 2)
        signals[.gazeTurn] = mean.turn
        signals[.gazeNod] = mean.nod
        shapes.look(turn: mean.turn, nod: mean.nod)
    }
}
