import Files
import ImageFiles
import JSON
import Pixels

/// Textures and animations.
extension LayerReader {
    /// - Returns: the picture, and one texture of its size.
    func picture(
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

    func frames(_ description: ManifestObject) -> (frames: [Texture], seconds: [Double])? {
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
        } catch {
            description.fault(error.code, "file", error.reason)
        }
        return nil
    }

    private func movingPicture(
        _ path: FilePath, _ decode: MaskLoader.AnimationDecoder
    ) throws(MaskReading.PictureFailure) -> TextureCache.Frames {
        if let known = reading.animation(path) { return known }
        let stamp = FileStamp(path)
        let frames = try reading.picture(path) { seconds in
            var limits = MaskLoader.AnimationLimits()
            limits.pixels = reading.animationPixelsLeft
            limits.seconds = min(limits.seconds, seconds)
            return try decode(path, limits)
        } failure: { error in
            if let excess = error as? MaskLoader.AnimationExcess {
                return .init(code: .animationTooLarge, reason: "\(path): \(excess.reason)")
            }
            return .init(code: .animationUnreadable, reason: "\(error)")
        }
        reading.keep(frames, path, stamp)
        return frames
    }

    func numberedFrames(_ description: ManifestObject) -> [Texture]? {
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
            // Checked before the next one is read: frames may be large.
            if let excess = MaskLoader.AnimationLimits().excess(
                frames: frames.count, width: frame.pixels.width, height: frame.pixels.height)
            {
                description.fault(.animationTooLarge, "frames", excess)
                return nil
            }
        }
        return frames
    }

    func textureLayer(_ file: String, _ object: ManifestObject) -> String? {
        guard let layer = object.optionalString("textureLayer") else { return nil }
        if PaintedTexture.hasLayers(FilePath(file)) { return layer }
        object.fault(.conflictingKeys, "textureLayer", "has no effect: only OpenRaster and SVG files have layers")
        return nil
    }

    func texture(
        named name: String, _ key: String, _ object: ManifestObject, layer: String? = nil
    ) -> Texture? {
        guard let path = reading.path(name, key, object) else { return nil }
        if let known = reading.texture(path, layer: layer) { return known }
        let room = reading.texturePixelsLeft
        guard room > 0 else {
            object.fault(
                .texturesTooLarge, key, "\(path): is left out: earlier pictures use up the limit")
            return nil
        }
        do {
            let stamp = FileStamp(path)
            let texture = try read(path, layer: layer)
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
            object.fault(error.code, key, error.reason)
            return nil
        }
    }

    private func read(_ path: FilePath, layer: String?) throws(MaskReading.PictureFailure) -> Texture {
        try reading.picture(path, layer: layer) { seconds in
            try PaintedTexture.read(reading, path, layer: layer, seconds: seconds)
        } failure: { error in
            let code: MaskProblem.Code =
                switch (error as? PictureError)?.kind {
                case .unreadable: .fileUnreadable
                case .tooLarge, .outOfMemory: .textureTooLarge
                default: .textureUnreadable
                }
            return .init(code: code, reason: "\(error)")
        }
    }
}
