import FaceGeometry

/// The points of a face that optical flow looks for in the next frame: its landmarks, then the points of its skin that are
/// easiest to follow.
struct FollowedPoints {
    typealias Values<Value> = InlineArray<644, Value>

    /// All arrays hold more; the rest has no meaning.
    private(set) var count = Landmarks.count
    /// In the frame before, in pixels.
    private(set) var before = Values<Point>(repeating: .zero)
    /// In the next frame, in pixels.
    private(set) var after = Values<Point>(repeating: .zero)
    /// Mean grey differences that are left; negative where a point could not be followed.
    private(set) var residuals = Values<Float>(repeating: -1)
    /// Of the points of the skin, which come after the landmarks.
    private(set) var places = Places(
        repeating: LandmarkMesh.Place(triangle: Triangle(0, 1, 2), weights: .zero))

    /// A patch of 128 pixels has 441 corners on a face, the others have fewer.
    typealias Places = InlineArray<576, LandmarkMesh.Place>

    /// - Parameters:
    ///   - face: the landmarks in the frame of `patch`, in pixels.
    ///   - start: where flow starts to look for the points.
    ///   - smallestCell: of the patch, in each of which a point is followed; its side in pixels of the patch.
    init(
        of face: Landmarks, from patch: FlowPatch, to next: FlowPatch, start: SimilarityTransform, mesh: LandmarkMesh,
        smallestCell: Int
    ) {
        var cornerValues = InlineArray<576, Point>(repeating: .zero)
        let cornerCount = patch.corners(on: face, smallestCell: smallestCell, &cornerValues)
        let corners = cornerValues.span
        // Spans: each access to an inline array that is a value of its own may copy it.
        var all = before.mutableSpan
        var allPlaces = places.mutableSpan
        for index in 0..<Landmarks.count { all[index] = face[index] }
        var count = Landmarks.count
        for index in 0..<cornerCount {
            guard let place = mesh.place(of: corners[index], on: all.span) else { continue }
            all[count] = corners[index]
            allPlaces[count - Landmarks.count] = place
            count += 1
        }
        self.count = count
        let points = before.span
        var found = after.mutableSpan
        for index in 0..<count { found[index] = start(points[index]) }
        patch.follow(before, count: count, into: next, moved: &after, residual: &residuals)
    }
}
