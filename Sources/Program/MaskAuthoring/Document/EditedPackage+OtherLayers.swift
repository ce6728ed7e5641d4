import FaceGeometry
import Files
import JSON
import Masks

/// What of the mask lies below and above the selected layer.
extension EditedPackage {
    /// The layers of the last reading that are drawn on faces, without the selected one.
    package struct OtherLayers {
        package let below: Mask
        package let above: Mask
        /// The selected layer on those below it: what those above it blend with; nil: their look does not depend on it.
        package let blended: Mask?
        package let state: State

        package var isEmpty: Bool { below.layers.isEmpty && above.layers.isEmpty }

        /// What the look of these layers depends on.
        package struct State: Equatable {
            fileprivate let manifest: JSONValue
            fileprivate let points: [FilePath: [Point]]
            fileprivate let files: [File]
        }

        /// What has been read of a file. It is held: another one might get its address.
        fileprivate struct File: Equatable {
            let content: AnyObject

            static func == (a: File, b: File) -> Bool { a.content === b.content }
        }
    }

    /// Nil: there are none, or not yet.
    package var otherLayers: OtherLayers? {
        guard !isToRead, let selection, let (mask, pointers) = reading.result else { return nil }
        let own = MaskDocument.pointer(selection)
        let placed = zip(mask.layers, pointers).filter { $0.0.isDrawnOnFaces }
        func part(_ isWanted: (MaskDocument.LayerPath) -> Bool) -> Mask {
            let layers = placed.filter { isWanted(MaskDocument.path(of: $0.1)) }.map(\.0)
            return Mask(name: mask.name, author: nil, license: nil, layers: layers, occluders: [], folder: folder)
        }
        let above = part { selection.lexicographicallyPrecedes($0) }
        let isBlended = above.layers.contains { $0.blendMode != .normal || $0.makeup != nil }
        var document = history.current
        if !isBlended { document[layer: selection] = .object([] as [JSONValue.Member]) }
        let textures = reading.textureUses.filter { isBlended || !$0.pointer.hasPrefix(own + "/") }
        return OtherLayers(
            below: part { $0.lexicographicallyPrecedes(selection) }, above: above,
            blended: isBlended ? part { !selection.lexicographicallyPrecedes($0) } : nil,
            state: OtherLayers.State(
                manifest: document.manifest, points: document.points,
                files: textures.map { OtherLayers.File(content: $0.texture) }
                    + reading.modelUses.map { OtherLayers.File(content: $0.model) }))
    }
}

extension MaskDocument {
    /// The layer that a JSON pointer names.
    static func path(of pointer: String) -> LayerPath { pointer.split(separator: "/").compactMap { Int($0) } }
}

extension Layer {
    /// Whether it draws on faces; the face as it is, and what changes the whole picture, does not.
    fileprivate var isDrawnOnFaces: Bool {
        switch content {
        case .warp(let warp):
            switch warp.picture {
            case .texture, .animation: true
            case .ownFace, .otherFace: false
            }
        case .sticker, .prop: true
        case .deform, .hair, .comic: false
        }
    }
}
