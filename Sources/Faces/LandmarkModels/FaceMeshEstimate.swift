import FaceGeometry
import Glibc

/// The result of the mesh network in one region of a picture.
package struct FaceMeshEstimate {
    /// In pixels.
    package let landmarks: Landmarks
    /// In pixels.
    let headPoints: HeadPoints
    /// The region in which the next evaluation should look: the square around all vertices, 1.5 times as large, turned
    /// with the eyes.
    let region: OrientedBox
    /// How sure the network is that there is a face, 0…1: above 0.9 on nearly every face, below 0.05 elsewhere.
    let presence: Float

    /// Whether eyes and lips come from `AttentionNetwork`.
    let isRefined: Bool

    /// The weight of the mesh in lips that attention has found: both together tremble less, and are nearly as exact.
    private static let meshShareOfLips: Float = 0.25
    /// MediaPipe's factor.
    static let regionScale: Float = 1.5
    /// The side of a region, in sides of a box in dlib's convention around the same face; measured on the faces to which
    /// the mapping was fitted. The centres coincide.
    static let regionInBoxes: Float = 1.61

    /// On the scale of `Face.uncertainty`.
    var uncertainty: Float { 0.1 * (1 - presence) }

    /// - Parameters:
    ///   - vertices: x, y and depth of each vertex, in pixels of the network's input.
    ///   - refined: the same with eyes and lips from `AttentionNetwork`; nil: it has not been asked.
    ///   - region: the region that the input shows.
    ///   - side: of the input.
    ///   - presence: before the logistic function.
    /// - Returns: nil when a number is not finite.
    init?(
        vertices: UnsafeBufferPointer<Float>, refined: UnsafeBufferPointer<Float>?, region: OrientedBox, side: Float,
        presence: Float
    ) {
        guard presence.isFinite, vertices.allSatisfy(\.isFinite), refined?.allSatisfy(\.isFinite) != false else {
            return nil
        }
        let (origin, across, down) = (region.origin, region.across / side, region.down / side)
        func place(_ index: Int, _ vertices: UnsafeBufferPointer<Float>) -> Point {
            origin + vertices[3 * index] * across + vertices[3 * index + 1] * down
        }
        func vertex(_ index: Int) -> Point { place(index, vertices) }
        func point(_ terms: [FaceMeshMapping.Term], _ vertices: UnsafeBufferPointer<Float>) -> Point {
            terms.reduce(Point.zero) { $0 + $1.weight * place($1.vertex, vertices) }
        }
        let points = Landmarks.Storage { index in
            let terms = FaceMeshMapping.landmarks[index]
            let topology = Landmarks.topology
            let isLip = topology.lips.contains(index)
            guard let refined, isLip || topology.isOnEye(index) else { return point(terms, vertices) }
            if let lid = FaceMeshMapping.lids[index] { return place(lid, refined) }
            let exact = point(terms, refined)
            return isLip ? exact + Self.meshShareOfLips * (point(terms, vertices) - exact) : exact
        }
        guard let found = Landmarks(points) else { return nil }
        let eyes = vertex(FaceMeshMapping.leftEye) - vertex(FaceMeshMapping.rightEye)
        let roll = atan2(eyes.y, eyes.x)
        let right = -Point(cos(roll), sin(roll))
        landmarks = Self.withOutline(found, vertex, right: right)
        headPoints = Self.onHead(
            HeadPoints { point(FaceMeshMapping.headPoints[$0.rawValue], vertices) }, vertex, right: right)
        self.region = Self.square(around: vertex, roll: roll)
        self.presence = 1 / (1 + exp(-presence))
        isRefined = refined != nil
    }

    private static func square(around vertex: (Int) -> Point, roll: Float) -> OrientedBox {
        let (c, s) = (cos(roll), sin(roll))
        var low = Point(repeating: .infinity)
        var high = Point(repeating: -.infinity)
        for index in 0..<FaceMeshMapping.vertexCount {
            let place = vertex(index)
            let upright = Point(c * place.x + s * place.y, -s * place.x + c * place.y)
            low = pointwiseMin(low, upright)
            high = pointwiseMax(high, upright)
        }
        let center = (low + high) / 2
        return OrientedBox(
            center: Point(c * center.x - s * center.y, s * center.x + c * center.y),
            side: max(high.x - low.x, high.y - low.y) * regionScale, roll: roll)
    }
}

extension OrientedBox {
    /// The region of the mesh network for a box in dlib's convention.
    var meshRegion: OrientedBox { scaled(by: FaceMeshEstimate.regionInBoxes) }
}
