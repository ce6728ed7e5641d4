import FaceGeometry

extension OcclusionMatte {
    /// Masks reach so far beyond the outline of a face, in its widths.
    private static let reach: Float = 0.1

    /// Keeps what is in front of one face from uncovering another: where a mask of another face may be, only what is in front of
    /// that one, too, is shown.
    /// - Parameters:
    ///   - mattes: by track ID.
    ///   - faces: all that wear masks, also those without a matte.
    package static func spareNeighbours(_ mattes: inout [Int: OcclusionMatte], _ faces: [FaceInstance]) {
        guard faces.count > 1, !mattes.isEmpty else { return }
        let all = mattes
        for face in faces {
            let vertices = face.face.vertices
            let margin = reach * face.width
            let (outline, box) = (ConvexOutline(around: vertices), FaceBox(around: vertices).grown(by: margin))
            for (identifier, matte) in all where identifier != face.trackID {
                guard matte.box.intersection(box) != nil else { continue }
                mattes[identifier] = mattes[identifier]?.limited(to: all[face.trackID]) {
                    outline.distance(of: $0) < margin
                }
            }
        }
    }

    /// - Parameters:
    ///   - other: the most that is shown; nil: nothing is.
    ///   - area: where that holds, in pixels of the picture.
    private func limited(to other: OcclusionMatte?, in area: (Point) -> Bool) -> OcclusionMatte {
        let step = Point(box.width / Float(width), box.height / Float(height))
        var alpha = alpha
        for index in alpha.indices where alpha[index] > 0 {
            let cell = Point(Float(index % width), Float(index / width)) + 0.5
            let place = Point(box.x, box.y) + cell * step
            if area(place) { alpha[index] = min(alpha[index], other?.interpolated(at: place) ?? 0) }
        }
        return OcclusionMatte(box: box, width: width, height: height, alpha: alpha)
    }
}
