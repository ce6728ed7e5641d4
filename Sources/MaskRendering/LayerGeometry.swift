import FaceGeometry
import Glibc
import Masks

/// The triangles of a layer as they are drawn on one face.
struct LayerGeometry {
    var triangles: [Triangle]
    /// In the picture, pixels.
    var positions: [Point]
    /// On the layer's texture, 0…1.
    var textureCoordinates: [Point]
    /// On the sheet of the reference face.
    var referenceCoordinates: [Point]
    /// 0…1.
    var visibility: [Float]
    /// What the layer's brightness is multiplied by, and the skin's own by its mean; empty: 1 everywhere.
    var light: [Point] = []

    /// Where the corners of its triangles are.
    var corners: [Point] {
        var isUsed = [Bool](repeating: false, count: positions.count)
        for triangle in triangles {
            isUsed[triangle.a] = true
            isUsed[triangle.b] = true
            isUsed[triangle.c] = true
        }
        return positions.indices.filter { isUsed[$0] }.map { positions[$0] }
    }

    /// A sticker: a rectangle in the plane of the sheet, carried to the face by its camera.
    /// - Parameter aspectRatio: the picture's height by its width.
    static func sticker(
        _ sticker: StickerLayer, vertices: [Point], camera: AffineCamera, reference: ReferenceFace, aspectRatio: Float
    ) -> LayerGeometry {
        let anchor = sticker.anchor.vertices
        let place = anchor.reduce(Point.zero) { $0 + vertices[$1] } / Float(anchor.count)
        let onSheet = anchor.reduce(Point.zero) { $0 + reference.vertices[$1] } / Float(anchor.count)
        let (cosine, sine) = (cos(sticker.angle), sin(sticker.angle))
        let size = sticker.width * reference.width * Point(1, aspectRatio)
        var (positions, sheet): ([Point], [Point]) = ([], [])
        let corners = [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)]
        for corner in corners {
            let local = (corner - sticker.center) * size
            let turned = Point(cosine * local.x - sine * local.y, sine * local.x + cosine * local.y)
            let offset = turned + sticker.offset * reference.width
            positions.append(place + camera.direction(offset))
            sheet.append(onSheet + offset)
        }
        return LayerGeometry(
            triangles: [Triangle(0, 1, 2), Triangle(0, 2, 3)], positions: positions, textureCoordinates: corners,
            referenceCoordinates: sheet, visibility: [1, 1, 1, 1])
    }
}

extension StickerLayer.Anchor {
    /// The vertices of the mesh whose mean it is.
    var vertices: [Int] {
        let topology = Landmarks.topology
        return switch self {
        case .nose: [topology.noseTip]
        case .noseBridge: Array(topology.noseBridge.prefix(2))
        case .forehead: [topology.noseRoot, HeadPoint.hairlineCenter.vertex]
        case .rightEye: topology.rightEye.outline
        case .leftEye: topology.leftEye.outline
        case .eyes: topology.rightEye.outline + topology.leftEye.outline
        case .rightCheek: [topology.jaw[2], topology.rightWing]
        case .leftCheek: [topology.jaw[topology.jaw.count - 3], topology.leftWing]
        case .mouth: topology.outerLips.outline
        case .upperLip: [topology.noseBase, topology.upperLipCenter]
        case .chin: [topology.chin]
        case .rightEar: [topology.rightEar]
        case .leftEar: [topology.leftEar]
        case .hairline: [HeadPoint.hairlineCenter.vertex]
        }
    }
}

/// The mesh of a face as a mask may bend it.
struct DeformedMesh {
    /// Where the vertices are to be drawn, all of the refined mesh.
    private(set) var vertices: [Point]
    /// Those of the plain mesh.
    private(set) var coarse: [Point]

    /// - Parameters:
    ///   - offsets: how the vertices move, in the picture; taken back by halves as far as they would turn a triangle
    ///     over.
    init(_ vertices: [Point], offsets: [Point]?, mesh: FaceMesh, refined: RefinedMesh) {
        guard let offsets else {
            coarse = vertices
            self.vertices = refined.vertices(vertices)
            return
        }
        var strength: Float = 1
        var bent = vertices
        for _ in 0..<6 {
            bent = zip(vertices, offsets).map { $0 + strength * $1 }
            let folds = mesh.triangles.contains { $0.doubleArea(vertices) > 0 && $0.doubleArea(bent) <= 0 }
            if !folds { break }
            strength /= 2
            bent = vertices
        }
        coarse = bent
        self.vertices = refined.vertices(bent)
    }
}
