import FaceGeometry
import ImageFiles
import JSON
import Pixels

/// Reads the layers of a manifest. What is faulty goes into the reading; a layer that cannot be made is left out.
package struct LayerReader {
    let reference: ReferenceFace
    let animations: MaskLoader.AnimationDecoder?
    let reading: MaskReading
    private let limits = MaskLoader.AnimationLimits()

    init(reference: ReferenceFace, animations: MaskLoader.AnimationDecoder?, reading: MaskReading) {
        self.reference = reference
        self.animations = animations
        self.reading = reading
    }

    package enum LayerType: String, CaseIterable, Sendable { case warp, sticker, deform, group }

    /// The keys of each type; an object with others is refused.
    package static func keys(of type: LayerType) -> [String] {
        let common = ["type", "hidden", "opacity", "when", "blinks", "faces"]
        let colored = ["blend", "light"]
        let picture = ["texture", "textureLayer", "animation"]
        return switch type {
        case .warp: common + colored + picture + ["live", "landmarks", "openings", "feather"]
        case .sticker: common + colored + picture + ["anchor", "width", "offset", "angle", "center"]
        case .deform: common.filter { $0 != "opacity" } + ["controls"]
        case .group: common + ["layers"]
        }
    }

    package enum Live: String, CaseIterable, Sendable { case face, swap }

    /// A layer, and where in the manifest it is.
    typealias PlacedLayer = (layer: Layer, pointer: String)

    /// - Returns: one layer, or all those of a group; none when they are hidden.
    func layers(_ value: JSONValue, pointer: String, depth: Int = 0) -> [PlacedLayer] {
        let known = Array(Set(LayerType.allCases.flatMap(Self.keys))).sorted()
        // Looked at for its type alone; what is wrong with the keys depends on it.
        guard case .object(let members) = value, members.contains(where: { $0.key == "type" }) else {
            if let any = ManifestObject(value, reading, pointer: pointer, keys: known) {
                any.fault(
                    .missingKey, "type",
                    "is missing; possible are \(ManifestObject.list(LayerType.allCases.map(\.rawValue)))")
            }
            return []
        }
        guard
            let type = ManifestObject(
                .object(members.filter { $0.key == "type" }), reading, pointer: pointer, keys: known)?
                .optionalCase("type", as: LayerType.self),
            let object = ManifestObject(value, reading, pointer: pointer, keys: Self.keys(of: type))
        else { return [] }
        var result: [PlacedLayer] = []
        switch type {
        case .warp: if let warp = warp(object) { result = [(Layer(.warp(warp)), pointer)] }
        case .sticker: if let sticker = sticker(object) { result = [(Layer(.sticker(sticker)), pointer)] }
        case .deform: if let deformation = deformation(object) { result = [(Layer(.deform(deformation)), pointer)] }
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
        if type == .warp || type == .sticker {
            let blendMode = object.optionalCase("blend", as: BlendMode.self) ?? .normal
            let light = light(object)
            for index in result.indices {
                result[index].layer.blendMode = blendMode
                result[index].layer.light = light
            }
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
            guard result.count <= MaskLoader.maximumLayers else {
                object.fault(.tooManyLayers, "layers", "has more than \(MaskLoader.maximumLayers) layers")
                break
            }
        }
        return result
    }

    private func light(_ object: ManifestObject) -> LightMatching {
        guard let light = object.optionalObject("light", keys: ["shading", "detail", "color"]) else {
            return LightMatching()
        }
        func share(_ key: String) -> Float { Float(light.optionalNumber(key, in: 0...1) ?? 0) }
        return LightMatching(shading: share("shading"), detail: share("detail"), color: share("color"))
    }

    // MARK: When and for whom

    private func condition(_ object: ManifestObject) -> Condition? {
        var condition = Condition()
        let names = Condition.names.flatMap { entry in
            [
                (name: entry.name, value: (entry.states, true)),
                (name: "not \(entry.name)", value: (entry.states, false)),
            ]
        }
        for (states, isNeeded) in object.optionalNames("when", among: names) ?? [] {
            if isNeeded { condition.needed.formUnion(states) } else { condition.excluded.formUnion(states) }
        }
        if let blinks = object.optionalObject("blinks", keys: ["of", "is"]),
            let count = blinks.number("of", in: 2...100), let turn = blinks.number("is", in: 0...(count - 1))
        {
            if count == count.rounded(), turn == turn.rounded() {
                condition.blinks = .init(count: Int(count), turn: Int(turn))
            } else {
                object.fault(.outOfRange, "blinks", "counts in whole numbers")
            }
        }
        return condition == Condition() ? nil : condition
    }

    private func choice(_ object: ManifestObject) -> FaceSelector? {
        if case .string(let name)? = object.value("faces") {
            let known = FaceSelector.names.first { $0.name == name }
            if known == nil {
                let names = ManifestObject.list(FaceSelector.names.map(\.name))
                object.fault(
                    .unknownWord, "faces", "\"\(name)\" is not known; possible are \(names) and whole numbers from 1")
            }
            return known?.choice
        }
        guard let number = object.optionalNumber("faces", in: 1...1000) else { return nil }
        if number != number.rounded() { object.fault(.outOfRange, "faces", "must be a whole number") }
        return .number(Int(number))
    }

    // MARK: Kinds of layers

    private func warp(_ object: ManifestObject) -> WarpLayer? {
        let openings = object.optionalNames("openings", among: FaceMesh.Opening.allCases.map { ($0.rawValue, $0) })
        let feather =
            object.optionalNumber("feather", in: WarpLayer.featherRange).map { Float($0) } ?? WarpLayer.defaultFeather
        if object.has("live") {
            for key in ["texture", "textureLayer", "animation", "landmarks"] where object.has(key) {
                object.fault(.conflictingKeys, key, "cannot be together with \"live\"")
            }
            return object.optionalCase("live", as: Live.self).map { live in
                WarpLayer(
                    picture: live == .face ? .ownFace : .otherFace, textureCoordinates: reference.vertices,
                    openings: Set(openings ?? []), feather: feather)
            }
        }
        let points = points(object)
        guard
            let (picture, texture) = picture(
                object,
                purpose: points.map { .landmarks($0.points, path: $0.path, given: $0.given) }
                    ?? .sheet)
        else { return nil }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        return WarpLayer(
            picture: picture, textureCoordinates: points?.points.map { $0 / size } ?? reference.vertices,
            openings: Set(openings ?? FaceMesh.Opening.allCases), feather: feather)
    }

    private func sticker(_ object: ManifestObject) -> StickerLayer? {
        if !object.has("anchor") { object.missing("anchor") }
        let anchor = object.optionalCase("anchor", as: StickerLayer.Anchor.self)
        let offset = object.optionalPair("offset", in: -3...3) ?? (0, 0)
        let center = object.optionalPair("center", in: -2...3) ?? (0.5, 0.5)
        let width = object.number("width", in: 0.01...10)
        let angle = object.optionalNumber("angle", in: -360...360) ?? 0
        let picture = picture(object, purpose: .sticker(width: Float(width ?? 1)))?.picture
        guard let anchor, let width, let picture else { return nil }
        return StickerLayer(
            picture: picture, anchor: anchor, width: Float(width), offset: Point(Float(offset.0), Float(offset.1)),
            angle: Float(angle) * .pi / 180, center: Point(Float(center.0), Float(center.1)))
    }

    private func deformation(_ object: ManifestObject) -> Deformation? {
        if !object.has("controls") { object.missing("controls") }
        let names = Deformation.Control.allCases.map(\.rawValue)
        guard let controls = object.optionalObject("controls", keys: names) else { return nil }
        var strengths: [Deformation.Control: AnimatableValue] = [:]
        for control in Deformation.Control.allCases {
            strengths[control] = controls.optionalAnimatableValue(control.rawValue, in: -1...1)
        }
        return Deformation(strengths)
    }

    // MARK: Pictures

    /// - Returns: the picture, and one texture of its size.
    private func picture(
        _ object: ManifestObject, purpose: MaskReading.TextureUse.Purpose
    ) -> (picture: LayerPicture, texture: Texture)? {
        guard object.has("animation") else {
            guard let name = object.string("texture"),
                let texture = texture(named: name, "texture", object, layer: textureLayer(name, object))
            else {
                return nil
            }
            reading.note(.init(texture: texture, pointer: object.pointer + "/texture", purpose: purpose))
            return (.texture(texture), texture)
        }
        for key in ["texture", "textureLayer"] where object.has(key) {
            object.fault(.conflictingKeys, key, "cannot be together with \"animation\"")
        }
        guard
            let description = object.optionalObject(
                "animation", keys: ["file", "frames", "frameSeconds", "position"])
        else { return nil }
        let position = description.optionalAnimatableValue("position", in: 0...1)
        guard let (frames, seconds) = frames(description), let first = frames.first else { return nil }
        for frame in frames
        where frame.pixels.width != first.pixels.width || frame.pixels.height != first.pixels.height {
            description.fault(.frameSizes, "frames", "\(frame.path) has another size than \(first.path)")
            return nil
        }
        reading.note(.init(texture: first, pointer: object.pointer + "/animation", purpose: purpose))
        return (.animation(Animation(frames: frames, durations: seconds, position: position)), first)
    }

    private func frames(_ description: ManifestObject) -> (frames: [Texture], seconds: [Double])? {
        let frameSeconds = description.optionalNumber("frameSeconds", in: 0.01...60)
        if description.has("frames") {
            if description.has("file") {
                description.fault(.conflictingKeys, "file", "cannot be together with \"frames\"")
            }
            return numberedFrames(description).map { ($0, $0.map { _ in frameSeconds ?? 0.1 }) }
        }
        guard let name = description.string("file"), let path = reading.path(name, "file", description) else {
            return nil
        }
        guard let animations else {
            description.fault(.animationUnreadable, "file", "moving pictures cannot be read here; numbered frames can")
            return nil
        }
        do {
            let (frames, seconds) = try movingPicture(path, animations)
            return (frames, frameSeconds.map { length in frames.map { _ in length } } ?? seconds)
        } catch let excess as MaskLoader.AnimationExcess {
            description.fault(.animationTooLarge, "file", "\(path): \(excess.reason)")
        } catch {
            description.fault(.animationUnreadable, "file", "\(error)")
        }
        return nil
    }

    private func movingPicture(
        _ path: String, _ decode: MaskLoader.AnimationDecoder
    ) throws -> TextureCache.Frames {
        if let known = reading.files.textures?.animation(path) { return known }
        let stamp = FileStamp(path)
        let frames = try decode(path, limits)
        reading.files.textures?.keep(frames, path, stamp)
        return frames
    }

    private func numberedFrames(_ description: ManifestObject) -> [Texture]? {
        guard let names = description.filledArray("frames", of: "picture") else { return nil }
        guard names.count <= MaskLoader.maximumFrames else {
            description.fault(
                .animationTooLarge, "frames", "has \(names.count) frames; \(MaskLoader.maximumFrames) is the limit")
            return nil
        }
        var frames: [Texture] = []
        for (index, name) in names.enumerated() {
            guard case .string(let string) = name.value else {
                reading.add(.wrongType, at: name.pointer, "must be a string, not \(name.value.kind)")
                continue
            }
            guard let frame = texture(named: string, "frames/\(index)", description) else { continue }
            frames.append(frame)
            // Before the next one is read: they may be large.
            if let excess = limits.excess(
                frames: frames.count, width: frame.pixels.width, height: frame.pixels.height)
            {
                description.fault(.animationTooLarge, "frames", excess)
                return nil
            }
        }
        return frames
    }

    private func textureLayer(_ file: String, _ object: ManifestObject) -> String? {
        guard let layer = object.optionalString("textureLayer") else { return nil }
        if PaintedTexture.hasLayers(file) { return layer }
        object.fault(.conflictingKeys, "textureLayer", "is of no use: only OpenRaster and SVG files have layers")
        return nil
    }

    private func texture(
        named name: String, _ key: String, _ object: ManifestObject, layer: String? = nil
    ) -> Texture? {
        guard let path = reading.path(name, key, object) else { return nil }
        if let known = reading.texture(path, layer: layer) { return known }
        let room = reading.texturePixelsLeft
        guard room > 0 else {
            object.fault(
                .texturesTooLarge, key, "\(path): is left out: the pictures before it are as large as all may be")
            return nil
        }
        do {
            let stamp = FileStamp(path)
            let texture = try PaintedTexture.read(path, layer: layer)
            reading.keep(texture, path, layer: layer, stamp)
            guard texture.pixels.width * texture.pixels.height <= room else {
                object.fault(
                    .texturesTooLarge, key,
                    "\(path): with it the pictures have more than \(MaskLoader.maximumTexturePixels >> 20) million "
                        + "pixels together, the limit")
                return nil
            }
            return texture
        } catch {
            let code: MaskProblem.Code =
                switch error.kind {
                case .unreadable: .fileUnreadable
                case .tooLarge, .outOfMemory: .textureTooLarge
                default: .textureUnreadable
                }
            object.fault(code, key, "\(error)")
            return nil
        }
    }

    // MARK: Landmarks

    /// The vertices on the texture, in its pixels; nil: those of the reference sheet.
    private func points(_ object: ManifestObject) -> (points: [Point], path: String, given: Int)? {
        guard let name = object.optionalString("landmarks"), name != "reference",
            let path = reading.path(name, "landmarks", object)
        else { return nil }
        var points: [Point]
        do {
            let bytes = try reading.bytes(name, limit: MaskLoader.maximumPointsFileSize)
            points = try PointsFile.parse(String(decoding: bytes, as: UTF8.self))
        } catch let error as ParseError {
            reading.add(
                MaskProblem(.landmarksUnreadable, path: path, at: error.line.map { .line($0) }, error.reason))
            return nil
        } catch {
            object.fault(.fileUnreadable, "landmarks", "\(error)")
            return nil
        }
        let given = points.count
        switch given {
        case ReferenceFace.vertexCount: break
        case Landmarks.count:
            // The face in the texture has no head points of its own: they are placed as on any face.
            guard let landmarks = Landmarks(points) else { return nil }
            points +=
                AffineCamera(fitting: landmarks, to: reference).headPoints(of: reference, landmarks: landmarks).points
        default:
            reading.add(
                MaskProblem(
                    .landmarksCount, path: path,
                    "has \(points.count) points; \(Landmarks.count) landmarks are needed, or "
                        + "\(ReferenceFace.vertexCount) with head points"))
            return nil
        }
        return (points, path, given)
    }
}
