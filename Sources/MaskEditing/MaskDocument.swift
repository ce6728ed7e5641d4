import FaceGeometry
import JSON
import Masks

/// A mask package as it is edited: the manifest and the points files. Everything in it is a value, so that a step back
/// is the value before.
package struct MaskDocument: Equatable, Sendable {
    package var manifest: JSONValue
    /// Points files by name, in pixels of the texture that they belong to.
    package var points: [String: [Point]] = [:]

    package init(manifest: JSONValue) { self.manifest = manifest }

    /// Where a layer is: its place among the manifest's layers, then in each group, counted from 0, the lowest first.
    package typealias LayerPath = [Int]

    /// The files as they would be saved.
    package var files: [String: [UInt8]] {
        var files = points.mapValues { Array(PointsFile.text($0).utf8) }
        files[MaskLoader.manifestName] = Array((manifest.text(indented: true) + "\n").utf8)
        return files
    }

    // MARK: Layers

    /// All layers, each before those that are drawn below it; what is in a group follows it.
    package var layerPaths: [LayerPath] { Self.paths(manifest["layers"]?.elements ?? [], below: []) }

    private static func paths(_ layers: [JSONValue], below path: LayerPath) -> [LayerPath] {
        layers.indices.reversed().flatMap { index in
            [path + [index]] + paths(layers[index]["layers"]?.elements ?? [], below: path + [index])
        }
    }

    /// The JSON pointer of a layer.
    package static func pointer(_ path: LayerPath) -> String { path.map { "/layers/\($0)" }.joined() }

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
            change(siblingsOf: path) { if $0.indices.contains(last) { $0[last] = newValue } }
        }
    }

    private mutating func change(siblingsOf path: LayerPath, _ body: (inout [JSONValue]) -> Void) {
        manifest = Self.changed(manifest, path.dropLast(), body)
    }

    private static func changed(
        _ parent: JSONValue, _ path: LayerPath.SubSequence, _ body: (inout [JSONValue]) -> Void
    ) -> JSONValue {
        var (parent, layers) = (parent, parent["layers"]?.elements ?? [])
        if let index = path.first {
            guard layers.indices.contains(index) else { return parent }
            layers[index] = changed(layers[index], path.dropFirst(), body)
        } else {
            body(&layers)
        }
        parent["layers"] = .array(layers)
        return parent
    }

    /// Puts a layer above another one, or on top of all.
    /// - Returns: where it is.
    package mutating func insert(_ layer: JSONValue, above path: LayerPath?) -> LayerPath {
        let top = manifest["layers"]?.elements.count ?? 0
        let place = path.map { $0.dropLast() + [($0.last ?? 0) + 1] } ?? [top]
        change(siblingsOf: place) { $0.insert(layer, at: min($0.count, place.last ?? 0)) }
        return place
    }

    package mutating func remove(_ path: LayerPath) {
        guard self[layer: path] != nil, let last = path.last else { return }
        change(siblingsOf: path) { $0.remove(at: last) }
    }

    /// Moves a layer among its siblings, at their ends out of its group; over a group, into it.
    /// - Parameter step: 1: up, towards what is drawn last; −1: down.
    /// - Returns: where it is now.
    package mutating func move(_ path: LayerPath, by step: Int) -> LayerPath {
        guard let layer = self[layer: path], let last = path.last else { return path }
        let parent = Array(path.dropLast())
        let siblings = parent.isEmpty ? manifest["layers"]?.elements : self[layer: parent]?["layers"]?.elements
        let target = last + step
        guard let siblings, siblings.indices.contains(target) else {
            // Out of the group: a group without layers is not allowed, so the last one stays.
            guard let index = parent.last, (siblings?.count ?? 0) > 1 else { return path }
            remove(path)
            let place = parent.dropLast() + [step > 0 ? index + 1 : index]
            change(siblingsOf: Array(place)) { $0.insert(layer, at: min($0.count, place.last ?? 0)) }
            return Array(place)
        }
        if siblings[target]["type"]?.string == LayerReader.LayerType.group.rawValue {
            let inside = siblings[target]["layers"]?.elements.count ?? 0
            // Taken out first: what is above moves down by one.
            remove(path)
            let group = step > 0 ? target - 1 : target
            let place = parent + [group, step > 0 ? 0 : inside]
            change(siblingsOf: place) { $0.insert(layer, at: min($0.count, place.last ?? 0)) }
            return place
        }
        change(siblingsOf: path) { $0.swapAt(last, target) }
        return parent + [target]
    }

    /// Puts a layer into a group of its own.
    package mutating func group(_ path: LayerPath) {
        guard let layer = self[layer: path] else { return }
        self[layer: path] = .object(["type": .string(LayerReader.LayerType.group.rawValue), "layers": .array([layer])])
    }

    /// Puts the layers of a group in its place.
    package mutating func ungroup(_ path: LayerPath) {
        guard let children = self[layer: path]?["layers"]?.elements, let last = path.last else { return }
        change(siblingsOf: path) { $0.replaceSubrange(last...last, with: children) }
    }

    // MARK: Landmarks

    /// A name for a new points file that is neither in the folder nor in the document.
    package func newPointsName(for texture: String, taken: [String]) -> String {
        let stem = texture.lastIndex(of: ".").map { String(texture[..<$0]) } ?? texture
        let names = Set(taken).union(points.keys)
        return ([stem + ".pts"] + (2...1000).map { "\(stem)-\($0).pts" }).first { !names.contains($0) } ?? stem + ".pts"
    }
}
