import FaceGeometry
import Masks

/// Several masks for the faces of one picture.
package struct MaskTurns: Sendable {
    private let masks: [Mask]
    private let places: MaskPlaces
    /// Those of people who are recognised, by their names.
    private let byPerson: [String: Mask]

    /// - Parameters:
    ///   - masks: all that `places` speaks of; at least one, or there are no turns.
    ///   - places: which of them the faces wear that are not recognised.
    package init?(_ masks: [Mask], places: MaskPlaces, byPerson: [String: Mask]) {
        if masks.isEmpty { return nil }
        (self.masks, self.places, self.byPerson) = (masks, places, byPerson)
    }

    /// The masks of faces, in the same order; nil: it wears none.
    func masks(of faces: [FaceInstance]) -> [Mask?] {
        var result = places.masks(of: faces.map(\.face.box)).map { $0.map { masks[$0] } }
        for (index, face) in faces.enumerated() {
            if case .person(let name) = face.identity, let mask = byPerson[name] { result[index] = mask }
        }
        return result
    }

    var followsGaze: Bool { (masks + byPerson.values).contains(where: \.followsGaze) }
}
