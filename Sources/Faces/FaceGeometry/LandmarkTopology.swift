/// Describes a scheme of facial landmarks: which point is what, which points mirror each other, and how much each point
/// counts when a head is fitted.
///
/// Everything outside a landmark model names points through this description, so masks, light, deformation and
/// expressions do not depend on the order or the number of points. `Landmarks.topology` is the scheme that the whole
/// program uses; a model with other points of its own maps them to it (see `LandmarkModel`).
///
/// Indices below `count` are landmarks. The mesh continues with the head points: `count..<vertexCount`, in the order of
/// `HeadPoint.allCases`. "Right" and "left" are the subject's own. Positions and depths of all vertices are in
/// `ReferenceFace`.
///
/// A class only to make copies cheap; it is immutable.
package final class LandmarkTopology: Sendable {
    package let name: String
    /// Number of landmarks.
    package let count: Int
    /// Number of vertices of the mesh: landmarks and head points.
    package var vertexCount: Int { mirrored.count }

    // MARK: Regions

    /// From the subject's right ear over the chin to the left ear; an odd number of points.
    package let jaw: [Int]
    /// From the outer to the inner end.
    package let rightBrow: [Int]
    /// From the inner to the outer end.
    package let leftBrow: [Int]
    /// From the root of the nose down to the tip.
    package let noseBridge: [Int]
    /// From the right wing of the nose to the left wing; an odd number of points.
    package let nostrils: [Int]
    package let rightEye: Contour
    package let leftEye: Contour
    package let outerLips: Contour
    package let innerLips: Contour

    /// Right brow, then left brow.
    package let brows: [Int]
    /// Outer, then inner lips.
    package let lips: [Int]
    /// Brows, eyes and lips: a triangle between three of these points shows hair, an eye or a lip and not skin.
    package let features: Set<Int>
    /// All landmarks but the jaw line.
    package let inner: [Int]

    // MARK: Points

    package var rightEar: Int { jaw[0] }
    package var leftEar: Int { jaw[jaw.count - 1] }
    package var chin: Int { jaw[jaw.count / 2] }
    package var noseRoot: Int { noseBridge[0] }
    package var noseTip: Int { noseBridge[noseBridge.count - 1] }
    package var rightWing: Int { nostrils[0] }
    package var leftWing: Int { nostrils[nostrils.count - 1] }
    /// Below the tip, between the nostrils.
    package var noseBase: Int { nostrils[nostrils.count / 2] }
    package var rightEyeOuterCorner: Int { rightEye.right }
    package var rightEyeInnerCorner: Int { rightEye.left }
    package var leftEyeInnerCorner: Int { leftEye.right }
    package var leftEyeOuterCorner: Int { leftEye.left }
    package var upperLipCenter: Int { outerLips.upper[outerLips.upper.count / 2] }
    package var lowerLipCenter: Int { outerLips.lower[outerLips.lower.count / 2] }
    /// The lower edge of the upper lip.
    package var upperLipInnerCenter: Int { innerLips.upper[innerLips.upper.count / 2] }
    /// The upper edge of the lower lip.
    package var lowerLipInnerCenter: Int { innerLips.lower[innerLips.lower.count / 2] }

    // MARK: Symmetry and weights

    /// For each vertex of the mesh, the vertex that takes its place in a mirrored picture. A landmark that belongs to no
    /// region is its own mirror image.
    package let mirrored: [Int]
    /// Weights of the landmarks when an `AffineCamera` is fitted: high for points that move with the skull.
    package let cameraWeights: [Double]
    /// Weights of the landmarks when the motion of the whole head is estimated: 1 for the ends of the jaw line, the nose
    /// and the eyes, 0 for points that facial muscles move.
    package let rigidWeights: [Float]
    /// The landmarks whose residuals of a camera fit are carried on to the head points.
    package let headPointAnchors: [Int]
    /// For each vertex of the mesh, whether it is on the jaw line.
    private let jawFlags: [Bool]

    package init(
        name: String, count: Int, jaw: [Int], rightBrow: [Int], leftBrow: [Int], noseBridge: [Int], nostrils: [Int],
        rightEye: Contour, leftEye: Contour, outerLips: Contour, innerLips: Contour
    ) {
        self.name = name
        self.count = count
        self.jaw = jaw
        self.rightBrow = rightBrow
        self.leftBrow = leftBrow
        self.noseBridge = noseBridge
        self.nostrils = nostrils
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.outerLips = outerLips
        self.innerLips = innerLips
        brows = rightBrow + leftBrow
        lips = outerLips.outline + innerLips.outline
        features = Set(brows + rightEye.outline + leftEye.outline + lips)
        inner = (0..<count).filter { !jaw.contains($0) }
        headPointAnchors = [jaw[0], jaw[jaw.count - 1], noseBridge[0], rightEye.right, leftEye.left]
        jawFlags = (0..<count + HeadPoint.allCases.count).map { jaw.contains($0) }
        let soft = Set(jaw + brows + lips)
        cameraWeights = (0..<count).map { index in
            soft.contains(index) ? (index == jaw[0] || index == jaw[jaw.count - 1] ? 0.3 : 0.1) : 1
        }
        let rigid = Set(
            [Array(jaw.prefix(3)), Array(jaw.suffix(3)), noseBridge, nostrils, rightEye.outline, leftEye.outline]
                .joined())
        rigidWeights = (0..<count).map { rigid.contains($0) ? 1 : 0 }
        mirrored = Self.mirrored(
            count: count,
            regions: [
                (jaw, jaw), (rightBrow, leftBrow), (nostrils, nostrils), (rightEye.upper, leftEye.upper),
                (rightEye.lower, leftEye.lower), (outerLips.upper, outerLips.upper),
                (outerLips.lower, outerLips.lower), (innerLips.upper, innerLips.upper),
                (innerLips.lower, innerLips.lower),
            ])
    }

    /// - Parameter regions: pairs of index lists, the second of which read backwards mirrors the first.
    private static func mirrored(count: Int, regions: [(right: [Int], left: [Int])]) -> [Int] {
        var result = Array(0..<count) + HeadPoint.allCases.map { count + $0.mirrored.rawValue }
        for (right, left) in regions {
            for (a, b) in zip(right, left.reversed()) {
                result[a] = b
                result[b] = a
            }
        }
        return result
    }

    // MARK: Queries

    package func isOnJaw(_ vertex: Int) -> Bool { jawFlags[vertex] }
    package func isHeadPoint(_ vertex: Int) -> Bool { vertex >= count }
    /// Whether a landmark is a corner of an eye or lies on a lid.
    package func isOnEye(_ landmark: Int) -> Bool {
        rightEye.outline.contains(landmark) || leftEye.outline.contains(landmark)
    }
    /// Whether a vertex can lie on the outline of the face in a picture: the jaw line and the head points.
    package func isOnOutline(_ vertex: Int) -> Bool { isOnJaw(vertex) || isHeadPoint(vertex) }

    /// The distance between the ears of a face whose landmarks (or vertices) these are, in their unit.
    package func faceWidth(_ points: [Point]) -> Float { (points[leftEar] - points[rightEar]).length }

    package func faceWidth(_ landmarks: Landmarks) -> Float { (landmarks[leftEar] - landmarks[rightEar]).length }

    /// How far along the jaw line a point lies from the chin: 0 at the chin, 1 at either ear.
    /// - Parameter place: an index into `jaw`.
    package func distanceFromChin(jawPlace place: Int) -> Float {
        Float(abs(place - jaw.count / 2)) / Float(jaw.count / 2)
    }
}

extension LandmarkTopology {
    /// A closed line around an eye or the lips: two edges with common ends.
    package struct Contour: Sendable {
        /// From the subject's right end to the left end (left to right in a picture), both ends included.
        package let upper: [Int]
        package let lower: [Int]
        /// All points once, clockwise in a picture from the right end.
        package let outline: [Int]
        /// The points between the ends that face each other, from right to left.
        package let pairs: [Pair]

        package struct Pair: Sendable {
            package let upper: Int
            package let lower: Int
        }

        package init(upper: [Int], lower: [Int]) {
            precondition(upper.count == lower.count && upper.first == lower.first && upper.last == lower.last)
            self.upper = upper
            self.lower = lower
            outline = upper + lower.dropFirst().dropLast().reversed()
            pairs = zip(upper, lower).dropFirst().dropLast().map { Pair(upper: $0, lower: $1) }
        }

        /// The end at the subject's right.
        package var right: Int { upper[0] }
        /// The end at the subject's left.
        package var left: Int { upper[upper.count - 1] }
    }
}

extension LandmarkTopology: Equatable {
    package static func == (a: LandmarkTopology, b: LandmarkTopology) -> Bool { a === b }
}
