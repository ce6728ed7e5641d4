/// The mask of one face in a picture, as a person has chosen it.
package struct ChosenMask: Equatable, Sendable {
    /// A point of the face, as fractions of the picture's width and height.
    package var place: Point
    /// The mask's index among those that the faces of the picture wear in turn; nil: the face wears none.
    package var mask: Int?

    package init(place: Point, mask: Int?) { (self.place, self.mask) = (place, mask) }
}

/// Which of several masks each face of a picture wears: those of a row from left to right, unless somebody has chosen another
/// one for a face.
package struct MaskPlaces: Equatable, Sendable {
    /// Indices of masks, for the faces from left to right, and again from the first if there are more faces; at least one.
    private let order: [Int]
    private let chosen: [ChosenMask]
    /// Of the picture, in pixels.
    private let size: Point

    /// - Parameters:
    ///   - order: may be empty: all faces wear the first mask.
    ///   - size: of the picture, in pixels.
    package init(order: [Int], chosen: [ChosenMask] = [], in size: (width: Int, height: Int)) {
        (self.order, self.chosen) = (order.isEmpty ? [0] : order, chosen)
        self.size = Point(Float(size.width), Float(size.height))
    }

    /// The indices of boxes, from left to right.
    package static func fromLeft(_ boxes: [FaceBox]) -> [Int] {
        let centres = boxes.map(\.center.x)
        return boxes.indices.sorted { (centres[$0], $0) < (centres[$1], $1) }
    }

    /// The masks of faces, in the same order; nil: it wears none. A choice is for the face around its place, the nearest of
    /// several; the last choice for a face counts.
    /// - Parameter boxes: of the faces, in pixels.
    package func masks(of boxes: [FaceBox]) -> [Int?] {
        var result = [Int?](repeating: order[0], count: boxes.count)
        for (turn, index) in Self.fromLeft(boxes).enumerated() { result[index] = order[turn % order.count] }
        for choice in chosen {
            if let index = Self.face(at: choice.place * size, among: boxes) { result[index] = choice.mask }
        }
        return result
    }

    /// The index of the face at a point: the one whose box is around it, and of several the one with the nearest centre. Nil:
    /// no box contains the point.
    package static func face(at place: Point, among boxes: [FaceBox]) -> Int? {
        func distance(_ index: Int) -> Float {
            let step = boxes[index].center - place
            return (step * step).sum()
        }
        return boxes.indices.filter { boxes[$0].contains(place) }.min { distance($0) < distance($1) }
    }
}
