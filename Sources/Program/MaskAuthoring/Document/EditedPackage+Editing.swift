import FaceGeometry
import Files
import GLTF
import JSON
import Masks

/// The part of the document that the editor shows and changes.
extension EditedPackage {
    package var selectedLayer: JSONValue? { selection.flatMap { history.current[layer: $0] } }

    /// Which layer is selected: it stays the same while that is moved or changed; nil: none is.
    package var selectedIdentity: LayerIdentity? { selection.flatMap(history.current.identity) }

    /// The texture of the selected layer, or the first frame of its animation.
    package var selectedTexture: MaskReading.TextureUse? {
        guard let selection else { return nil }
        let pointer = MaskDocument.pointer(selection)
        let use = reading.textureUses.first {
            $0.pointer == pointer + "/texture" || $0.pointer == pointer + "/animation"
        }
        return use.flatMap { isOfSelection($0.texture.path, "texture") ? $0 : nil }
    }

    /// The model of the selected prop; nil: none is selected, or its file cannot be read.
    package var selectedModel: Model? {
        guard let selection else { return nil }
        let pointer = MaskDocument.pointer(selection) + "/model"
        let model = reading.modelUses.first { $0.pointer == pointer }?.model
        return model.flatMap { isOfSelection($0.path, "model") ? $0 : nil }
    }

    /// Whether the selected layer still names a file: while others are read, the reading is that of an earlier document.
    private func isOfSelection(_ path: FilePath, _ key: String) -> Bool {
        guard isReading, let name = selectedLayer?[key]?.string else { return true }
        return path == folder / FilePath(name)
    }

    /// The errors of a layer and of the layers in it, as of the last reading, in the order in which they were found.
    package func errors(of path: MaskDocument.LayerPath) -> [MaskProblem] {
        let pointer = MaskDocument.pointer(path)
        return reading.problems.listed.filter { problem in
            guard problem.code.severity == .error, let place = problem.pointer else { return false }
            return place == pointer || place.hasPrefix(pointer + "/")
        }
    }

    /// The texture's file name in the package.
    package func name(of texture: Texture) -> FilePath { texture.path.relative(to: folder) ?? texture.path.name }

    /// Files of the folder that can be textures, sorted.
    package var pictureNames: [String] {
        disk.stamps.keys.filter { PaintedTexture.canBe($0) && $0 != MaskLoader.thumbnailName }.sorted().compactMap(
            \.string)
    }

    /// Changes the document; the parameters are those of `EditHistory.change`.
    package func change(_ name: String, edit: String? = nil, _ body: (inout MaskDocument) -> Void) {
        history.change(name, edit: edit, body)
    }

    /// Sets a key of the selected layer; nil removes it.
    /// - Parameter step: the step's name; nil: "set" and the key.
    package func setSelected(_ key: String, _ value: JSONValue?, step: String? = nil) {
        guard let selection else { return }
        history.change(step ?? "set \(key)", edit: "\(selection) \(key)") { $0[layer: selection]?[key] = value }
    }

    /// Removes the selected layer unless it is the only one of the mask or of its group.
    package func removeSelected() {
        guard let path = selection else { return }
        guard history.current.siblings(of: path).count > 1 else {
            let whole = path.count > 1 ? "group" : "mask"
            return show("The only layer of a \(whole) stays: add another one first", true)
        }
        change("remove layer") { $0.remove(path) }
        selection = path.dropLast() + [max(0, (path.last ?? 0) - 1)]
    }

    // MARK: Points

    /// The mesh's vertices on the texture, in its pixels; nil for a sticker.
    package func points(of use: MaskReading.TextureUse) -> [Point]? {
        switch use.purpose {
        case .canonicalUV:
            let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
            return reference.vertices.map { $0 * size }
        case .landmarks(let points, _, _): return points
        case .sticker: return nil
        }
    }

    /// Stores moved vertices. A texture in canonical UV gets a points file of its own.
    /// - Parameters:
    ///   - points: all 79 vertices, in pixels of the texture.
    ///   - vertex: the one that the user moved.
    ///   - edit: as in `EditHistory.change`.
    package func set(_ points: [Point], of use: MaskReading.TextureUse, moved vertex: Int, edit: String?) {
        set(points, of: use, moved: vertex, step: "move point \(vertex + 1)", edit: edit)
    }

    /// Stores all vertices anew, as one step.
    /// - Parameter points: all 79 vertices, in pixels of the texture.
    package func place(_ points: [Point], of use: MaskReading.TextureUse) {
        set(points, of: use, moved: points.count - 1, step: "place the points", edit: nil)
    }

    private func set(
        _ points: [Point], of use: MaskReading.TextureUse, moved vertex: Int, step: String, edit: String?
    ) {
        guard let selection else { return }
        let texture = name(of: use.texture)
        let taken = Array(disk.stamps.keys)
        let limit = PointsFile.largestCoordinate
        let points = points.map { pointwiseMax(Point(-limit, -limit), pointwiseMin(Point(limit, limit), $0)) }
        history.change(step, edit: edit) { document in
            switch use.purpose {
            case .canonicalUV:
                let name = document.newPointsName(for: texture, taken: taken)
                document.points[name] = points
                document[layer: selection]?["landmarks"] = .string(name.description)
            case .landmarks(_, let path, let given):
                // Head points that the file does not contain follow the landmarks until one of them is moved.
                guard let name = path.relative(to: folder) else { return }
                document.points[name] = vertex < given ? Array(points.prefix(given)) : points
            case .sticker: break
            }
        }
    }
}
