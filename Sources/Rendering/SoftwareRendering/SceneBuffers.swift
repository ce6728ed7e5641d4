import CRasterizer
import FaceGeometry
import GLTF
import MaskComposition
import Pixels

/// The vertices and triangles of one scene as the camera sees them. The memory is used again for the next picture.
final class SceneBuffers {
    private var vertices = UnsafeMutableBufferPointer<crasterizer_scene_vertex>.allocate(capacity: 0)
    private var triangles = UnsafeMutableBufferPointer<crasterizer_scene_triangle>.allocate(capacity: 0)
    private var extents = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
    private var groupExtents = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
    private var nearest = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)
    private let scene = UnsafeMutablePointer<crasterizer_scene>.allocate(capacity: 1)
    /// Kept alive while it is drawn.
    private var model: PreparedModel?
    /// A copy of the room's colours.
    private let mirrored = UnsafeMutableBufferPointer<SIMD8<Float>>.allocate(capacity: RoomMap.side * RoomMap.side)

    private static let head: [crasterizer_model_vertex] = zip(HeadSurface.mean.positions, HeadSurface.mean.normals).map
    {
        crasterizer_model_vertex(
            position: ($0.x, $0.y, $0.z), u: 0, normal: ($1.x, $1.y, $1.z), v: 0, tangent: (0, 0, 0, 0),
            color: (1, 1, 1, 1))
    }

    init() { scene.initialize(to: crasterizer_scene()) }

    deinit {
        vertices.deallocate()
        triangles.deallocate()
        extents.deallocate()
        groupExtents.deallocate()
        nearest.deallocate()
        scene.deallocate()
        mirrored.deallocate()
    }

    /// Prepares a scene for the pixels of a rectangle.
    /// - Returns: valid until the buffers change; nil if nothing of the model is seen.
    func prepare(
        _ described: PropScene, _ prepared: PreparedModel, in rectangle: PixelRectangle
    ) -> UnsafePointer<crasterizer_scene>? {
        let model = prepared.model
        self.model = prepared
        let occluder = described.occluder
        reserve(
            vertices: model.vertices.count + Self.head.count,
            triangles: model.triangleCount + (occluder?.indices.count ?? 0) / 3)
        see(described)
        var room = crasterizer_scene_room(
            triangles: triangles.baseAddress, lefts: row(0), tops: row(1), rights: row(2), bottoms: row(3),
            nearest: nearest.baseAddress, order: row(4), group_lefts: groupRow(0), group_tops: groupRow(1),
            group_rights: groupRow(2), group_bottoms: groupRow(3), count: 0)
        let bounds = crasterizer_bounds(
            left: Int32(rectangle.x), top: Int32(rectangle.y), right: Int32(rectangle.x + rectangle.width),
            bottom: Int32(rectangle.y + rectangle.height))
        if let occluder {
            crasterizer_add_triangles(
                &room, vertices.baseAddress, occluder.indices, Int32(occluder.indices.count / 3),
                Int32(model.vertices.count), -1, true, bounds)
        }
        let hidden = room.count
        add(model, to: &room, bounds, blends: false)
        let opaque = room.count
        add(model, to: &room, bounds, blends: true)
        guard room.count > hidden else { return nil }
        crasterizer_end_triangles(&room)
        let camera = described.camera
        var light = crasterizer_scene_light(described.light)
        if let room = described.light.room {
            _ = mirrored.update(fromContentsOf: room.texels)
            light.room = UnsafeRawPointer(mirrored.baseAddress)?.assumingMemoryBound(to: Float.self)
        }
        prepared.materials.withUnsafeBufferPointer { materials in
            // The materials live as long as the model, and do not change.
            scene.pointee = crasterizer_scene(
                vertices: vertices.baseAddress, triangles: triangles.baseAddress, lefts: row(0), tops: row(1),
                rights: row(2), bottoms: row(3), nearest: nearest.baseAddress, order: row(4),
                group_lefts: groupRow(0), group_tops: groupRow(1), group_rights: groupRow(2),
                group_bottoms: groupRow(3), triangle_count: room.count, hider_count: hidden, opaque_count: opaque,
                materials: materials.baseAddress, light: light,
                focal_length: camera.focalLength, center_x: camera.principalPoint.x, center_y: camera.principalPoint.y)
        }
        return UnsafePointer(scene)
    }

    private func add(_ model: Model, to room: inout crasterizer_scene_room, _ bounds: crasterizer_bounds, blends: Bool)
    {
        model.indices.withUnsafeBufferPointer { indices in
            for part in model.parts {
                let material = model.materials[part.material]
                guard (material.transparency == .blend) == blends, let start = indices.baseAddress else { continue }
                crasterizer_add_triangles(
                    &room, vertices.baseAddress, start + part.indices.lowerBound, Int32(part.indices.count / 3), 0,
                    Int32(part.material), material.isDoubleSided, bounds)
            }
        }
    }

    private func see(_ described: PropScene) {
        let vertices = described.vertices
        var view = crasterizer_view(described.modelToCamera, described.camera)
        vertices.withUnsafeBytes { bytes in
            crasterizer_see(
                bytes.bindMemory(to: crasterizer_model_vertex.self).baseAddress, Int32(vertices.count), &view,
                self.vertices.baseAddress)
        }
        view = crasterizer_view(described.camera.headToCamera, described.camera)
        crasterizer_see(
            Self.head, Int32(Self.head.count), &view, self.vertices.baseAddress.map { $0 + vertices.count })
    }

    private func row(_ number: Int) -> UnsafeMutablePointer<Int32>? {
        extents.baseAddress.map { $0 + number * (extents.count / 5) }
    }

    private func groupRow(_ number: Int) -> UnsafeMutablePointer<Int32>? {
        groupExtents.baseAddress.map { $0 + number * (groupExtents.count / 4) }
    }

    private func reserve(vertices vertexCount: Int, triangles triangleCount: Int) {
        if vertices.count < vertexCount {
            vertices.deallocate()
            vertices = .allocate(capacity: vertexCount)
        }
        if triangles.count < triangleCount {
            triangles.deallocate()
            extents.deallocate()
            groupExtents.deallocate()
            nearest.deallocate()
            let rounded = (triangleCount + 15) / 16 * 16
            triangles = .allocate(capacity: triangleCount)
            extents = .allocate(capacity: 5 * rounded)
            groupExtents = .allocate(capacity: 4 * ((rounded / 16 + 15) / 16 * 16))
            nearest = .allocate(capacity: rounded)
        }
    }
}

extension crasterizer_scene_light {
    fileprivate init(_ light: PropLight) {
        self.init(
            direction: (light.direction.x, light.direction.y, light.direction.z), key: light.key,
            ambient: light.ambient, exposure: light.exposure, room: nil)
    }
}

extension crasterizer_view {
    fileprivate init(_ toCamera: AffineTransform3D, _ camera: HeadCamera) {
        let (x, y, z, t) = (toCamera.columns.0, toCamera.columns.1, toCamera.columns.2, toCamera.translation)
        self.init(
            matrix: (x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z), focal_length: camera.focalLength,
            center_x: camera.principalPoint.x, center_y: camera.principalPoint.y)
    }
}
