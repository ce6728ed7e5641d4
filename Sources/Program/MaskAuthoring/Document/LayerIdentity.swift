import JSON

/// Which layer a layer is, whatever its place and its settings. A copy of it is another layer. Compared by the object, which
/// is held, so that no other one gets its address.
package final class LayerIdentity: Equatable, Sendable {
    package static func == (a: LayerIdentity, b: LayerIdentity) -> Bool { a === b }

    /// A layer and the layers in it, if it is a group.
    struct Tree: Sendable {
        let identity: LayerIdentity
        var layers: [Tree]

        /// A new layer.
        init(of layer: JSONValue) { self.init(layers: tree([], fitting: layer["layers"])) }

        /// A new layer with those in it, which may be known already.
        init(layers: [Tree]) { (identity, self.layers) = (LayerIdentity(), layers) }

        fileprivate init(_ identity: LayerIdentity, layers: [Tree]) {
            (self.identity, self.layers) = (identity, layers)
        }
    }

    /// The identities of layers, of which those with the same place as before are the same.
    static func tree(_ old: [Tree], fitting layers: JSONValue?) -> [Tree] {
        (layers?.elements ?? []).enumerated().map { index, layer in
            guard old.indices.contains(index) else { return Tree(of: layer) }
            return Tree(old[index].identity, layers: tree(old[index].layers, fitting: layer["layers"]))
        }
    }

    /// The identities of layers that another program has written, of which only those with the same place and the same
    /// settings as before are the same.
    static func tree(_ old: [Tree], of oldLayers: JSONValue?, matching layers: JSONValue?) -> [Tree] {
        let known = oldLayers?.elements ?? []
        return (layers?.elements ?? []).enumerated().map { index, layer in
            guard old.indices.contains(index), known.indices.contains(index) else { return Tree(of: layer) }
            if known[index] == layer { return old[index] }
            return Tree(layers: tree(old[index].layers, of: known[index]["layers"], matching: layer["layers"]))
        }
    }
}

extension MaskDocument {
    /// Which layer is at a path; nil: none is.
    package func identity(of path: LayerPath) -> LayerIdentity? {
        var (layers, identity) = (identities, LayerIdentity?.none)
        for index in path {
            guard layers.indices.contains(index) else { return nil }
            (layers, identity) = (layers[index].layers, layers[index].identity)
        }
        return identity
    }

    /// The document as another program has written it: the layers that it has left as they were stay the same layers.
    func replaced(by other: MaskDocument) -> MaskDocument {
        var other = other
        other.identities = LayerIdentity.tree(
            identities, of: manifest["layers"], matching: other.manifest["layers"])
        return other
    }
}
