import FaceGeometry
import Occlusion

/// Counts places of faces: those that something covers, and how many of them are shown; the others, and how many of them
/// are unmasked.
struct FaceShares: CustomStringConvertible {
    private(set) var (covered, shown, face, unmasked) = (0, 0, 0, 0)

    var description: String { "\(shown) of \(covered) shown, \(unmasked) of \(face) unmasked" }

    /// Three places of each triangle are enough.
    /// - Parameter isCovered: whether a pixel shows an occluder.
    mutating func count(
        _ instance: FaceInstance, _ matte: OcclusionMatte?, _ mesh: FaceMesh, isCovered: (Int, Int) -> Bool
    ) {
        let vertices = instance.face.vertices
        for triangle in mesh.triangles {
            for weights in [SIMD3<Float>(0.6, 0.2, 0.2), SIMD3(0.2, 0.6, 0.2), SIMD3(0.2, 0.2, 0.6)] {
                let place =
                    weights.x * vertices[triangle.a] + weights.y * vertices[triangle.b]
                    + weights.z * vertices[triangle.c]
                let isUnmasked = (matte?.value(at: place) ?? 0) > 0.5
                if isCovered(Int(place.x), Int(place.y)) {
                    covered += 1
                    shown += isUnmasked ? 1 : 0
                } else {
                    face += 1
                    unmasked += isUnmasked ? 1 : 0
                }
            }
        }
    }
}
