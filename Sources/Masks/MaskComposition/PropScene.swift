import FaceGeometry
import GLTF
import Masks
import Pixels

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
    /// In the coordinates of the head; nil: the model is shown by itself.
    package let occluder: HeadSurface?

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
        occluder = .mean
    }

    /// A model by itself.
    /// - Parameter pose: nil: the model rests.
    fileprivate init(
        _ model: Model, _ pose: ModelPose?, modelToCamera: AffineTransform3D, _ camera: HeadCamera, _ light: PropLight
    ) {
        self.model = model
        posedVertices = pose?.vertices
        bounds = pose?.bounds ?? model.bounds
        self.modelToCamera = modelToCamera
        self.camera = camera
        self.light = light
        occluder = nil
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

/// How a model is looked at by itself.
package struct ModelDrawing: Equatable, Sendable {
    /// Of the model, as a head turns; 0: its front.
    package var turn = Pose(yaw: 0, pitch: 0, roll: 0)
    /// 1: the model just fits into the picture, however it is turned.
    package var zoom: Float = 1
    /// Of the model's middle from that of the picture, in pixels.
    package var offset = Point(0, 0)

    package init() {}

    /// The sphere around the model has half this width in front of the camera, which is this far away.
    private static let (radius, distance): (Float, Float) = (0.5, 3)

    /// The zoom with which a model, turned about its vertical axis in any way, fills a part of a picture.
    /// - Parameters:
    ///   - width: of the picture, in pixels.
    ///   - height: likewise.
    ///   - part: of the picture's width and height that the model may take, 0…1.
    package static func zoom(fitting model: Model, width: Float, height: Float, part: Point) -> Float {
        let size = model.bounds.size
        let scale = 2 * radius / max(size.length, 1e-12)
        let across = scale * SIMD2(size.x, size.z).length / 2
        let up = scale * size.y / 2
        // Of a circle about the axis the rim that is seen farthest aside; of its upper edge, the nearest point.
        let seen = Point(across / (distance * distance - across * across).squareRoot(), up / (distance - across))
        let room = part * Point(width, height) / 2 / pointwiseMax(seen, Point(1e-6, 1e-6))
        return min(room.x, room.y) * share / (0.96 * min(width, height) / 2)
    }

    /// Half of the sphere's width in front of the camera, as a part of the focal length.
    private static let share = radius / (distance * distance - radius * radius).squareRoot()

    /// What draws a model on a picture, without a head and without a shadow.
    /// - Parameters:
    ///   - pose: nil: the model rests.
    ///   - bounds: of the picture.
    /// - Returns: an empty list if nothing of the model is seen.
    package func drawList(_ model: Model, _ pose: ModelPose?, in bounds: PixelRectangle) -> DrawList {
        var list = DrawList()
        let size = model.bounds.size
        let scale = 2 * Self.radius / max(size.length, 1e-12)
        // Models have y up, cameras have it down.
        let center = scale * model.bounds.center * SIMD3(1, -1, 1)
        let modelToHead = AffineTransform3D(
            columns: (SIMD3(scale, 0, 0), SIMD3(0, -scale, 0), SIMD3(0, 0, scale)), translation: -center)
        var headToCamera = AffineTransform3D(turn)
        headToCamera.translation = SIMD3(0, 0, -Self.distance)
        let middle = Point(Float(bounds.width), Float(bounds.height)) / 2
        let camera = HeadCamera(
            headToCamera: headToCamera, focalLength: 0.96 * zoom * min(middle.x, middle.y) / Self.share,
            principalPoint: middle + offset)
        let scene = PropScene(
            model, pose, modelToCamera: headToCamera.after(modelToHead), camera, .studio)
        guard let box = scene.box else { return list }
        let corners = LayerGeometry.rectangleCorners.map { box.low + $0 * (box.high - box.low) }
        let rectangle = PixelRectangle(covering: FaceBox(around: corners)).intersection(bounds)
        guard !rectangle.isEmpty else { return list }
        let call = DrawCall(
            geometry: .rectangle(corners, canonicalUV: LayerGeometry.rectangleCorners), source: .scene(scene),
            blendMode: .normal, opacity: 1, bounds: rectangle)
        list.faces = [FaceDrawList(trackID: 1, rectangle: rectangle, calls: [call])]
        return list
    }
}
