import FaceGeometry
import Masks

/// Several masks for the faces of one picture.
package struct MaskTurns: Sendable {
    /// At least one: those of the faces from left to right, and again from the first if there are more faces.
    private let masks: [Mask]
    /// Those of people who are recognised, by their names.
    private let byPerson: [String: Mask]

    package init?(_ masks: [Mask], byPerson: [String: Mask]) {
        if masks.isEmpty { return nil }
        (self.masks, self.byPerson) = (masks, byPerson)
    }

    /// The masks of faces, in the same order.
    func masks(of faces: [FaceInstance]) -> [Mask] {
        let centres = faces.map(\.face.box.center.x)
        let fromLeft = faces.indices.sorted { (centres[$0], $0) < (centres[$1], $1) }
        var result = Array(repeating: masks[0], count: faces.count)
        for (turn, index) in fromLeft.enumerated() { result[index] = masks[turn % masks.count] }
        for (index, face) in faces.enumerated() {
            if case .person(let name) = face.identity, let mask = byPerson[name] { result[index] = mask }
        }
        return result
    }

    var followsGaze: Bool { (masks + byPerson.values).contains(where: \.followsGaze) }
}
