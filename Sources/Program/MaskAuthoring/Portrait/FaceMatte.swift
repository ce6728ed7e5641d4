import FaceGeometry
import Pixels
import Vision

/// Which part of a portrait becomes a mask: the face without hair, hat and background, with a smooth, soft outline.
///
/// GrabCut decides on forehead, temples and the edge of the face, from what is certain: inside, the middle of the face, and
/// the smooth skin that goes on from there without an edge (so that highlights stay); outside, what is not such skin.
struct FaceMatte {
    private let raster: FaceRaster
    private let alpha: CoarseMap

    /// - Parameters:
    ///   - portrait: `rgba8`.
    ///   - face: in pixels of the portrait.
    init(_ portrait: borrowing PixelBuffer, face: Face, mesh: FaceMesh) throws {
        raster = FaceRaster(portrait, vertices: face.vertices)
        let topology = Landmarks.topology
        let inside = raster.cells(in: mesh.triangles)
        let landmarksOnly = raster.cells(
            in: mesh.triangles.filter { !$0.indices.contains(where: topology.isHeadPoint) })
        // A strip along the outline is undecided: landmarks on the jaw line are less exact than others.
        let depth = raster.blurred(inside, reach: Self.undecidedReach).values
        let core = inside.indices.map { landmarksOnly[$0] && depth[$0] > 0.95 }
        var visible = inside
        if let labels = Self.labels(raster, mesh: mesh, inside: inside, core: core) {
            visible = try GrabCut.foreground(in: try raster.picture(), labels: labels)
        }
        alpha = Self.outline(visible, core: core, inside: inside, raster: raster)
    }

    /// The opacity of a place in the portrait, 0…1.
    func alpha(at place: Point) -> Float { alpha.value(at: raster.place(of: place)) }

    private static let undecidedReach = 5
    /// The largest difference of colour between neighbouring cells on smooth skin. Hairlines differ by more, the edges of
    /// highlights by less.
    private static let smoothGradient: Float = 5
    /// Skin in the shade is at least this bright, as a fraction of the cheeks' brightness.
    private static let darkestSkin: Float = 0.6

    /// - Returns: nil if no skin is found in the middle of the face.
    private static func labels(
        _ raster: FaceRaster, mesh: FaceMesh, inside: [Bool], core: [Bool]
    ) -> [GrabCut.Label]? {
        let topology = Landmarks.topology
        let skinPoints = Set(topology.jaw.dropFirst().dropLast() + topology.noseBridge + topology.nostrils)
        let cheeks = raster.cells(in: mesh.triangles.filter { $0.indices.allSatisfy(skinPoints.contains) })
        guard let skin = SkinColor(cheeks.indices.lazy.filter { cheeks[$0] }.map { raster.colors[$0] }) else {
            return nil
        }
        let distances = raster.colors.map(skin.distance)
        let isSmooth = inside.indices.map { index in
            raster.gradient(index) < smoothGradient && distances[index] < 7
                && raster.colors[index].sum() / 3 > darkestSkin * skin.brightness
        }
        let smoothSkin = raster.cells(connectedTo: core, through: isSmooth)
        // Beside and below the face are neck and ears, which look like skin. Above is a bald head at most, which is smooth.
        let root = raster.vertices[topology.noseBridge[0]]
        let up = root - raster.vertices[topology.jaw[topology.jaw.count / 2]]
        let isNearFace = raster.blurred(inside, reach: 2).values
        return inside.indices.map { index in
            guard raster.isInPortrait[index] else { return .background }
            if core[index] { return .foreground }
            if inside[index] {
                if smoothSkin[index] { return .foreground }
                return distances[index] < 3.6 ? .probablyForeground : .probablyBackground
            }
            let place = Point(Float(index % raster.width), Float(index / raster.width)) + 0.5
            let isAbove = ((place - root) * up).sum() > 0
            if isAbove ? smoothSkin[index] : distances[index] < 3 { return .probablyForeground }
            return isNearFace[index] > 0 ? .probablyBackground : .background
        }
    }

    /// Smooths the face's outline, removes what is not connected with the middle of the face, and closes holes.
    private static func outline(_ visible: [Bool], core: [Bool], inside: [Bool], raster: FaceRaster) -> CoarseMap {
        let whole = inside.indices.map { inside[$0] && (visible[$0] || core[$0]) }
        let smooth = raster.blurred(whole, reach: 3).values
        let connected = raster.cells(connectedTo: core, through: whole.indices.map { smooth[$0] > 0.5 || core[$0] })
        let border = connected.indices.map { index in
            index < raster.width || index % raster.width == 0
        }
        let outside = raster.cells(connectedTo: border, through: connected.map { !$0 })
        let filled = outside.indices.map { !outside[$0] && inside[$0] }
        // Convex corners become round, and the edge moves inwards, off the blurred colours of the hairline.
        let round = raster.blurred(filled, reach: 4).values
        var alpha = raster.blurred(round.indices.map { round[$0] > 0.6 && inside[$0] }, reach: 3)
        for index in alpha.values.indices {
            let fraction = min(1, max(0, (alpha.values[index] - 0.55) / 0.4))
            alpha.values[index] = fraction * fraction * (3 - 2 * fraction)
        }
        return alpha
    }
}
