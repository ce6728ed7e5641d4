import FaceGeometry

extension FaceInstance {
    /// A face with fewer pixels from ear to ear shows too little of itself, and what is read beside it is too far from it.
    private static let smallestWidth: Float = 32

    /// Whether the face is large enough and seen, and its landmarks are those of a face. Those that are nowhere near a picture
    /// are not.
    var canBeLearnt: Bool { canBeLearnt(face.vertices) }

    /// - Parameter vertices: of its mesh.
    func canBeLearnt(_ vertices: [Point]) -> Bool {
        isSeen && isLargeEnough && vertices.allSatisfy { abs($0.x) < 1e5 && abs($0.y) < 1e5 }
    }

    var isLargeEnough: Bool { width >= Self.smallestWidth }

    /// From ear to ear, in pixels.
    var width: Float { Landmarks.topology.faceWidth(face.landmarks) }
}
