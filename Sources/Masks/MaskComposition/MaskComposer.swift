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
    private var ringTrianglesByOpenings: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    /// Canonical UV, and visibility, of the vertices of the refined mesh and then of a ring around it.
    private(set) lazy var ringCanonicalUV = canonicalUV + outline.map { canonicalUV[$0] }
    private(set) lazy var ringVisibility = [Float](repeating: 1, count: ringCanonicalUV.count)
    private var textures = TextureCache<LayerTextureInfo>()
    /// By track ID: the light on the faces of the picture that is being composed, and of the stream.
    var lights: [Int: FollowedLight] = [:]
    private var followedLights: [Int: FollowedLight] = [:]
    private lazy var cameraFit = HeadCameraFit(reference)
    private(set) lazy var shadows = ContactShadowCache(refined, canonicalUV: canonicalUV, reference: reference)
    let poses = PropPoses()
    private lazy var lightNormals = PropLight.Normals(skinSamples, reference: reference)

    // MARK: Memory, which is kept from picture to picture

    /// For the arrays of draw lists.
    var points = ReusedArrays<Point>()
    var numbers = ReusedArrays<Float>()
    private var layerLists = ReusedArrays<MaskedFace.VisibleLayer>()
    private var faces: [MaskedFace] = []
    private var measured: Set<Int> = []
    private var refinedMemory = RefinedMesh.Memory()
    private var lightMemory = FaceLight.Memory()
    /// Of each vertex of the mesh.
    private var coarseVisibility: [Float] = []
    /// What has been given back (`recycle`): a list without faces, and lists of calls.
    private var spareList = DrawList()
    private var spareCalls: [[DrawCall]] = []

    /// The light on a face with the colour tables that were derived from it, and how near the camera is. A class, so that
    /// changing it where it is kept allocates nothing.
    final class FollowedLight {
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
        points.beginPicture()
        numbers.beginPicture()
        layerLists.beginPicture()
        let largest = worn.max { $0.instance.face.box.area < $1.instance.face.box.area }?.instance.trackID
        for worn in worn {
            faces.append(
                MaskedFace(worn, isLargest: worn.instance.trackID == largest, &points, &layerLists))
        }
        // What is shown is not kept alive.
        defer {
            faces.removeAll(keepingCapacity: true)
            layerLists.removeElements()
        }
        var list = DrawList()
        swap(&list, &spareList)
        addCaptures(of: faces, under: mattes, in: picture.bounds, to: &list.captures)
        // The light of a single picture starts anew. A stream's is in `lights` only while a picture of it is composed.
        if seconds == nil { lights.removeAll(keepingCapacity: true) } else { swap(&lights, &followedLights) }
        defer { if seconds != nil { swap(&lights, &followedLights) } }
        measureLight(faces, in: picture, at: seconds)
        for face in faces where !face.layers.isEmpty {
            var composition = FaceComposition(
                face, partner: Self.partner(of: face, among: faces), captures: list.captures,
                matte: mattes[face.trackID], composer: self, seconds: seconds ?? 0,
                head: face.hasProps ? head(of: face, in: picture.bounds, at: seconds) : nil)
            var calls = spareCalls.popLast() ?? []
            if let rectangle = composition.addCalls(in: picture.bounds, to: &calls) {
                list.faces.append(FaceDrawList(trackID: face.trackID, rectangle: rectangle, calls: calls))
            }
        }
        return list
    }

    /// Takes back a list that has been drawn, so that the next one is made in its memory.
    package func recycle(_ list: consuming DrawList) {
        for index in list.faces.indices {
            var calls: [DrawCall] = []
            swap(&calls, &list.faces[index].calls)
            calls.removeAll(keepingCapacity: true)
            spareCalls.append(calls)
        }
        list.faces.removeAll(keepingCapacity: true)
        list.captures.removeAll(keepingCapacity: true)
        spareList = list
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
    private func addCaptures(
        of faces: [MaskedFace], under mattes: [Int: OcclusionMatte], in bounds: PixelRectangle,
        to captures: inout [Capture]
    ) {
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
                add(face, around: FaceComposition.boxWithRing(around: face.vertices))
            }
            if face.shows(.other), let partner = Self.partner(of: face, among: faces) {
                add(partner, around: FaceBox(around: refinedVertices(partner.vertices)))
            }
        }
    }

    /// Forgets the light of a stream: the next picture shows another scene.
    package func forgetLight() { followedLights.removeAll(keepingCapacity: true) }

    private func measureLight(_ faces: [MaskedFace], in picture: borrowing PixelBuffer, at seconds: Double?) {
        measured.removeAll(keepingCapacity: true)
        func measure(_ face: MaskedFace) {
            guard measured.insert(face.trackID).inserted else { return }
            // Where the face is not, something else would be measured.
            guard face.instance.isSeen || lights[face.trackID] == nil else { return }
            let followed = lights[face.trackID] ?? FollowedLight()
            lights[face.trackID] = followed
            followed.light.measure(
                picture, vertices: face.vertices, samples: skinSamples, at: seconds, &lightMemory)
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
        let followed = lights[face.trackID]
        if let seconds, let followed {
            followed.nearness.update(1 / camera.distance, at: seconds)
            if let nearness = followed.nearness.value {
                camera = cameraFit.camera(face.instance.face, picture: size, nearness: nearness)
            }
        }
        let light = PropLight(followed?.light, lightNormals, headToCamera: camera.headToCamera)
        return (camera, light)
    }

    // MARK: What is derived once

    /// Of the refined mesh, in the picture.
    /// - Parameter vertices: of the mesh in the picture.
    func refinedVertices(_ vertices: [Point]) -> [Point] {
        points.make { refined.vertices(vertices, into: &$0, &refinedMemory) }
    }

    /// How visible the mask is at each vertex of the refined mesh, 0…1.
    /// - Parameters:
    ///   - mesh: `meshVisibility` or `skinVisibility`.
    ///   - vertices: of the mesh in the picture.
    func visibility(_ mesh: MeshVisibility, _ vertices: [Point], isSource: Bool = false) -> [Float] {
        mesh.values(vertices, isSource: isSource, into: &coarseVisibility)
        return numbers.make { refined.interpolate(coarseVisibility, into: &$0, &refinedMemory) }
    }

    /// Those of the refined mesh, and of a ring whose vertices follow.
    func ringTriangles(_ openings: Set<FaceMesh.Opening>) -> [Triangle] {
        if let known = ringTrianglesByOpenings[openings] { return known }
        var triangles = triangles(openings)
        let first = refined.vertexCount
        for index in outline.indices {
            let next = (index + 1) % outline.count
            triangles.append(Triangle(outline[index], first + index, outline[next]))
            triangles.append(Triangle(outline[next], first + index, first + next))
        }
        ringTrianglesByOpenings[openings] = triangles
        return triangles
    }

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
