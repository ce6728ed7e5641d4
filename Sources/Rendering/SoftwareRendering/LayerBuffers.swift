import CRasterizer
import FaceGeometry
import MaskComposition
import Occlusion
import Pixels

/// The vertices and triangles of one layer in the rasteriser's form. The memory is used again for the layers of the next
/// picture.
final class LayerBuffers {
    private var vertices: [crasterizer_vertex] = []
    private var indices: [Int32] = []
    /// For each triangle, whether the soft edge is 1 all over it; empty: not known.
    private var hasNoEdge: [Bool] = []
    private var triangles = UnsafeMutableBufferPointer<crasterizer_triangle>.allocate(capacity: 0)
    private var rows = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
    private var held: Request?
    private var matte = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
    private let table = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: tableSize)

    private static let tableSize = 4 * ColorTable.side * ColorTable.side * ColorTable.side

    deinit {
        triangles.deallocate()
        rows.deallocate()
        table.deallocate()
        matte.deallocate()
    }

    /// The parts from which `prepare` makes a layer's triangles.
    struct Request {
        let geometry: LayerGeometry
        let opacity: Float
        let bounds: PixelRectangle
        /// Of the soft edge; nil without one: it need not be looked up inside of it.
        let opaqueEdge: AlphaArea?
        /// Of the colours; nil: not known. What lies inside of it is not drawn.
        let transparentArea: AlphaArea?
    }

    /// Keeps a request for `prepareHeld`, which may be called on another thread.
    func hold(_ request: Request) { held = request }

    /// Sets the triangles that were asked for.
    func prepareHeld(_ layer: inout crasterizer_layer) {
        guard let request = held.take() else { return }
        let edge = layer.value_count == 7 ? layer.edge : nil
        set(request.geometry, colors: layer.colors, edge: edge, weight: request.opacity)
        if let area = request.transparentArea { removeTriangles(inside: area) }
        hasNoEdge.removeAll(keepingCapacity: true)
        if let area = request.opaqueEdge { findTriangles(inside: area) }
        prepare(&layer, bounds: request.bounds)
    }

    /// - Parameters:
    ///   - colors: the texture that the geometry's texture coordinates refer to; of the edge, canonical UV.
    ///   - weight: multiplies the vertices' visibility.
    func set(_ geometry: LayerGeometry, colors: crasterizer_texture, edge: crasterizer_texture?, weight: Float) {
        let size = Point(Float(colors.width), Float(colors.height))
        let edgeSize = edge.map { Point(Float($0.width), Float($0.height)) } ?? Point(0, 0)
        vertices.removeAll(keepingCapacity: true)
        vertices.reserveCapacity(geometry.positions.count)
        for index in geometry.positions.indices {
            let place = geometry.textureCoordinates[index] * size - 0.5
            let canonicalUV = geometry.canonicalUV[index] * edgeSize - 0.5
            let light = geometry.light.isEmpty ? Point(1, 1) : geometry.light[index]
            let position = geometry.positions[index]
            vertices.append(
                crasterizer_vertex(
                    x: position.x, y: position.y,
                    values: (
                        place.x, place.y, geometry.visibility[index] * weight, light.x, light.y, canonicalUV.x,
                        canonicalUV.y
                    )))
        }
        indices.removeAll(keepingCapacity: true)
        indices.reserveCapacity(3 * geometry.triangles.count)
        for triangle in geometry.triangles {
            indices.append(Int32(truncatingIfNeeded: triangle.a))
            indices.append(Int32(truncatingIfNeeded: triangle.b))
            indices.append(Int32(truncatingIfNeeded: triangle.c))
        }
    }

    private func findTriangles(inside area: AlphaArea) {
        hasNoEdge.reserveCapacity(indices.count / 3)
        for first in stride(from: 0, to: indices.count, by: 3) {
            hasNoEdge.append(isTriangle(first, inside: area) { Point($0.values.5, $0.values.6) })
        }
    }

    private func removeTriangles(inside area: AlphaArea) {
        var end = 0
        for first in stride(from: 0, to: indices.count, by: 3)
        where !isTriangle(first, inside: area, { Point($0.values.0, $0.values.1) }) {
            for corner in 0..<3 { indices[end + corner] = indices[first + corner] }
            end += 3
        }
        indices.removeLast(indices.count - end)
    }

    /// - Parameters:
    ///   - first: of the triangle's indices.
    ///   - place: on the texture of the area, of a vertex.
    private func isTriangle(_ first: Int, inside area: AlphaArea, _ place: (crasterizer_vertex) -> Point) -> Bool {
        func corner(_ number: Int) -> Point { place(vertices[Int(indices[first + number])]) }
        let (a, b, c) = (corner(0), corner(1), corner(2))
        return area.contains(low: pointwiseMin(a, pointwiseMin(b, c)), high: pointwiseMax(a, pointwiseMax(b, c)))
    }

    /// All of a texture on all of another.
    func setRectangle(of source: Texels, on target: Texels) {
        let size = Point(Float(target.width), Float(target.height))
        let corners = LayerGeometry.rectangleCorners
        set(
            .rectangle(corners.map { $0 * size }, canonicalUV: corners), colors: source.texture, edge: nil, weight: 1)
    }

    /// Sets a layer's bounds and triangles, for its `value_count`. They are valid until the buffers change.
    func prepare(_ layer: inout crasterizer_layer, bounds: PixelRectangle, drawsBothSides: Bool = false) {
        let count = indices.count / 3
        if triangles.count < count {
            triangles.deallocate()
            rows.deallocate()
            triangles = .allocate(capacity: count)
            rows = .allocate(capacity: 2 * ((count + 15) / 16 * 16))
        }
        (layer.left, layer.top) = (Int32(bounds.x), Int32(bounds.y))
        (layer.right, layer.bottom) = (Int32(bounds.x + bounds.width), Int32(bounds.y + bounds.height))
        hasNoEdge.withUnsafeBufferPointer { hasNoEdge in
            crasterizer_prepare(
                vertices, indices, hasNoEdge.isEmpty ? nil : hasNoEdge.baseAddress, Int32(count), drawsBothSides,
                triangles.baseAddress, rows.baseAddress, &layer)
        }
    }

    /// A copy of a matte's alpha, which is valid until the next one: after each row, its last value follows once more.
    func copy(_ occluders: OcclusionMatte) -> UnsafePointer<UInt8>? {
        let (width, height) = (occluders.width, occluders.height)
        if matte.count < (width + 1) * height {
            matte.deallocate()
            matte = .allocate(capacity: (width + 1) * height)
        }
        occluders.alpha.withUnsafeBufferPointer { alpha in
            for y in 0..<height {
                let row = UnsafeMutableBufferPointer(rebasing: matte[y * (width + 1)..<(y + 1) * (width + 1)])
                _ = row.update(fromContentsOf: alpha[y * width..<(y + 1) * width])
                row[width] = row[width - 1]
            }
        }
        return UnsafePointer(matte.baseAddress)
    }

    /// A copy of a colour table, which is valid until the next one.
    func copy(_ colorTable: ColorTable) -> UnsafePointer<UInt8>? {
        _ = table.update(fromContentsOf: colorTable.bytes)
        return UnsafePointer(table.baseAddress)
    }
}
