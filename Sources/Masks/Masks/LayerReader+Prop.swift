import FaceGeometry
import Files
import GLTF

/// Layers that are 3-D models.
extension LayerReader {
    func prop(_ object: ManifestObject) -> PropLayer? {
        if !object.has("anchor") { object.missing("anchor") }
        var anchor = object.optionalCase("anchor", as: StickerLayer.Anchor.self)
        if anchor?.isPupil == true {
            object.fault(.unknownWord, "anchor", "moves in the eye, but a prop stays on the head")
            anchor = nil
        }
        let position = object.optionalTriple("position", in: -3...3) ?? .zero
        let rotation = object.optionalTriple("rotation", in: -360...360) ?? .zero
        let width = object.number("width", in: 0.01...10)
        let shadow = object.optionalNumber("shadow", in: 0...1).map { Float($0) } ?? PropLayer.defaultShadow
        let swung = swing(object)
        let model = object.string("model").flatMap { self.model(named: $0, swinging: swung, object) }
        if let model { reading.note(model.model, at: object.pointer + "/model") }
        let animations = animations(object, of: model?.model)
        let swing = model.map { nodes(of: swung, in: $0, object) } ?? []
        guard let anchor, let width, let model = model?.model else { return nil }
        guard model.bounds.size.x > 1e-9 * model.bounds.size.max() else {
            object.fault(.modelEmpty, "model", "\(model.path): has no width and so cannot be scaled")
            return nil
        }
        let radians = rotation * (.pi / 180)
        return PropLayer(
            model: model, anchor: anchor, position: position,
            rotation: Pose(yaw: radians.y, pitch: radians.x, roll: radians.z), width: Float(width),
            shadow: shadow, animations: animations, swing: swing)
    }

    private func animations(_ object: ManifestObject, of model: Model?) -> [PropAnimation] {
        var result: [PropAnimation] = []
        for element in object.optionalArray("animations") ?? [] {
            guard
                let played = ManifestObject(
                    element.value, reading, pointer: element.pointer, keys: ["name", "position"])
            else { continue }
            let name = played.string("name")
            let position = played.optionalAnimatableValue("position", in: 0...1)
            guard let name, let model else { continue }
            let known = model.rig?.animations ?? []
            guard let index = known.firstIndex(where: { $0.name == name }) else {
                let names = known.isEmpty ? "none" : ManifestObject.list(known.map { String($0.name.prefix(60)) })
                played.fault(
                    .unknownWord, "name", "\"\(name.prefix(60))\" is no animation of \(model.path), which has \(names)")
                continue
            }
            guard !result.contains(where: { $0.animation == index }) else {
                played.fault(.conflictingKeys, "name", "the animation \"\(name.prefix(60))\" is played twice")
                continue
            }
            result.append(PropAnimation(animation: index, position: position))
        }
        return result
    }

    private func model(named name: String, swinging swung: [Swung], _ object: ManifestObject) -> GLTFReader.Result? {
        guard let path = reading.path(name, "model", object) else { return nil }
        let key = TextureCache.ModelKey(path: path, swinging: Set(swung.map(\.name)))
        if let known = reading.model(key) {
            return known
        } else {
            do {
                let stamp = FileStamp(path)
                let result = try read(key)
                reading.keep(result, key, stamp)
                return result
            } catch {
                reading.add(MaskProblem(error.code, path: path, at: error.place, error.reason))
                return nil
            }
        }
    }

    private func read(_ key: TextureCache.ModelKey) throws(MaskReading.PictureFailure) -> GLTFReader.Result {
        var limits = ModelLimits()
        limits.pixels = max(0, min(limits.pixels, reading.texturePixelsLeft))
        return try reading.picture(key.path) { _ in
            try GLTFReader.read(
                try reading.bytes(key.path, limit: ModelLimits.maximumFileSize), path: key.path, limits: limits,
                swinging: key.swinging)
        } failure: { error in
            guard let error = error as? ModelError else {
                let file = error as? FileError
                return .init(code: file?.kind == .tooLarge ? .modelTooLarge : .fileUnreadable, reason: "\(error)")
            }
            return .init(
                code: error.code, reason: error.reason, place: error.pointer.isEmpty ? nil : .pointer(error.pointer))
        }
    }
}

extension MaskProblem {
    package init(_ error: ModelError, path: FilePath) {
        self.init(
            error.code, path: path, at: error.pointer.isEmpty ? nil : .pointer(error.pointer), error.reason)
    }
}

extension ModelError {
    fileprivate var code: MaskProblem.Code {
        switch kind {
        case .damaged: .modelDamaged
        case .tooLarge: .modelTooLarge
        case .external: .modelExternal
        case .cyclic: .modelCyclic
        case .number: .modelNumber
        case .unsupported: .modelUnsupported
        case .empty: .modelEmpty
        case .picture: .modelPicture
        }
    }
}
