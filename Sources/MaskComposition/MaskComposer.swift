import FaceGeometry
import Masks
import Occlusion
import Pixels

/// Turns masks into draw lists for one stream of pictures. It keeps the measured light of each face from picture to
/// picture, and what it has derived from textures.
///
/// It reads pixels only to measure light, and has no part in drawing. Use one per stream, from one thread at a time.
package final class MaskComposer {
    package let reference: ReferenceFace
    let refined: RefinedMesh
    package var mesh: FaceMesh { refined.mesh }
    /// Canonical UV of the refined mesh's vertices.
    let canonicalUV: [Point]
    /// Vertices of the refined mesh along its outline.
    let outline: [Int]
    let meshVisibility: MeshVisibility
    /// Without the openings: closed lids and lips have no area.
    let skinVisibility: MeshVisibility
    let skinSamples: SkinSamples
    private var trianglesByOpenings: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    private var textures = TextureCache<LayerTextureInfo>()
    /// By track ID: the light on the faces of the picture that is being composed, and of the stream.
    var lights: [Int: FollowedLight] = [:]
    private var followedLights: [Int: FollowedLight] = [:]
    private lazy var cameraFit = HeadCameraFit(reference)
    private(set) lazy var shadows = ContactShadowCache(refined, canonicalUV: canonicalUV, reference: reference)
    let poses = PropPoses()
    private lazy var lightNormals = PropLight.Normals(skinSamples, reference: reference)

    /// The light on a face with the colour tables that were derived from it, and how near the camera is.
    struct FollowedLight {
        var light = FaceLight()
        var tables = ColorTableCache()
        var nearness = HeadNearness()
    }

    package init(reference: ReferenceFace, mesh: FaceMesh) {
        self.reference = reference
        let refined = RefinedMesh(mesh, reference: reference)
        self.refined = refined
        canonicalUV = refined.textureCoordinates(reference.vertices)
        outline = refined.outline()
        meshVisibility = MeshVisibility(mesh.triangles, reference: reference)
        skinVisibility = MeshVisibility(
            mesh.triangles(openings: Set(FaceMesh.Opening.allCases)), reference: reference)
        skinSamples = SkinSamples(mesh, reference: reference)
    }

    /// What to draw for a mask on some faces of a picture. As for masks that are worn by each.
    package func drawList(
        _ mask: Mask, on instances: [FaceInstance], under mattes: [Int: OcclusionMatte] = [:],
        at seconds: Double? = nil, in picture: borrowing PixelBuffer
    ) -> DrawList {
        drawList(instances.map { WornMask(mask, on: $0) }, under: mattes, at: seconds, in: picture)
    }

    /// What to draw for the masks on some faces of a picture.
    /// - Parameters:
    ///   - worn: in drawing order; their track IDs differ.
    ///   - seconds: time of the picture, for animations and for smoothing the light; nil: a single picture, which leaves
    ///     no trace in the light of a stream.
    ///   - mattes: what is before the faces, by track ID.
    ///   - picture: before anything is drawn on it.
    package func drawList(
        _ worn: [WornMask], under mattes: [Int: OcclusionMatte] = [:], at seconds: Double? = nil,
        in picture: borrowing PixelBuffer
    ) -> DrawList {
        textures.beginPicture()
        let largest = worn.max { $0.instance.face.box.area < $1.instance.face.box.area }?.instance.trackID
        let faces = worn.map { MaskedFace($0, isLargest: $0.instance.trackID == largest) }
        var list = DrawList()
        list.captures = captures(faces, under: mattes, in: picture.bounds)
        // The light of a single picture starts anew. A stream's is in `lights` only while a picture of it is composed.
        if seconds == nil { lights.removeAll(keepingCapacity: true) } else { swap(&lights, &followedLights) }
        defer { if seconds != nil { swap(&lights, &followedLights) } }
        measureLight(faces, in: picture, at: seconds)
        for face in faces where !face.layers.isEmpty {
            var composition = FaceComposition(
                face, partner: Self.partner(of: face, among: faces), captures: list.captures,
                matte: mattes[face.trackID], composer: self, seconds: seconds ?? 0,
                head: face.hasProps ? head(of: face, in: picture.bounds, at: seconds) : nil)
            if let drawn = composition.faceDrawList(in: picture.bounds) { list.faces.append(drawn) }
        }
        return list
    }

    /// The face whose picture an instance shows if a layer asks for another face: the next higher track ID, or else the
    /// lowest; nil without other faces.
    static func partner(of face: MaskedFace, among faces: [MaskedFace]) -> MaskedFace? {
        var (next, first): (MaskedFace?, MaskedFace?) = (nil, nil)
        for other in faces where other.trackID != face.trackID {
            if other.trackID < first?.trackID ?? .max { first = other }
            if other.trackID > face.trackID, other.trackID < next?.trackID ?? .max { next = other }
        }
        return next ?? first
    }

    // MARK: What is measured or kept before drawing

    /// The faces that layers show, and those with something before them.
    private func captures(
        _ faces: [MaskedFace], under mattes: [Int: OcclusionMatte], in bounds: PixelRectangle
    ) -> [Capture] {
        var captures: [Capture] = []
        func add(_ face: MaskedFace, around box: FaceBox) {
            let rectangle = PixelRectangle(covering: box).intersection(bounds)
            guard !rectangle.isEmpty else { return }
            if let known = captures.firstIndex(where: { $0.trackID == face.trackID }) {
                captures[known].rectangle = captures[known].rectangle.union(rectangle)
            } else {
                captures.append(Capture(trackID: face.trackID, rectangle: rectangle))
            }
        }
        for face in faces {
            if face.shows(.own) || mattes[face.trackID] != nil && !face.layers.isEmpty {
                let ring = FaceComposition.ring(around: face.vertices, outline: face.vertices)
                add(face, around: FaceBox(around: face.vertices + ring))
            }
            if face.shows(.other), let partner = Self.partner(of: face, among: faces) {
                add(partner, around: FaceBox(around: refined.vertices(partner.vertices)))
            }
        }
        return captures
    }

    /// Forgets the light of a stream: the next picture shows another scene.
    package func forgetLight() { followedLights.removeAll(keepingCapacity: true) }

    private func measureLight(_ faces: [MaskedFace], in picture: borrowing PixelBuffer, at seconds: Double?) {
        var measured: Set<Int> = []
        func measure(_ face: MaskedFace) {
            guard measured.insert(face.trackID).inserted else { return }
            // Where the face is not, something else would be measured.
            guard face.instance.isSeen || lights[face.trackID] == nil else { return }
            lights[face.trackID, default: FollowedLight()].light.measure(
                picture, vertices: face.vertices, samples: skinSamples, at: seconds)
        }
        for face in faces where face.needsLight {
            measure(face)
            if face.shows(.other), let partner = Self.partner(of: face, among: faces) { measure(partner) }
        }
        // Faces that have ended are forgotten.
        if lights.count > measured.count { lights = lights.filter { measured.contains($0.key) } }
    }

    /// The camera and the light for the props of a face.
    private func head(
        of face: MaskedFace, in bounds: PixelRectangle, at seconds: Double?
    ) -> (camera: HeadCamera, light: PropLight) {
        let size = Point(Float(bounds.width), Float(bounds.height))
        var camera = cameraFit.camera(face.instance.face, picture: size)
        if let seconds, lights[face.trackID] != nil {
            lights[face.trackID]?.nearness.update(1 / camera.distance, at: seconds)
            if let nearness = lights[face.trackID]?.nearness.value {
                camera = cameraFit.camera(face.instance.face, picture: size, nearness: nearness)
            }
        }
        let light = PropLight(lights[face.trackID]?.light, lightNormals, headToCamera: camera.headToCamera)
        return (camera, light)
    }

    // MARK: What is derived once

    func triangles(_ openings: Set<FaceMesh.Opening>) -> [Triangle] {
        if let known = trianglesByOpenings[openings] { return known }
        let triangles = refined.triangles(openings: openings)
        trianglesByOpenings[openings] = triangles
        return triangles
    }

    func info(_ reference: TextureReference, openings: Set<FaceMesh.Opening>) -> LayerTextureInfo {
        func info(_ earlier: (LayerTextureInfo, PixelRectangle)?) -> LayerTextureInfo {
            LayerTextureInfo(
                reference, refined: refined, triangles: triangles(openings), samples: skinSamples, earlier: earlier)
        }
        return textures.value(for: reference) {
            info(($0, $1))
        } make: {
            info(nil)
        }
    }
}
