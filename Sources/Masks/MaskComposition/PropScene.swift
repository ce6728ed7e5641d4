import FaceGeometry
import GLTF
import Masks

/// A prop on a head, as a camera sees it: what renderers need to draw it. The head hides what lies behind it.
package struct PropScene: Sendable {
    package let model: Model
    /// The model's in their places now, if animations move them; otherwise nil.
    package let posedVertices: [ModelVertex]?
    private let bounds: ModelBounds
    /// From the model's coordinates to those of the camera.
    package let modelToCamera: AffineTransform3D
    package let camera: HeadCamera
    package let light: PropLight
    /// In the coordinates of the head.
    package var occluder: HeadSurface { .mean }

    /// Nil if a number is not finite.
    /// - Parameter pose: nil: the model rests.
    init?(
        _ prop: PropLayer, _ pose: PropPose?, _ camera: HeadCamera, _ light: PropLight, reference: ReferenceFace
    ) {
        modelToCamera = camera.headToCamera.after(prop.modelToHead(reference))
        guard modelToCamera.translation.length.isFinite, modelToCamera.determinant.isFinite else { return nil }
        self.model = prop.model
        posedVertices = pose?.vertices
        bounds = pose?.bounds ?? prop.model.bounds
        self.camera = camera
        self.light = light
    }

    package var vertices: [ModelVertex] { posedVertices ?? model.vertices }

    /// Around the model in the picture, pixels; nil: it lies behind the camera.
    var box: Extent? {
        let (low, high) = (bounds.low, bounds.high)
        var extent: Extent?
        for corner in 0..<8 {
            let place = modelToCamera(
                SIMD3(
                    corner & 1 == 0 ? low.x : high.x, corner & 2 == 0 ? low.y : high.y,
                    corner & 4 == 0 ? low.z : high.z))
            // What is beside or behind the camera may be anywhere.
            let distance = max(-place.z, 0.05)
            let point = camera.principalPoint + camera.focalLength * Point(place.x, place.y) / distance
            if extent == nil { extent = Extent(low: point, high: point) }
            extent?.formUnion(Extent(low: point, high: point))
        }
        guard let extent, extent.low.x.isFinite, extent.low.y.isFinite, extent.high.x.isFinite, extent.high.y.isFinite
        else { return nil }
        // Samples at the edges lie in the neighbouring pixels.
        return Extent(low: extent.low.rounded(.down) - 1, high: extent.high.rounded(.up) + 1)
    }
}

extension PropLayer {
    /// From the coordinates of the model to those of the head (`HeadCamera`).
    func modelToHead(_ reference: ReferenceFace) -> AffineTransform3D {
        // Models have y up, heads have it down.
        let scale = scale
        let model = AffineTransform3D(
            columns: (SIMD3(scale, 0, 0), SIMD3(0, -scale, 0), SIMD3(0, 0, scale)), translation: .zero)
        var placed = AffineTransform3D(rotation)
        placed.translation = anchor.headPosition(reference) + position
        return placed.after(model)
    }
}
