import FaceGeometry

/// Moves the vertices of the mesh by named controls.
package struct Deformation: Equatable, Sendable {
    /// The parts that can be deformed. Strengths range from −1 to 1; 0 changes nothing. The comments name −1, then 1.
    package enum Control: String, CaseIterable, Sendable {
        /// Smaller, larger.
        case eyes, nose, mouth, forehead
        /// Narrower, wider.
        case chin, cheeks
        /// Sad, smiling.
        case smile
        /// Lowered, raised.
        case brows
        /// Lifted, sagging: jowls, corners of mouth and eyes, the tip of the nose, and thinner lips.
        case sag
    }

    package var strengths: [Control: AnimatableValue]
    /// Whether it takes back what it would move: after the same deformation, layers are where they were before it.
    package var isTakenBack = false

    package init(_ strengths: [Control: AnimatableValue]) { self.strengths = strengths }

    /// Always in one order, so that a sum is reproducible to the bit.
    private static let controls = Control.allCases

    /// - Parameter result: gets the displacement of each vertex of the reference face, in canonical UV; empty before.
    package func displacements(
        of reference: ReferenceFace, signals: ExpressionSignals, into result: inout [Point]
    ) {
        for _ in reference.vertices { result.append(.zero) }
        for control in Self.controls {
            guard let strength = strengths[control] else { continue }
            let value = min(1, max(-1, strength.value(signals)))
            if value != 0 { Self.add(control, value, to: &result, reference) }
        }
        if isTakenBack { for index in result.indices { result[index] = -1 * result[index] } }
    }

    private static func add(_ control: Control, _ value: Float, to result: inout [Point], _ reference: ReferenceFace) {
        let (vertices, landmarks, topology) = (reference.vertices, reference.landmarks, Landmarks.topology)
        func grow(_ indices: ArraySlice<Int>, about center: Point, by factor: Float) {
            for index in indices { result[index] += value * factor * (vertices[index] - center) }
        }
        func widenJaw(by factor: Float, _ weight: (_ distance: Float) -> Float) {
            let center = landmarks[topology.chin].x
            for (place, index) in topology.jaw.enumerated() {
                let weight = weight(topology.distanceFromChin(jawPlace: place))
                if weight > 0 { result[index] += Point(factor * value * weight * (vertices[index].x - center), 0) }
            }
        }
        switch control {
        case .eyes:
            func growEye(_ eye: [Int]) { grow(eye[...], about: landmarks.center(of: eye), by: 0.38) }
            growEye(topology.rightEye.outline)
            growEye(topology.leftEye.outline)
            // The brows make room.
            for index in topology.brows { result[index] += Point(0, -0.012 * value) }
        case .nose:
            // The two upper points of the bridge stay.
            let center = landmarks[topology.noseBridge[1]]
            grow(topology.noseBridge.dropFirst(2), about: center, by: 0.32)
            grow(topology.nostrils[...], about: center, by: 0.32)
        case .mouth:
            grow(topology.lips[...], about: landmarks.center(of: topology.outerLips.outline), by: 0.28)
        case .forehead:
            for headPoint in topology.count..<topology.vertexCount {
                let rise = max(0, landmarks[topology.noseRoot].y - vertices[headPoint].y)
                result[headPoint] += Point(0, -0.22 * value * rise)
            }
        case .chin:
            // Fades out three quarters of the way to the ears.
            widenJaw(by: 0.36) { 1 - $0 / 0.75 }
        case .cheeks:
            // Strongest halfway to the ears; the upper quarter of the jaw line stays.
            widenJaw(by: 0.16) { $0 > 0.75 ? 0 : 1 - abs($0 - 0.5) / 0.5 }
        case .smile:
            let (outer, inner) = (topology.outerLips, topology.innerLips)
            func pull(_ a: Int, _ b: Int, _ offset: Point) {
                result[a] += value * offset
                result[b] += value * offset
            }
            pull(outer.right, inner.right, Point(-0.030, -0.034))
            pull(outer.left, inner.left, Point(0.030, -0.034))
            if let right = outer.pairs.first, let left = outer.pairs.last {
                pull(right.upper, right.lower, Point(-0.014, -0.014))
                pull(left.upper, left.lower, Point(0.014, -0.014))
            }
        case .brows:
            for index in topology.brows { result[index] += Point(0, -0.034 * value) }
        case .sag: sag(value, &result, topology)
        }
    }

    /// What gravity does to a face in eighty years. Lids move together, so that no closed eye folds.
    private static func sag(_ value: Float, _ result: inout [Point], _ topology: LandmarkTopology) {
        func pull(_ right: Int, _ offset: Point) {
            result[right] += value * offset
            let left = topology.mirrored[right]
            if left != right { result[left] += value * Point(-offset.x, offset.y) }
        }
        // Jowls hang beside the chin, which stays.
        for (place, index) in topology.jaw.prefix(topology.jaw.count / 2).enumerated() {
            let distance = topology.distanceFromChin(jawPlace: place)
            let weight = max(0, 1 - abs(distance - 0.42) / 0.36)
            pull(index, weight * Point(-0.020, 0.022))
        }
        pull(topology.outerLips.right, Point(-0.002, 0.020))
        pull(topology.innerLips.right, Point(-0.002, 0.018))
        for pair in topology.outerLips.pairs {
            result[pair.upper] += value * Point(0, 0.007)
            result[pair.lower] += value * Point(0, -0.007)
        }
        pull(topology.noseTip, Point(0, 0.012))
        for index in topology.nostrils.prefix(topology.nostrils.count / 2) { pull(index, Point(-0.006, 0.010)) }
        pull(topology.noseBase, Point(0, 0.012))
        for (place, index) in topology.rightBrow.enumerated() {
            let outwards = 1 - Float(place) / Float(topology.rightBrow.count - 1)
            pull(index, Point(0, 0.006 + 0.014 * outwards))
        }
        pull(topology.rightEyeOuterCorner, Point(0, 0.014))
        if let outer = topology.rightEye.pairs.first {
            pull(outer.upper, Point(0, 0.009))
            pull(outer.lower, Point(0, 0.009))
        }
    }
}
