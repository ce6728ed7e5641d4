import CRasterizer
import FaceGeometry
import MaskComposition
import Masks
import Pixels

/// Makes textures ready to be sampled, once per texture: premultiplies them and multiplies them by the soft edge of the
/// mesh.
final class SoftEdgeBaker {
    private let refined: RefinedMesh
    private let reference: ReferenceFace
    /// Of the refined mesh's vertices.
    private let canonicalUV: [Point]
    private let visibility: [Float]
    /// Distances from the boundary of the mesh, in alpha.
    private var maps: [Set<FaceMesh.Opening>: Texels] = [:]
    /// Smaller textures are enlarged, so that the soft edge is drawn finely.
    private static let leastSide = 256

    init(mesh: FaceMesh, reference: ReferenceFace) {
        refined = RefinedMesh(mesh, reference: reference)
        self.reference = reference
        canonicalUV = refined.textureCoordinates(reference.vertices)
        visibility = canonicalUV.map { _ in 1 }
    }

    func texture(_ reference: TextureReference) throws(OutOfMemory) -> BakedTexture {
        let source = try Self.premultiplied(reference.texture.pixels)
        guard let softEdge = reference.softEdge else { return try BakedTexture(source) }
        let scale = Self.scale(of: source)
        let target = try Texels(width: scale * source.width, height: scale * source.height)
        try draw(source, softEdge, reference.coordinates, into: target, only: nil)
        return try BakedTexture(target)
    }

    /// Takes over a part of a texture that has changed.
    /// - Parameters:
    ///   - reference: to the texture with the change.
    ///   - changed: inside the texture.
    func update(
        _ baked: BakedTexture, _ reference: TextureReference, changed: PixelRectangle
    ) throws(OutOfMemory) {
        let pixels = reference.texture.pixels.bounds
        guard let softEdge = reference.softEdge else {
            baked.largest.replace(changed, from: reference.texture.pixels)
            baked.largest.update(in: changed, Self.premultiplied)
            return baked.updateSmaller(changed)
        }
        let source: Texels
        if let known = baked.source {
            source = known
            source.replace(changed, from: reference.texture.pixels)
            source.update(in: changed, Self.premultiplied)
        } else {
            source = try Self.premultiplied(reference.texture.pixels)
            baked.source = source
        }
        // With a margin for what interpolation takes from neighbours.
        let wider = PixelRectangle(
            x: changed.x - 1, y: changed.y - 1, width: changed.width + 2, height: changed.height + 2
        ).intersection(pixels)
        let scale = Self.scale(of: source)
        let area = PixelRectangle(
            x: scale * wider.x, y: scale * wider.y, width: scale * wider.width, height: scale * wider.height)
        try draw(source, softEdge, reference.coordinates, into: baked.largest, only: area)
        baked.updateSmaller(area)
    }

    private static func scale(of source: Texels) -> Int {
        let longer = max(source.width, source.height)
        return max(1, (leastSide + longer - 1) / longer)
    }

    private func draw(
        _ source: Texels, _ softEdge: SoftEdge, _ coordinates: [Point], into target: Texels,
        only area: PixelRectangle?
    ) throws(OutOfMemory) {
        let size = Point(Float(target.width), Float(target.height))
        let coordinates = refined.textureCoordinates(coordinates)
        let geometry = LayerGeometry(
            triangles: refined.triangles(openings: softEdge.openings), positions: coordinates.map { $0 * size },
            textureCoordinates: coordinates, canonicalUV: canonicalUV, visibility: visibility)
        let distances = try distanceMap(openings: softEdge.openings)
        let buffers = LayerBuffers()
        buffers.set(geometry, colors: source.texture, edge: distances.texture, weight: 1)
        // A width of 0 would divide by it.
        let feather = max(0.001, softEdge.feather) * reference.width / EdgeDistanceMap.range
        TextureDrawing.draw(buffers, source.texture, edge: (distances, feather), into: target, only: area)
    }

    private func distanceMap(openings: Set<FaceMesh.Opening>) throws(OutOfMemory) -> Texels {
        if let known = maps[openings] { return known }
        let map = EdgeDistanceMap(
            triangles: refined.mesh.triangles(openings: openings), vertices: reference.vertices)
        let side = EdgeDistanceMap.side
        let texels = try Texels(width: side, height: side)
        texels.fill { x, y in SIMD4(0, 0, 0, map.texels[y * side + x]) }
        maps[openings] = texels
        return texels
    }

    private static func premultiplied(_ pixels: borrowing PixelBuffer) throws(OutOfMemory) -> Texels {
        let result = try Texels(width: pixels.width, height: pixels.height)
        try result.copy(pixels, pixels.bounds)
        result.update { premultiplied($0) }
        return result
    }

    private static func premultiplied(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        guard pixel.w < 255 else { return pixel }
        let alpha = UInt16(pixel.w)
        func times(_ component: UInt8) -> UInt8 { UInt8((UInt16(component) * alpha + 127) / 255) }
        return SIMD4(times(pixel.x), times(pixel.y), times(pixel.z), pixel.w)
    }
}
