import FaceGeometry
import ImageFiles
import JSON
import Pixels

/// Reads the layers of a manifest.
package struct LayerReader {
    let reference: ReferenceFace
    let animations: MaskLoader.AnimationDecoder?
    let folder: String
    /// The manifest's.
    let path: String
    private let limits = MaskLoader.AnimationLimits()

    init(reference: ReferenceFace, animations: MaskLoader.AnimationDecoder?, folder: String, path: String) {
        self.reference = reference
        self.animations = animations
        self.folder = folder
        self.path = path
    }

    package enum LayerType: String, CaseIterable { case warp, sticker, deform, group }

    /// The keys of each type; an object with others is refused.
    package static func keys(of type: LayerType) -> [String] {
        let common = ["type", "opacity", "when", "blinks", "faces"]
        let colored = ["blend", "light"]
        let picture = ["texture", "animation"]
        return switch type {
        case .warp: common + colored + picture + ["live", "landmarks", "openings"]
        case .sticker: common + colored + picture + ["anchor", "width", "offset", "angle", "center"]
        case .deform: common.filter { $0 != "opacity" } + ["controls"]
        case .group: common + ["layers"]
        }
    }

    private enum Live: String, CaseIterable { case face, swap }

    /// - Returns: one layer, or all those of a group.
    func layers(_ value: JSONValue, pointer: String, depth: Int = 0) throws(MaskError) -> [Layer] {
        let known = Array(Set(LayerType.allCases.flatMap(Self.keys))).sorted()
        let any = try ManifestObject(value, path: path, pointer: pointer, keys: known)
        guard let type = try any.optionalCase("type", as: LayerType.self) else {
            let names = LayerType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw any.error("type", "is missing; possible are \(names)")
        }
        let object = try ManifestObject(value, path: path, pointer: pointer, keys: Self.keys(of: type))
        var result: [Layer] = []
        switch type {
        case .warp: result = [Layer(.warp(try warp(object)))]
        case .sticker: result = [Layer(.sticker(try sticker(object)))]
        case .deform: result = [Layer(.deform(try deformation(object)))]
        case .group:
            guard depth < MaskLoader.maximumGroupDepth else {
                throw object.error("layers", "lies in more than \(MaskLoader.maximumGroupDepth) groups")
            }
            guard let children = try object.optionalArray("layers"), !children.isEmpty else {
                throw object.error("layers", "must be an array of at least one layer")
            }
            for child in children {
                result += try layers(child.value, pointer: child.pointer, depth: depth + 1)
                guard result.count <= MaskLoader.maximumLayers else {
                    throw object.error("layers", "has more than \(MaskLoader.maximumLayers) layers")
                }
            }
        }
        let opacity = type == .deform ? nil : try object.optionalDrivenNumber("opacity", in: 0...1)
        let condition = try condition(object)
        let choice = try choice(object)
        for index in result.indices {
            if let opacity { result[index].opacities.append(opacity) }
            if let condition { result[index].conditions.append(condition) }
            if let choice { result[index].choices.append(choice) }
        }
        if type == .warp || type == .sticker {
            result[0].blendMode = try object.optionalCase("blend", as: BlendMode.self) ?? .normal
            if let light = try object.optionalObject("light", keys: ["shading", "detail", "color"]) {
                func share(_ key: String) throws(MaskError) -> Float {
                    Float(try light.optionalNumber(key, in: 0...1) ?? 0)
                }
                result[0].light = LightMatching(
                    shading: try share("shading"), detail: try share("detail"), color: try share("color"))
            }
        }
        return result
    }

    // MARK: When and for whom

    private func condition(_ object: ManifestObject) throws(MaskError) -> Condition? {
        var condition = Condition()
        let names = Condition.names.flatMap { entry in
            [
                (name: entry.name, value: (entry.states, true)),
                (name: "not \(entry.name)", value: (entry.states, false)),
            ]
        }
        for (states, isNeeded) in try object.optionalNames("when", among: names) ?? [] {
            if isNeeded { condition.needed.formUnion(states) } else { condition.excluded.formUnion(states) }
        }
        if let blinks = try object.optionalObject("blinks", keys: ["of", "is"]) {
            let count = try blinks.number("of", in: 2...100)
            let turn = try blinks.number("is", in: 0...(count - 1))
            guard count == count.rounded(), turn == turn.rounded() else {
                throw object.error("blinks", "counts in whole numbers")
            }
            condition.blinks = .init(count: Int(count), turn: Int(turn))
        }
        return condition == Condition() ? nil : condition
    }

    private func choice(_ object: ManifestObject) throws(MaskError) -> WearerChoice? {
        if case .string(let name)? = object.value("faces") {
            guard let known = WearerChoice.names.first(where: { $0.name == name }) else {
                let names = WearerChoice.names.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw object.error("faces", "\"\(name)\" is not known; possible are \(names) and whole numbers from 1")
            }
            return known.choice
        }
        guard let number = try object.optionalNumber("faces", in: 1...1000) else { return nil }
        guard number == number.rounded() else { throw object.error("faces", "must be a whole number") }
        return .number(Int(number))
    }

    // MARK: Kinds of layers

    private func warp(_ object: ManifestObject) throws(MaskError) -> WarpLayer {
        let openings = Set(
            try object.optionalNames("openings", among: FaceMesh.Opening.allCases.map { ($0.rawValue, $0) })
                ?? FaceMesh.Opening.allCases)
        if let live = try object.optionalCase("live", as: Live.self) {
            for key in ["texture", "animation", "landmarks"] where object.value(key) != nil {
                throw object.error(key, "cannot be together with \"live\"")
            }
            return WarpLayer(
                picture: live == .face ? .ownFace : .otherFace, textureCoordinates: reference.vertices,
                openings: object.value("openings") == nil ? [] : openings)
        }
        let (picture, texture) = try picture(object)
        return WarpLayer(
            picture: picture, textureCoordinates: try textureCoordinates(object, texture: texture),
            openings: openings)
    }

    private func sticker(_ object: ManifestObject) throws(MaskError) -> StickerLayer {
        guard let anchor = try object.optionalCase("anchor", as: StickerLayer.Anchor.self) else {
            throw object.missing("anchor")
        }
        let offset = try object.optionalPair("offset", in: -3...3) ?? (0, 0)
        let center = try object.optionalPair("center", in: -2...3) ?? (0.5, 0.5)
        return StickerLayer(
            picture: try picture(object).picture, anchor: anchor,
            width: Float(try object.number("width", in: 0.01...10)),
            offset: Point(Float(offset.0), Float(offset.1)),
            angle: Float(try object.optionalNumber("angle", in: -360...360) ?? 0) * .pi / 180,
            center: Point(Float(center.0), Float(center.1)))
    }

    private func deformation(_ object: ManifestObject) throws(MaskError) -> Deformation {
        let names = Deformation.Control.allCases.map(\.rawValue)
        guard let controls = try object.optionalObject("controls", keys: names) else {
            throw object.missing("controls")
        }
        var strengths: [Deformation.Control: DrivenNumber] = [:]
        for control in Deformation.Control.allCases {
            strengths[control] = try controls.optionalDrivenNumber(control.rawValue, in: -1...1)
        }
        return Deformation(strengths)
    }

    // MARK: Pictures

    /// - Returns: the picture, and one texture of its size.
    private func picture(_ object: ManifestObject) throws(MaskError) -> (picture: LayerPicture, texture: Texture) {
        if object.value("animation") == nil {
            let name = try object.string("texture")
            let texture = try texture(named: name, key: "texture", object)
            return (.texture(texture), texture)
        }
        if object.value("texture") != nil { throw object.error("texture", "cannot be together with \"animation\"") }
        guard
            let description = try object.optionalObject(
                "animation", keys: ["file", "frames", "frameSeconds", "position"])
        else { throw object.missing("animation") }
        let position = try description.optionalDrivenNumber("position", in: 0...1)
        let (frames, seconds) = try frames(description)
        guard let first = frames.first else { throw description.error("frames", "must have at least one picture") }
        for frame in frames
        where frame.pixels.width != first.pixels.width || frame.pixels.height != first.pixels.height {
            throw description.error("frames", "\(frame.path) has another size than \(first.path)")
        }
        return (.animation(Animation(frames: frames, durations: seconds, position: position)), first)
    }

    private func frames(_ description: ManifestObject) throws(MaskError) -> (frames: [Texture], seconds: [Double]) {
        let frameSeconds = try description.optionalNumber("frameSeconds", in: 0.01...60)
        guard let names = try description.optionalArray("frames") else {
            let name = try description.string("file")
            let path = try MaskLoader.path(name, in: folder, key: "file", description)
            guard let animations else {
                throw description.error("file", "moving pictures cannot be read here; numbered frames can")
            }
            do {
                let (frames, seconds) = try animations(path, limits)
                return (frames, frameSeconds.map { length in frames.map { _ in length } } ?? seconds)
            } catch let error as MaskError {
                throw error
            } catch {
                throw description.error("file", "\(error)")
            }
        }
        if description.value("file") != nil { throw description.error("file", "cannot be together with \"frames\"") }
        guard names.count <= MaskLoader.maximumFrames else {
            throw description.error("frames", "has \(names.count) frames; \(MaskLoader.maximumFrames) is the limit")
        }
        var frames: [Texture] = []
        for (index, name) in names.enumerated() {
            guard case .string(let name) = name.value else {
                throw MaskError(path: path, pointer: name.pointer, "must be a string, not \(name.value.kind)")
            }
            frames.append(try texture(named: name, key: "frames/\(index)", description))
            let (width, height) = (frames[index].pixels.width, frames[index].pixels.height)
            // Before the next one is read: they may be large.
            if let excess = limits.excess(frames: index + 1, width: width, height: height) {
                throw description.error("frames", excess)
            }
        }
        return (frames, frames.map { _ in frameSeconds ?? 0.1 })
    }

    private func texture(named name: String, key: String, _ object: ManifestObject) throws(MaskError) -> Texture {
        let path = try MaskLoader.path(name, in: folder, key: key, object)
        let picture: Picture
        do {
            if path.lowercased().hasSuffix(".ora") {
                let bytes = try FileContents.read(path, limit: MaskArchive.maximumArchiveSize)
                picture = try OpenRaster.painting(bytes, path: path, maximumSide: MaskLoader.maximumTextureSide)
            } else {
                picture = try PictureReader.read(path, maximumSide: MaskLoader.maximumTextureSide)
            }
        } catch {
            throw object.error(key, "\(error)")
        }
        do {
            return Texture(path: path, pixels: try picture.pixels.withEightBits())
        } catch {
            throw object.error(key, "\(error)")
        }
    }

    private func textureCoordinates(_ object: ManifestObject, texture: Texture) throws(MaskError) -> [Point] {
        let name = try object.optionalString("landmarks") ?? "reference"
        guard name != "reference" else { return reference.vertices }
        let path = try MaskLoader.path(name, in: folder, key: "landmarks", object)
        let text = String(
            decoding: try MaskLoader.read(path, limit: MaskLoader.maximumPointsFileSize), as: UTF8.self)
        var points: [Point]
        do {
            points = try PointsFile.parse(text)
        } catch {
            throw MaskError(path: path, "\(error)")
        }
        switch points.count {
        case ReferenceFace.vertexCount: break
        case Landmarks.count:
            // The face in the texture has no head points of its own: they are placed as on any face.
            guard let landmarks = Landmarks(points) else {
                throw MaskError(path: path, "has a point that is not finite")
            }
            points +=
                AffineCamera(fitting: landmarks, to: reference).headPoints(of: reference, landmarks: landmarks).points
        default:
            throw MaskError(
                path: path,
                "has \(points.count) points; \(Landmarks.count) landmarks are needed, or \(ReferenceFace.vertexCount) "
                    + "with head points"
            )
        }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        return points.map { $0 / size }
    }
}
