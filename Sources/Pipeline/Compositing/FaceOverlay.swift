import FaceGeometry
import Pixels

/// Draws what was found of a face over it, for inspection: lines whose width depends on the face's size.
package struct FaceOverlay {
    package enum Part: String, CaseIterable, Sendable {
        case landmarks
        case mesh
        case boxes
    }

    private let face: Face
    private let mesh: FaceMesh

    package init(face: Face, mesh: FaceMesh) {
        self.face = face
        self.mesh = mesh
    }

    private static let landmarkColor = SIMD4<UInt8>(0, 255, 120, 255)
    private static let headPointColor = SIMD4<UInt8>(255, 200, 0, 255)
    private static let meshColor = SIMD4<UInt8>(255, 255, 255, 150)
    private static let boxColor = SIMD4<UInt8>(255, 60, 60, 255)

    /// - Parameter picture: `rgba8` or `rgba16`.
    package func draw(_ overlays: Set<Part>, in picture: inout PixelBuffer) {
        guard !overlays.isEmpty else { return }
        let unit = max(1, face.box.width / 150)
        let vertices = face.vertices
        if overlays.contains(.mesh) {
            for edge in mesh.edges {
                picture.drawLine(
                    from: vertices[edge.from], to: vertices[edge.to], thickness: 0.7 * unit, color: Self.meshColor)
            }
        }
        if overlays.contains(.boxes) {
            let (low, high) = (
                Point(face.box.x, face.box.y), Point(face.box.x + face.box.width, face.box.y + face.box.height)
            )
            let corners = [low, Point(high.x, low.y), high, Point(low.x, high.y)]
            for index in corners.indices {
                picture.drawLine(
                    from: corners[index], to: corners[(index + 1) % 4], thickness: 1.2 * unit, color: Self.boxColor)
            }
        }
        if overlays.contains(.landmarks) {
            for (index, point) in vertices.enumerated() {
                let color = index < Landmarks.count ? Self.landmarkColor : Self.headPointColor
                picture.drawLine(from: point, to: point, thickness: 2.2 * unit, color: color)
            }
        }
    }
}
