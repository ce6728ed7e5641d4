import FaceGeometry
import Masks

/// A face and the mask that it wears.
package struct WornMask: Sendable {
    package let mask: Mask
    package var instance: FaceInstance

    package init(_ mask: Mask, on instance: FaceInstance) {
        self.mask = mask
        self.instance = instance
    }
}

/// A face instance with the layers of the mask that it shows now.
struct MaskedFace {
    let instance: FaceInstance
    /// Of the plain mesh in the picture.
    let vertices: [Point]
    /// Around `vertices`.
    let box: FaceBox
    /// From the bottom up; empty if nothing would be drawn.
    let layers: [VisibleLayer]

    struct VisibleLayer {
        let layer: Layer
        /// Above 0, at most 1.
        let opacity: Float
    }

    enum LivePicture { case own, other }

    init(
        _ worn: WornMask, isLargest: Bool, _ points: inout ReusedArrays<Point>,
        _ lists: inout ReusedArrays<VisibleLayer>
    ) {
        instance = worn.instance
        let face = instance.face
        vertices = points.make { face.vertices(into: &$0) }
        box = FaceBox(around: vertices)
        layers = lists.make { layers in
            for layer in worn.mask.layers {
                let opacity = layer.visibility(on: worn.instance, isLargest: isLargest)
                if opacity > 0 { layers.append(VisibleLayer(layer: layer, opacity: opacity)) }
            }
            // Deformations alone draw nothing.
            let isDrawn = layers.contains { if case .deform = $0.layer.content { false } else { true } }
            if !isDrawn { layers.removeAll(keepingCapacity: true) }
        }
    }

    var trackID: Int { instance.trackID }

    var needsLight: Bool { layers.contains { !$0.layer.light.isNone } || hasProps || hasMakeup }

    var hasMakeup: Bool { layers.contains { $0.layer.makeup != nil } }

    /// Whether it is blurred as the picture is. Make-up and faces show the picture, which is blurred already.
    var takesBlur: Bool {
        !hasMakeup && !shows(.own) && !shows(.other) && (hasProps || layers.contains { $0.layer.light.shading > 0 })
    }

    var hasProps: Bool { layers.contains { if case .prop = $0.layer.content { true } else { false } } }

    /// Whether it becomes large where nobody else's face can be shown.
    var growsAlone: Bool {
        layers.contains { if case .warp(let warp) = $0.layer.content { warp.growsAlone } else { false } }
    }

    /// Whether a layer of the mesh shows a face of the picture.
    func shows(_ live: LivePicture) -> Bool {
        layers.contains { visible in
            guard case .warp(let warp) = visible.layer.content else { return false }
            return switch warp.picture {
            case .ownFace: live == .own
            case .otherFace: live == .other
            case .texture, .animation: false
            }
        }
    }
}
