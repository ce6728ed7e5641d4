/// A face in a picture: the value that passes from detection and tracking to masks.
package struct Face: Equatable, Sendable {
    /// The upright box of the face in the convention of dlib's detector: about square, from above the brows to below the
    /// lips; in pixels. In a photograph that another detector than MediaPipe's has searched it is the detector's own box.
    /// Otherwise it is computed from landmarks: the box in which dlib's detector would have seen them.
    package let box: FaceBox
    /// The score of the detector that found the face in this very picture, in the detector's own unit (networks: 0 to 1;
    /// dlib: distance from the decision boundary, above 0; clear faces reach 1 to 3). Nil where no detector looked.
    package let detectorScore: Double?
    /// How unsure the landmark model is that this is a face: below 0.02 on nearly every face, above 0.04 where none
    /// exists. The cascade: how far it contradicts itself, in sides of the box (docs/decisions/0009). The face mesh: (1
    /// − presence) / 10. Nil where it was not measured.
    package let uncertainty: Float?
    package let landmarks: Landmarks
    /// The camera that projects the reference face onto the landmarks, fitted once.
    package let camera: AffineCamera
    /// Measured by the landmark model where it can; otherwise derived from the landmarks and the camera.
    package var headPoints: HeadPoints
    package let pose: Pose
    /// Brows and lips, without the pose.
    package let shape: FaceShape
    /// Nil where they were not looked for, or not found.
    package var pupils: Pupils?

    /// - Parameters:
    ///   - box: nil: computed from the landmarks.
    ///   - headPoints: nil: derived from the landmarks and the camera.
    package init(
        landmarks: Landmarks, reference: ReferenceFace, box: FaceBox? = nil, detectorScore: Double? = nil,
        uncertainty: Float? = nil, headPoints: HeadPoints? = nil
    ) {
        self.box = box ?? FaceBox(OrientedBox(around: landmarks))
        self.detectorScore = detectorScore
        self.uncertainty = uncertainty
        self.landmarks = landmarks
        camera = AffineCamera(fitting: landmarks, to: reference)
        self.headPoints = headPoints ?? camera.headPoints(of: reference, landmarks: landmarks)
        pose = camera.pose
        shape = FaceShape(landmarks, camera, reference: reference)
    }

    /// The vertices of the mesh, in pixels: the landmarks, then the head points. A wing of the nose that the tip hides is
    /// moved to the edge of the nose, so that the mesh does not fold there.
    package var vertices: [Point] {
        var vertices: [Point] = []
        self.vertices(into: &vertices)
        return vertices
    }

    /// - Parameter vertices: gets the vertices of the mesh; its memory is kept.
    package func vertices(into vertices: inout [Point]) {
        vertices.removeAll(keepingCapacity: true)
        landmarks.append(to: &vertices)
        headPoints.append(to: &vertices)
        if landmarks.isMirrored { return }
        let topology = Landmarks.topology
        let aboveTip = topology.noseBridge[topology.noseBridge.count - 2]
        // The line along the nose has the wing on its right in the picture.
        func show(_ wing: Int, from: Int, to: Int) {
            let along = vertices[to] - vertices[from]
            let length = max((along * along).sum().squareRoot(), 1e-6)
            let right = Point(-along.y, along.x) / length
            let distance = ((vertices[wing] - vertices[from]) * right).sum()
            if distance < 0.02 * length { vertices[wing] += (0.02 * length - distance) * right }
        }
        show(topology.leftWing, from: topology.noseTip, to: aboveTip)
        show(topology.rightWing, from: aboveTip, to: topology.noseTip)
    }
}
