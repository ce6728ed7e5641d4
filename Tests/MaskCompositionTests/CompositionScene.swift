import FaceGeometry
import Glibc
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// A picture of 500 × 400 pixels and what is needed to compose masks on it.
struct CompositionScene {
    let reference: ReferenceFace
    let composer: MaskComposer

    init() throws {
        reference = try Repository.referenceFace()
        composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
    }

    /// The reference face itself at a place of the picture.
    func instance(_ trackID: Int = 1, scale: Float = 300, offset: Point = Point(50, 40)) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { offset + scale * $0 }
        return FaceInstance(
            face: Face(landmarks: landmarks, reference: reference), trackID: trackID, states: [],
            signals: ExpressionSignals())
    }

    /// A face of 200 pixels in the place of another one, whose head is turned, in radians.
    func turned(_ instance: FaceInstance, by yaw: Float) throws -> FaceInstance {
        let (center, middle) = (instance.face.landmarks.center, reference.landmarks.center)
        let landmarks = Landmarks(
            Landmarks.Storage { index in
                let place = reference.landmarks[index] - middle
                return center + 200 * Point(cos(yaw) * place.x + sin(yaw) * reference.depths[index], place.y)
            })
        return FaceInstance(
            face: Face(landmarks: try #require(landmarks), reference: reference), trackID: instance.trackID)
    }

    func texture(_ color: SIMD4<UInt8>, width: Int = 32, height: Int = 32) throws -> Texture {
        Texture(path: "plain", pixels: try plain(width, height, color))
    }

    func warp() throws -> Layer { warp(.texture(try texture(SIMD4(200, 60, 30, 255)))) }

    func warp(_ picture: LayerPicture, openings: Set<FaceMesh.Opening> = []) -> Layer {
        Layer(.warp(WarpLayer(picture: picture, textureCoordinates: reference.vertices, openings: openings)))
    }

    func mask(_ layers: [Layer]) -> Mask {
        Mask(name: "test", author: nil, license: nil, layers: layers, folder: "")
    }

    func list(
        _ layers: [Layer], on instances: [FaceInstance], at seconds: Double? = nil,
        color: SIMD4<UInt8> = SIMD4(180, 140, 120, 255)
    ) throws -> DrawList {
        let picture = try plain(500, 400, color)
        return composer.drawList(mask(layers), on: instances, at: seconds, in: picture)
    }
}
