import FaceGeometry

/// Where the labels of faces are in a view: all in sight, and none over another where there is room. Places and sizes are in
/// the view's units.
package enum FaceLabels {
    /// A face in the view, and how large its labels are.
    package struct Face {
        let corner, size: Point
        let number, whole: Point

        /// - Parameters:
        ///   - corner: of its box, at the top left.
        ///   - size: of the box.
        ///   - number: the size of the label with the number alone.
        ///   - whole: that of the label with the name, too.
        package init(corner: Point, size: Point, number: Point, whole: Point) {
            (self.corner, self.size, self.number, self.whole) = (corner, size, number, whole)
        }

        /// Above the box, in it, or below it.
        fileprivate func label(_ size: Point, from least: Point, to most: Point) -> [Label] {
            [-size.y - 2, 2, self.size.y + 2].map { y in
                let wanted = corner + Point(0, y)
                return Label(place: pointwiseMax(least, pointwiseMin(wanted, most - size)), size: size)
            }
        }
    }

    package struct Label: Equatable {
        package let place, size: Point

        package func overlaps(_ other: Label) -> Bool {
            place.x < other.place.x + other.size.x && other.place.x < place.x + size.x
                && place.y < other.place.y + other.size.y && other.place.y < place.y + size.y
        }
    }

    /// - Parameters:
    ///   - size: of the view.
    ///   - margin: that labels keep from its edges.
    /// - Returns: for each face its label, and whether it has room for the name; nil: the face is out of sight.
    package static func arranged(
        _ faces: [Face], in size: Point, margin: Float = 4
    ) -> [(label: Label, isWhole: Bool)?] {
        let (least, most) = (Point(margin, margin), size - Point(margin, margin))
        let seen = faces.map { face in
            let end = face.corner + face.size
            return end.x > 0 && end.y > 0 && face.corner.x < size.x && face.corner.y < size.y
        }
        // Every number has its place before a name takes any.
        var taken: [Label?] = []
        for (face, isSeen) in zip(faces, seen) {
            let places = isSeen ? face.label(face.number, from: least, to: most) : []
            taken.append(places.first { place in !taken.contains { $0?.overlaps(place) ?? false } } ?? places.first)
        }
        return faces.indices.map { index in
            guard let number = taken[index] else { return nil }
            let others = taken.indices.filter { $0 != index }.compactMap { taken[$0] }
            let whole = faces[index].label(faces[index].whole, from: least, to: most).first { place in
                !others.contains { $0.overlaps(place) }
            }
            taken[index] = whole ?? number
            return (whole ?? number, whole != nil)
        }
    }

    /// The whole label of a face, over those of the others.
    package static func whole(_ face: Face, in size: Point, margin: Float = 4) -> Label {
        face.label(face.whole, from: Point(margin, margin), to: size - Point(margin, margin))[0]
    }
}
