import JSON
import Masks

/// Finding, adding, moving, grouping and removing layers.
extension MaskDocument {
    /// The place of a layer: its index among the manifest's layers, then its index in each group. Index 0 is drawn
    /// first.
    package typealias LayerPath = [Int]

    /// All layers from the top of the stack to the bottom; the layers of a group follow the group.
    package var layerPaths: [LayerPath] { Self.paths(manifest["layers"]?.elements ?? [], below: []) }

    private static func paths(_ layers: [JSONValue], below path: LayerPath) -> [LayerPath] {
        layers.indices.reversed().flatMap { index in
            [path + [index]] + paths(layers[index]["layers"]?.elements ?? [], below: path + [index])
        }
    }

    /// The layer below which a new deformation has an effect, as it changes what is painted above it: the selected one if that
    /// is painted on the face, or else the lowest one that is; nil: none is.
    package func deformed(with selection: LayerPath?) -> LayerPath? {
        func isPainted(_ path: LayerPath) -> Bool {
            let type = self[layer: path]?.layerType
            return type == .warp || type == .makeup
        }
        if let selection, isPainted(selection) { return selection }
        return layerPaths.last { $0.count == 1 && isPainted($0) }
    }

    /// The JSON pointer (RFC 6901) of a layer.
    package static func pointer(_ path: LayerPath) -> String { path.map { "/layers/\($0)" }.joined() }

    /// The layer at a path; nil if none exists. Setting nil, or a path without a layer, changes nothing.
    package subscript(layer path: LayerPath) -> JSONValue? {
        get {
            var value: JSONValue? = manifest
            for index in path {
                guard let layers = value?["layers"]?.elements, layers.indices.contains(index) else { return nil }
                value = layers[index]
            }
            return path.isEmpty ? nil : value
        }
        set {
            guard let newValue, let last = path.last else { return }
            change(siblingsOf: path) { if $0.indices.contains(last) { $0[last].layer = newValue } }
        }
    }

    /// The layers that share a parent (the manifest or a group) with the layer at `path`, that layer included.
    package func siblings(of path: LayerPath) -> [JSONValue] {
        let parent = Array(path.dropLast())
        return (parent.isEmpty ? manifest : self[layer: parent])?["layers"]?.elements ?? []
    }

    /// A layer, and which one it is.
    private struct Item {
        var layer: JSONValue
        var identity: LayerIdentity.Tree
    }

    private mutating func change(siblingsOf path: LayerPath, _ body: (inout [Item]) -> Void) {
        let changed = Self.changed(manifest, identities, path.dropLast(), body)
        manifest = changed.parent
        identities = LayerIdentity.tree(changed.identities, fitting: manifest["layers"])
    }

    private static func changed(
        _ parent: JSONValue, _ identities: [LayerIdentity.Tree], _ path: LayerPath.SubSequence,
        _ body: (inout [Item]) -> Void
    ) -> (parent: JSONValue, identities: [LayerIdentity.Tree]) {
        var items = zip(parent["layers"]?.elements ?? [], identities).map { Item(layer: $0, identity: $1) }
        if let index = path.first {
            guard items.indices.contains(index) else { return (parent, identities) }
            let item = items[index]
            (items[index].layer, items[index].identity.layers) = changed(
                item.layer, item.identity.layers, path.dropFirst(), body)
        } else {
            body(&items)
        }
        var parent = parent
        parent["layers"] = .array(items.map(\.layer))
        return (parent, items.map(\.identity))
    }

    /// Inserts a layer directly above another one; `nil`: on top of the stack.
    /// - Returns: its path.
    package mutating func insert(_ layer: JSONValue, above path: LayerPath?) -> LayerPath {
        let top = manifest["layers"]?.elements.count ?? 0
        let place = path.map { $0.dropLast() + [($0.last ?? 0) + 1] } ?? [top]
        insert(layer, at: place)
        return place
    }

