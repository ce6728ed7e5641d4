import FaceGeometry

/// Moves the mesh's vertices by named controls.
package struct Deformation: Equatable, Sendable {
    /// Each from −1 to 1; 0 leaves everything as it is.
    package enum Control: String, CaseIterable, Sendable {
        /// Smaller, larger.
        case eyes, nose, mouth, forehead
        /// Narrower, wider.
        case chin, cheeks
        /// Sad, smiling.
        case smile
        /// Lowered, raised.
        case brows
    }

    package var strengths: [Control: AnimatableValue]

    package init(_ strengths: [Control: AnimatableValue]) { self.strengths = strengths }

    /// How the reference face's vertices move, in its own units.
    package func displacements(of reference: ReferenceFace, signals: ExpressionSignals) -> [Point] {
        var result = [Point](repeating: .zero, count: reference.vertices.count)
        // In one order always, so that the sum is the same to the bit.
        for control in Control.allCases {
            guard let strength = strengths[control] else { continue }
            let value = min(1, max(-1, strength.value(signals)))
            if value != 0 { Self.add(control, value, to: &result, reference) }
        }
        return result
    }

    private static func add(_ control: Control, _ value: Float, to result: inout [Point], _ reference: ReferenceFace) {
        let vertices = reference.vertices
        let landmarks = reference.landmarks
        func grow(_ indices: some Sequence<Int>, about center: Point, by share: Float) {
            for index in indices { result[index] += value * share * (vertices[index] - center) }
        }
        switch control {
        case .eyes:
            let right = landmarks.center(of: Landmarks.rightEye)
            let left = landmarks.center(of: Landmarks.leftEye)
            grow(Landmarks.rightEye, about: right, by: 0.38)
            grow(Landmarks.leftEye, about: left, by: 0.38)
            // The brows make room.
            for index in 17..<27 { result[index] += Point(0, -0.012 * value) }
        case .nose:
            grow(29..<36, about: landmarks[28], by: 0.32)
        case .mouth:
            let center = landmarks.center(of: Landmarks.outerLips)
            grow(48..<68, about: center, by: 0.28)
        case .forehead:
            for headPoint in HeadPoint.allCases {
                let rise = max(0, landmarks[27].y - vertices[headPoint.vertex].y)
                result[headPoint.vertex] += Point(0, -0.22 * value * rise)
            }
        case .chin:
            // The lower jaw, most of all before the corners of the mouth.
            for index in 3...13 {
                let share = 1 - abs(Float(index) - 8) / 6
                result[index] += Point(0.36 * value * share * (vertices[index].x - landmarks[8].x), 0)
            }
        case .cheeks:
            for index in 2...14 {
                let share = 1 - abs(abs(Float(index) - 8) - 4) / 4
                result[index] += Point(0.16 * value * max(0, share) * (vertices[index].x - landmarks[8].x), 0)
            }
        case .smile:
            for (index, side) in [(48, Float(-1)), (60, -1), (54, 1), (64, 1)] {
                result[index] += value * Point(0.030 * side, -0.034)
            }
            for (index, side) in [(49, Float(-1)), (59, -1), (53, 1), (55, 1)] {
                result[index] += value * Point(0.014 * side, -0.014)
            }
        case .brows:
            for index in 17..<27 { result[index] += Point(0, -0.034 * value) }
        }
    }
}
