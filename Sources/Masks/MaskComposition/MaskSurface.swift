import FaceGeometry
import Masks

/// The mesh that masks are drawn on, refined, with a ring around it, and what depends on nothing but this mesh. From one
/// thread at a time.
final class MaskSurface {
    let refined: RefinedMesh
    /// Of the refined mesh's vertices.
    let canonicalUV: [Point]
    /// Vertices of the refined mesh along its outline.
    let outline: [Int]
    /// Of the whole mesh.
    let meshVisibility: MeshVisibility
    /// Without the openings: closed lids and lips have no area.
    let skinVisibility: MeshVisibility
    let skinSamples: SkinSamples
    /// As `SwapRegion.browLine`.
    let browLine: Float
    private let reference: ReferenceFace
    /// For make-up, and the refined mesh's vertices on it.
    private(set) lazy var faceTexels = FaceTexels(refined.mesh, reference: reference)
    private(set) lazy var faceTexelCoordinates = faceTexels.coordinates(canonicalUV)
    private(set) lazy var swapSamples = SwapSamples(faceTexels, reference)
    /// Canonical UV, and visibility, of the vertices of the refined mesh and then of a ring around it.
    private(set) lazy var ringCanonicalUV = canonicalUV + outline.map { canonicalUV[$0] }
    private(set) lazy var ringVisibility = [Float](repeating: 1, count: ringCanonicalUV.count)
    /// Nil: no memory was available.
    private var swapRegions: [Set<FaceMesh.Opening>: Texture?] = [:]
    private var swapShares: [SoftEdge: SwapShares] = [:]
    private var trianglesByOpenings: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    private var ringTrianglesByOpenings: [Set<FaceMesh.Opening>: [Triangle]] = [:]
    /// Of each vertex of the refined mesh: 0 on the outline, 1 from `widest` inside of it on.
    private(set) lazy var insideOutline: [Float] = canonicalUV.map { place in
        let squared = outline.indices.reduce(Float.infinity) { least, index in
            let (from, to) = (outline[index], outline[(index + 1) % outline.count])
            return min(least, EdgeDistanceMap.squaredDistance(place, canonicalUV[from], canonicalUV[to]))
        }
        return smoothstep(0, Self.widest, squared.squareRoot() / reference.width)
    }
    // Kept from picture to picture, so that refining allocates nothing.
    private var memory = RefinedMesh.Memory()
    /// Of each vertex of the mesh.
    private var coarseVisibility: [Float] = []

    init(_ mesh: FaceMesh, reference: ReferenceFace) {
        self.reference = reference
        refined = RefinedMesh(mesh, reference: reference)
        canonicalUV = refined.textureCoordinates(reference.vertices)
        outline = refined.outline()
        browLine = SwapRegion.browLine(reference)
        meshVisibility = MeshVisibility(mesh.triangles, reference: reference)
        skinVisibility = MeshVisibility(
            mesh.triangles(openings: Set(FaceMesh.Opening.allCases)), reference: reference)
        skinSamples = SkinSamples(mesh, reference: reference)
    }

    /// - Parameters:
    ///   - vertices: of the mesh in the picture, pixels.
    ///   - result: gets those of the refined mesh.
    func refine(_ vertices: [Point], into result: inout [Point]) { refined.vertices(vertices, into: &result, &memory) }

    /// - Parameters:
    ///   - mesh: `meshVisibility` or `skinVisibility`.
    ///   - vertices: of the mesh in the picture, pixels.
    ///   - isSource: true for a face that colours are taken from.
    ///   - result: gets how visible the mask is at each vertex of the refined mesh, 0…1.
    func visibility(
        _ mesh: MeshVisibility, _ vertices: [Point], isSource: Bool, into result: inout [Float]
    ) {
        mesh.values(vertices, isSource: isSource, into: &coarseVisibility)
        refined.interpolate(coarseVisibility, into: &result, &memory)
    }

    /// The soft edge of paint is wider on small faces, on which a narrow one is a hard line: up to `widest`, in face widths, and
    /// from face widths of `small` down fully.
    private static let (widest, large, small): (Float, Float, Float) = (0.14, 160, 60)

    /// How much of the wide soft edge a face gets, 0…1.
    /// - Parameter faceWidth: in pixels.
    static func outlineFade(faceWidth: Float) -> Float { smoothstep(large, small, faceWidth) }

    /// Those of the refined mesh, without the openings that are left open.
    func triangles(_ openings: Set<FaceMesh.Opening>) -> [Triangle] {
        if let known = trianglesByOpenings[openings] { return known }
        let triangles = refined.triangles(openings: openings)
        trianglesByOpenings[openings] = triangles
        return triangles
    }

    /// The part of a face that is swapped (`SwapRegion`).
    /// - Returns: nil if no memory is available.
    func swapRegion(_ openings: Set<FaceMesh.Opening>) -> Texture? {
        if let known = swapRegions[openings] { return known }
        let region = try? SwapRegion(reference, openings: openings).texture()
        swapRegions[openings] = .some(region)
        return region
    }

    /// How much of another face is shown at each texel of the face.
    func swapShares(_ openings: Set<FaceMesh.Opening>, feather: Float) -> SwapShares {
        let key = SoftEdge(openings: openings, feather: feather)
        if let known = swapShares[key] { return known }
        let shares = SwapShares(faceTexels, refined.mesh, reference, openings: openings, feather: feather)
        swapShares[key] = shares
        return shares
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
}
