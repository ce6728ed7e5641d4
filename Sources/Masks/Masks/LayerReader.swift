import FaceGeometry
import ImageFiles
import JSON
import Pixels

/// Reads the layers of a manifest. Problems are collected in the reading; a layer with an error is left out.
package struct LayerReader {
    let reference: ReferenceFace
    let animations: MaskLoader.AnimationDecoder?
    let reading: MaskReading

    init(reference: ReferenceFace, animations: MaskLoader.AnimationDecoder?, reading: MaskReading) {
        self.reference = reference
        self.animations = animations
        self.reading = reading
    }

    package enum LayerType: String, CaseIterable, Sendable {
        case warp, makeup, hair, comic, sticker, prop, deform, background, group
    }

    /// The keys of each type; an object with others is refused.
    package static func keys(of type: LayerType) -> [String] {
        let common = ["type", "hidden", "opacity", "when", "blinks", "faces"]
        let colored = ["blend", "light"]
        let picture = ["texture", "textureLayer", "animation"]
        return switch type {
        case .warp: common + colored + picture + ["live", "alone", "landmarks", "openings", "feather"]
        case .makeup:
            common + ["texture", "textureLayer", "color", "gloss", "smoothing", "brightening", "openings", "feather"]
        case .hair: common + ["color"]
        case .comic: common + ["levels", "lines", "smoothing", "color"]
        case .sticker: common + colored + picture + ["anchor", "width", "offset", "depth", "angle", "center", "inside"]
        case .prop:
            common + ["blend", "model", "anchor", "width", "position", "rotation", "shadow", "animations", "swing"]
        case .deform: common.filter { $0 != "opacity" } + ["controls"]
        case .background: ["type", "hidden", "blur", "color", "texture", "textureLayer"]
        case .group: common + ["layers"]
        }
    }

    package enum Live: String, CaseIterable, Sendable { case face, swap }
    /// What becomes of a face without another to swap with.
    package enum Alone: String, CaseIterable, Sendable { case large }

    /// A layer with its JSON pointer.
    typealias PlacedLayer = (layer: Layer, pointer: String)

    /// - Returns: one layer, or all those of a group; none when they are hidden.
    func layers(_ value: JSONValue, pointer: String, depth: Int = 0) -> [PlacedLayer] {
        let known = Array(Set(LayerType.allCases.flatMap(Self.keys))).sorted()
        // Only the type is read at first: which keys are allowed depends on it.
        guard case .object(let members) = value, members.contains(where: { $0.key == "type" }) else {
            if let any = ManifestObject(value, reading, pointer: pointer, keys: known) {
                any.fault(
                    .missingKey, "type",
                    "is missing; use one of \(ManifestObject.list(LayerType.allCases.map(\.rawValue)))")
            }
            return []
        }
        guard
            let type = ManifestObject(
                .object(members.filter { $0.key == "type" }), reading, pointer: pointer, keys: known)?
                .optionalCase("type", as: LayerType.self),
            let object = ManifestObject(value, reading, pointer: pointer, keys: Self.keys(of: type))
        else { return [] }
        if type != .group, !reading.countLayer() { return [] }
        var result: [PlacedLayer] = []
        switch type {
        case .warp: if let warp = warp(object) { result = [(Layer(.warp(warp)), pointer)] }
        case .makeup: if let layer = makeup(object) { result = [(layer, pointer)] }
        case .hair: if let layer = hair(object) { result = [(layer, pointer)] }
        case .comic: result = [(Layer(.comic(comic(object))), pointer)]
        case .sticker: if let sticker = sticker(object) { result = [(Layer(.sticker(sticker)), pointer)] }
        case .prop: if let prop = prop(object) { result = [(Layer(.prop(prop)), pointer)] }
        case .deform: if let deformation = deformation(object) { result = [(Layer(.deform(deformation)), pointer)] }
        case .background: background(object, isInGroup: depth > 0)
        case .group: result = children(object, depth: depth)
        }
        let opacity = object.optionalAnimatableValue("opacity", in: 0...1)
        let condition = condition(object)
        let choice = choice(object)
        for index in result.indices {
            if let opacity { result[index].layer.opacities.append(opacity) }
            if let condition { result[index].layer.conditions.append(condition) }
            if let choice { result[index].layer.choices.append(choice) }
        }
        if Self.keys(of: type).contains("blend") {
            let blendMode = object.optionalCase("blend", as: BlendMode.self) ?? .normal
            for index in result.indices { result[index].layer.blendMode = blendMode }
        }
        if type == .warp || type == .sticker {
            let light = light(object)
            for index in result.indices { result[index].layer.light = light }
        }
        return object.optionalBool("hidden") == true ? [] : result
    }

    private func children(_ object: ManifestObject, depth: Int) -> [PlacedLayer] {
        guard depth < MaskLoader.maximumGroupDepth else {
            object.fault(.groupsTooDeep, "layers", "lies in more than \(MaskLoader.maximumGroupDepth) groups")
            return []
        }
        var result: [PlacedLayer] = []
        for child in object.filledArray("layers", of: "layer") ?? [] {
            result += layers(child.value, pointer: child.pointer, depth: depth + 1)
            if reading.layerCount > MaskLoader.maximumLayers { break }
        }
        return result
    }

    private func light(_ object: ManifestObject) -> LightMatching {
        guard let light = object.optionalObject("light", keys: ["shading", "detail", "color"]) else {
            return LightMatching()
        }
        func weight(_ key: String) -> Float { Float(light.optionalNumber(key, in: 0...1) ?? 0) }
        return LightMatching(shading: weight("shading"), detail: weight("detail"), color: weight("color"))
    }
}