    /// Inserts a layer where it is seen at once: directly above the selected one, or on top of the stack where something above
    /// that may cover it, or a group hides it.
    /// - Returns: its path.
    package mutating func insert(_ layer: JSONValue, inSightAt selection: LayerPath?) -> LayerPath {
        insert(layer, above: selection.flatMap { isInSight(above: $0) ? $0 : nil })
    }

    /// Whether a layer directly above this one would be seen. What a picture or a model covers depends on the face: it may be
    /// all.
    private func isInSight(above path: LayerPath) -> Bool {
        func isHidden(_ path: LayerPath) -> Bool {
            path.indices.contains { self[layer: Array(path[...$0])]?["hidden"]?.bool == true }
        }
        guard self[layer: path] != nil, !isHidden(path) else { return false }
        return !layerPaths.prefix { $0 != path }.contains { above in
            let mayCover = [.warp, .sticker, .prop].contains(self[layer: above]?.layerType)
            return mayCover && !isHidden(above)
        }
    }

    /// Inserts a layer directly below another one; `nil`: at the bottom of the stack.
    /// - Returns: its path.
    package mutating func insert(_ layer: JSONValue, below path: LayerPath?) -> LayerPath {
        let place = path ?? [0]
        insert(layer, at: place)
        return place
    }

    private mutating func insert(_ layer: JSONValue, at path: LayerPath) {
        insert(Item(layer: layer, identity: LayerIdentity.Tree(of: layer)), at: path)
    }

    private mutating func insert(_ item: Item, at path: LayerPath) {
        change(siblingsOf: path) { $0.insert(item, at: min($0.count, path.last ?? 0)) }
    }

    package mutating func remove(_ path: LayerPath) { _ = take(path) }

    /// Removes a layer, which may be inserted elsewhere.
    private mutating func take(_ path: LayerPath) -> Item? {
        guard self[layer: path] != nil, let last = path.last else { return nil }
        var taken: Item?
        change(siblingsOf: path) { taken = $0.remove(at: last) }
        return taken
    }

    /// Moves a layer by one place among its siblings. At the end of a group it moves out of the group; next to a group it
    /// moves into it. The last layer of a group stays: a group must not be empty.
    /// - Parameter step: 1 moves up (drawn later), −1 down.
    /// - Returns: the layer's new path.
    package mutating func move(_ path: LayerPath, by step: Int) -> LayerPath {
        guard self[layer: path] != nil, let last = path.last else { return path }
        let parent = Array(path.dropLast())
        let siblings = siblings(of: path)
        let target = last + step
        guard siblings.indices.contains(target) else {
            guard let index = parent.last, siblings.count > 1, let item = take(path) else { return path }
            let place = Array(parent.dropLast() + [step > 0 ? index + 1 : index])
            insert(item, at: place)
            return place
        }
        if siblings[target].layerType == .group {
            let count = siblings[target]["layers"]?.elements.count ?? 0
            guard let item = take(path) else { return path }
            // The removal moved everything above it down by one.
            let group = step > 0 ? target - 1 : target
            let place = parent + [group, step > 0 ? 0 : count]
            insert(item, at: place)
            return place
        }
        change(siblingsOf: path) { $0.swapAt(last, target) }
        return parent + [target]
    }

    /// Replaces a layer by a group that contains only this layer.
    package mutating func group(_ path: LayerPath) {
        guard let layer = self[layer: path], let last = path.last else { return }
        let group = JSONValue.object([
            "type": .string(LayerReader.LayerType.group.rawValue), "layers": .array([layer]),
        ])
        change(siblingsOf: path) {
            $0[last] = Item(layer: group, identity: LayerIdentity.Tree(layers: [$0[last].identity]))
        }
    }

    /// Replaces a group by its layers.
    package mutating func ungroup(_ path: LayerPath) {
        guard let children = self[layer: path]?["layers"]?.elements, let last = path.last else { return }
        change(siblingsOf: path) { siblings in
            let items = zip(children, siblings[last].identity.layers).map { Item(layer: $0, identity: $1) }
            siblings.replaceSubrange(last...last, with: items)
        }
    }
}
