extension ReferenceFace {
    /// The vertices of a reference face, in canonical positions: a model's landmarks, averaged with their mirror images,
    /// and the head points.
    /// - Parameter shape: the model's mean shape, in fractions of its face box (0 to 1, y down).
    package static func vertices(fromMeanShape shape: [Point]) -> [Point] {
        let symmetric = Landmarks.topology.mirrored.prefix(Landmarks.count).enumerated().map { index, other in
            (shape[index] + Point(1 - shape[other].x, shape[other].y)) / 2
        }
        return symmetric.map(canonicalPosition) + headPointPositions
    }
}
