import FaceGeometry

/// The keys that are particular to each type of layer.
extension LayerReader {
    func warp(_ object: ManifestObject) -> WarpLayer? {
        let openings = object.optionalNames("openings", among: FaceMesh.Opening.allCases.map { ($0.rawValue, $0) })
        let feather =
            object.optionalNumber("feather", in: WarpLayer.featherRange).map { Float($0) } ?? WarpLayer.defaultFeather
        func needsSwap() { object.fault(.conflictingKeys, "alone", "needs \"live\": \"swap\"") }
        let alone = object.optionalCase("alone", as: Alone.self)
        if object.has("live") {
            for key in ["texture", "textureLayer", "animation", "landmarks"] where object.has(key) {
                object.fault(.conflictingKeys, key, "cannot be together with \"live\"")
            }
            return object.optionalCase("live", as: Live.self).map { live in
                var warp = WarpLayer(
                    picture: live == .face ? .ownFace : .otherFace, textureCoordinates: reference.vertices,
                    openings: Set(openings ?? []), feather: feather)
                warp.growsAlone = alone == .large
                if live != .swap, object.has("alone") { needsSwap() }
                return warp
            }
        }
        if object.has("alone") { needsSwap() }
        let points = points(object)
        guard
            let (picture, texture) = picture(
                object,
                purpose: points.map { .landmarks($0.points, path: $0.path, given: $0.given) }
                    ?? .canonicalUV)
        else { return nil }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        return WarpLayer(
            picture: picture, textureCoordinates: points?.points.map { $0 / size } ?? reference.vertices,
            openings: Set(openings ?? FaceMesh.Opening.allCases), feather: feather)
    }

    func makeup(_ object: ManifestObject) -> Layer? {
        let color = object.optionalColor("color")
        func number(_ key: String, in range: ClosedRange<Double> = 0...1) -> Float {
            Float(object.optionalNumber(key, in: range) ?? 0)
        }
        let makeup = Makeup(
            color: color, gloss: number("gloss", in: -1...1), smoothing: number("smoothing"),
            brightening: number("brightening"))
        let effects = ["color", "gloss", "smoothing", "brightening"]
        if !effects.contains(where: object.has) {
            object.fault(.missingKey, "type", "needs one of \(ManifestObject.list(effects))")
        }
        guard let warp = warp(object) else { return nil }
        var layer = Layer(.warp(warp))
        layer.makeup = makeup
        return layer
    }

    func hair(_ object: ManifestObject) -> Layer? {
        if !object.has("color") { object.missing("color") }
        return object.optionalColor("color").map { Layer(.hair(color: $0)) }
    }

    func comic(_ object: ManifestObject) -> Comic {
        var comic = Comic()
        if let levels = object.optionalNumber("levels", in: Comic.levelRange) { comic.levels = Float(levels) }
        if let lines = object.optionalNumber("lines", in: Comic.lineRange) { comic.lines = Float(lines) }
        if let smoothing = object.optionalNumber("smoothing", in: 0...1) { comic.smoothing = Float(smoothing) }
        if let color = object.optionalColor("color") { comic.color = color }
        return comic
    }

    func sticker(_ object: ManifestObject) -> StickerLayer? {
        if !object.has("anchor") { object.missing("anchor") }
        let anchor = object.optionalCase("anchor", as: StickerLayer.Anchor.self)
        let offset = object.optionalPair("offset", in: -3...3) ?? (0, 0)
        let center = object.optionalPair("center", in: -2...3) ?? (0.5, 0.5)
        let depth = object.optionalNumber("depth", in: -3...3) ?? 0
        let width = object.number("width", in: 0.01...10)
        let angle = object.optionalNumber("angle", in: -360...360) ?? 0
        let picture = picture(object, purpose: .sticker(width: Float(width ?? 1)))?.picture
        guard let anchor, let width, let picture else { return nil }
        var sticker = StickerLayer(
            picture: picture, anchor: anchor, width: Float(width), offset: Point(Float(offset.0), Float(offset.1)),
            depth: Float(depth), angle: Float(angle) * .pi / 180, center: Point(Float(center.0), Float(center.1)))
        sticker.staysInside = object.optionalBool("inside") == true
        return sticker
    }

    /// What is behind people: it is no layer on a face, but the reading's.
    func background(_ object: ManifestObject, isInGroup: Bool) {
        func refuse(_ reason: String) { reading.add(.conflictingKeys, at: object.pointer, reason) }
        if isInGroup { return refuse("a background cannot be in a group: it is that of the whole picture") }
        if reading.background.isGiven { return refuse("is the second background; a mask has one at most") }
        reading.background.isGiven = true
        let given = ["blur", "color", "texture"].filter(object.has)
        guard let key = given.first else {
            return reading.add(
                .missingKey, at: object.pointer, "one of the keys \"blur\", \"color\" and \"texture\" is needed")
        }
        for other in given.dropFirst() { object.fault(.conflictingKeys, other, "cannot be together with \"\(key)\"") }
        var background: Mask.Background?
        switch key {
        case "blur":
            let isBlurred = object.optionalBool(key)
            if isBlurred == false {
                object.fault(.unknownWord, key, "must be true; a background without blur is left out")
            }
            background = isBlurred.map { _ in .blur }
        case "color":
            background = object.optionalString(key).flatMap { text in
                let color = Mask.Background(color: text)
                if color == nil { object.fault(.unknownWord, key, "must be a colour such as \"#00ff00\"") }
                return color
            }
        default:
            background = object.optionalString(key).flatMap { name in
                texture(named: name, key, object, layer: textureLayer(name, object)).map { .picture($0) }
            }
        }
        if object.has("textureLayer"), key != "texture" {
            object.fault(.conflictingKeys, "textureLayer", "cannot be together with \"\(key)\"")
        }
        if object.optionalBool("hidden") != true { reading.background.shown = background }
    }

    func deformation(_ object: ManifestObject) -> Deformation? {
        if !object.has("controls") { object.missing("controls") }
        let names = Deformation.Control.allCases.map(\.rawValue)
        guard let controls = object.optionalObject("controls", keys: names) else { return nil }
        var strengths: [Deformation.Control: AnimatableValue] = [:]
        for control in Deformation.Control.allCases {
            strengths[control] = controls.optionalAnimatableValue(control.rawValue, in: -1...1)
        }
        return Deformation(strengths)
    }
}
