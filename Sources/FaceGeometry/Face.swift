/// An upright box in a picture, in pixels.
package struct FaceBox: Equatable, Sendable {
    package var x: Float
    package var y: Float
    package var width: Float
    package var height: Float

    package init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The smallest box around some points; empty at the origin when there are none.
    package init(around points: [Point]) {
        guard var low = points.first else {
            self.init(x: 0, y: 0, width: 0, height: 0)
            return
        }
        var high = low
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    package var area: Float { width * height }
    package var center: Point { Point(x + width / 2, y + height / 2) }
}

/// A face found in a picture: the one thing that passes from the tracker to the renderer.
package struct Face: Equatable, Sendable {
    /// Where the detector saw it.
    package var box: FaceBox
    /// The detector's confidence: the distance from its decision boundary.
    package var confidence: Double
    package var landmarks: Landmarks
    /// The points of the head that no detector finds.
    package var headPoints: HeadPoints
    package var pose: Pose

    package init(box: FaceBox, confidence: Double, landmarks: Landmarks, reference: ReferenceFace) {
        self.box = box
        self.confidence = confidence
        self.landmarks = landmarks
        let camera = AffineCamera(fitting: landmarks, to: reference)
        headPoints = camera.headPoints(of: reference, landmarks: landmarks)
        pose = camera.pose
    }

    /// The vertices of the mesh: the 68 landmarks, then the head points. A wing of the nose that the tip hides lies at the
    /// nose's edge, so that the mesh does not fold there.
    package var vertices: [Point] {
        var vertices = landmarks.points + headPoints.points
        if landmarks.isMirrored { return vertices }
        // (wing, and the nose's line such that the wing belongs to its right in the picture)
        for (wing, from, to) in [(35, 30, 29), (31, 29, 30)] {
            let along = vertices[to] - vertices[from]
            let length = max((along * along).sum().squareRoot(), 1e-6)
            let right = Point(-along.y, along.x) / length
            let distance = ((vertices[wing] - vertices[from]) * right).sum()
            if distance < 0.02 * length { vertices[wing] += (0.02 * length - distance) * right }
        }
        return vertices
    }
}
