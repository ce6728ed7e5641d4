import FaceGeometry
import Glibc
import Masks

extension LayerGeometry {
    /// A sticker: a rectangle parallel to the plane of the reference face, projected by the face's camera.
    /// - Parameters:
    ///   - vertices: of the mesh in the picture.
    ///   - undeformed: the same before deformations.
    ///   - pupils: before deformations; nil: in the middle of the eyes.
    ///   - aspectRatio: height of the texture divided by its width.
    ///   - points: makes the arrays.
    static func sticker(
        _ sticker: StickerLayer, vertices: [Point], undeformed: [Point], pupils: Pupils?, camera: AffineCamera,
        reference: ReferenceFace, aspectRatio: Float, _ points: inout ReusedArrays<Point>
    ) -> LayerGeometry {
        let anchor = sticker.anchor.vertices
        func mean(_ vertices: [Point]) -> Point {
            var sum = Point.zero
            for index in anchor { sum += vertices[index] }
            return sum / Float(anchor.count)
        }
        var place = mean(vertices)
        if let pupil = sticker.anchor.pupil(pupils) { place += pupil - mean(undeformed) }
        let canonicalPlace = mean(reference.vertices)
        let (cosine, sine) = (cos(sticker.angle), sin(sticker.angle))
        let size = sticker.width * reference.width * Point(1, aspectRatio)
        func offset(_ corner: Point) -> Point {
            let local = (corner - sticker.center) * size
            let rotated = Point(cosine * local.x - sine * local.y, sine * local.x + cosine * local.y)
            return rotated + sticker.offset * reference.width
        }
        let depth = sticker.depth * reference.width
        let positions = points.make { positions in
            for corner in rectangleCorners {
                positions.append(place + camera.direction(offset(corner), depth: depth))
            }
        }
        let places = points.make { places in
            for corner in rectangleCorners { places.append(canonicalPlace + offset(corner)) }
        }
        return rectangle(positions, canonicalUV: places)
    }
}

extension StickerLayer.Anchor {
    /// The vertices of the mesh whose mean is the anchor.
    var vertices: [Int] { Self.verticesByAnchor[self] ?? [] }

    private static let verticesByAnchor = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.madeVertices) })

    private var madeVertices: [Int] {
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
        case .rightPupil: topology.rightEye.outline
        case .leftPupil: topology.leftEye.outline
        }
    }

    /// In the coordinates of the head (`HeadCamera`).
    package func headPosition(_ reference: ReferenceFace) -> SIMD3<Float> {
        let vertices = vertices
        let sum = vertices.reduce(SIMD3<Float>.zero) { $0 + HeadCamera.position(of: $1, reference: reference) }
        return sum / Float(vertices.count)
    }

    fileprivate func pupil(_ pupils: Pupils?) -> Point? {
        switch self {
        case .rightPupil: pupils?.right
        case .leftPupil: pupils?.left
        default: nil
        }
    }
}
