import AllocationCounter
import FaceGeometry
import MaskComposition
import Masks
import Occlusion
import Pixels
import TestSupport
import Testing

/// A frame like the ones before allocates nothing, once all caches are filled and the lists that have been drawn are given
/// back.
@Suite struct CompositionAllocationTests {
    /// Kinds of layers, with an occluder.
    enum Kind: String, CaseIterable {
        case paint, litPaint, makeup, sticker, insideSticker, animation, ownFace, otherFace, smallFace, deformed, prop,
            movingProp, swingingProp, underHand
    }

    private func layers(_ kind: Kind, _ scene: CompositionScene) throws -> [Layer] {
        let texture = try scene.texture(SIMD4(200, 60, 30, 255))
        switch kind {
        case .paint, .underHand: return [try scene.warp()]
        case .litPaint:
            var layer = try scene.warp()
            layer.light = LightMatching(shading: 0.6, detail: 0.2, color: 0.5)
            return [layer]
        case .makeup:
            var layer = try scene.warp()
            layer.makeup = Makeup(color: SIMD3(0.5, 0.1, 0.2), smoothing: 0.5)
            return [layer]
        case .sticker: return [Layer(.sticker(StickerLayer(picture: .texture(texture), anchor: .eyes, width: 0.5)))]
        case .insideSticker:
            var sticker = StickerLayer(picture: .texture(texture), anchor: .eyes, width: 4)
            sticker.staysInside = true
            return [Layer(.sticker(sticker))]
        case .animation:
            let frames = [texture, try scene.texture(SIMD4(20, 60, 30, 255))]
            return [scene.warp(.animation(Animation(frames: frames, durations: [0.1, 0.1])))]
        case .deformed:
            let strengths = Deformation.Control.allCases.map { ($0, AnimatableValue(0.4)) }
            return [
                Layer(.deform(Deformation(Dictionary(uniqueKeysWithValues: strengths)))), scene.warp(.ownFace),
            ]
        case .prop: return try Repository.mask("spectacles").layers
        case .swingingProp: return try Repository.mask("colombina").layers
        case .movingProp: return try Repository.mask("diver").layers
        case .ownFace: return [scene.warp(.ownFace)]
        case .otherFace: return [scene.warp(.otherFace), try scene.warp()]
        case .smallFace:
            var warp = WarpLayer(picture: .otherFace, textureCoordinates: scene.reference.vertices, openings: [])
            warp.growsAlone = true
            return [Layer(.warp(warp))]
        }
    }

    /// - Parameter instances: in each frame.
    private func counts(
        _ scene: CompositionScene, _ mask: Mask, occluders mattes: [Int: OcclusionMatte] = [:],
        _ instances: (Int) -> [FaceInstance]
    ) throws -> [Int] {
        let picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        return (0..<40).map { frame in
            let worn = instances(frame).map { WornMask(mask, on: $0) }
            let before = allocation_count()
            let list = scene.composer.drawList(worn, occluders: mattes, at: Double(frame) / 30, in: picture)
            let isComplete = list.faces.count == worn.count
            scene.composer.recycle(list)
            let count = Int(allocation_count() - before)
            #expect(isComplete)
            return count
        }.suffix(20)
    }

    @Test(arguments: Kind.allCases) func aFrameAllocatesNothing(_ kind: Kind) throws {
        let scene = try CompositionScene()
        let matte = OcclusionMatte(
            box: FaceBox(x: 100, y: 100, width: 80, height: 80), width: 4, height: 4,
            alpha: [UInt8](repeating: 255, count: 16))
        let counts = try counts(
            scene, scene.mask(layers(kind, scene)), occluders: kind == .underHand ? [1: matte] : [:]
        ) { frame in
            let offset = Float(frame % 5)
            let first = scene.instance(1, scale: 200, offset: Point(20 + offset, 40))
            return kind == .smallFace
                ? [first] : [first, scene.instance(2, scale: 180, offset: Point(240, 40 + offset))]
        }
        if isOptimizedBuild { #expect(counts.allSatisfy { $0 == 0 }, "\(counts)") }
    }
}
