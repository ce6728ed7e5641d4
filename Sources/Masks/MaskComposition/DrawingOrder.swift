import FaceGeometry

/// The order in which faces are drawn: the nearest one last, so that what it wears is in front of the others. A larger face
/// counts as nearer, and of faces of about one size the lower one: people in the back row look over those in the front.
struct DrawingOrder {
    /// The track IDs of the picture before, in drawing order.
    private var before: [Int] = []
    /// Two faces of a stream change places when the farther one seems nearer by this ratio: measured sizes tremble.
    private static let ratio: Float = 1.1
    /// A face that is one face width lower counts as larger by this part.
    private static let weightOfHeight: Float = 0.1

    /// Insertion sorts: they need no memory, and faces are few.
    /// - Parameter isStream: whether the faces may be those of the picture before.
    mutating func sort(_ faces: inout [MaskedFace], isStream: Bool) {
        if !isStream { forget() }
        // Those of the picture before, in their order; then new ones.
        Self.sort(&faces) { (before.firstIndex(of: $0.trackID) ?? .max) < (before.firstIndex(of: $1.trackID) ?? .max) }
        Self.sort(&faces) { face, other in
            let areKnown = before.contains(face.trackID) && before.contains(other.trackID)
            return Self.seemsNearer(other, than: face, by: areKnown ? Self.ratio : 1)
        }
        guard isStream else { return }
        before.removeAll(keepingCapacity: true)
        for face in faces { before.append(face.trackID) }
    }

    /// The next picture shows another scene.
    mutating func forget() { before.removeAll(keepingCapacity: true) }

    private static func sort(_ faces: inout [MaskedFace], _ isFarther: (MaskedFace, MaskedFace) -> Bool) {
        for index in faces.indices {
            var place = index
            while place > 0, isFarther(faces[place], faces[place - 1]) {
                faces.swapAt(place, place - 1)
                place -= 1
            }
        }
    }

    private static func seemsNearer(_ face: MaskedFace, than other: MaskedFace, by ratio: Float) -> Bool {
        // Who was lost a moment ago may be gone.
        guard face.instance.isSeen == other.instance.isSeen else { return face.instance.isSeen }
        let (own, others) = (nearness(of: face), nearness(of: other))
        return own == others * ratio ? face.trackID > other.trackID : own > others * ratio
    }

    /// In pixels of the picture.
    private static func nearness(of face: MaskedFace) -> Float {
        let nearness = face.box.faceSize + weightOfHeight * face.box.center.y
        return nearness.isFinite ? nearness : 0
    }
}

extension FaceBox {
    /// About the width of the face seen from the front, in pixels: its height does not shrink when the head turns.
    var faceSize: Float { 0.75 * max(width, height) }
}
