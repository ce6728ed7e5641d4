import FaceGeometry
import Files
import JSON
import Masks

/// A mask package being edited: the manifest, the points files, and what the brush has changed of textures.
package struct MaskDocument: Sendable {
    package var manifest: JSONValue {
        didSet { identities = LayerIdentity.tree(identities, fitting: manifest["layers"]) }
    }
    /// Which layer is which, in the order of the manifest's layers.
    var identities: [LayerIdentity.Tree]
    /// Points files by name, in pixels of the texture they belong to.
    package var points: [FilePath: [Point]] = [:]

    /// The transparency of textures that the brush has changed, by file name.
    package var mattes: [FilePath: Matte] = [:]

    package init(manifest: JSONValue) {
        self.manifest = manifest
        identities = LayerIdentity.tree([], fitting: manifest["layers"])
    }

    /// The content of `mask.json` and of the points files as they would be saved, by file name.
    package var files: [FilePath: [UInt8]] {
        var files = points.mapValues { Array(PointsFile.text($0).utf8) }
        files[MaskLoader.manifestName] = Array((manifest.text(indented: true) + "\n").utf8)
        return files
    }

    /// A name for a new points file that exists neither in the folder nor in the document.
    /// - Parameters:
    ///   - texture: the file name of the texture that the points belong to.
    ///   - taken: the names of the files in the folder.
    package func newPointsName(for texture: FilePath, taken: [FilePath]) -> FilePath {
        let stem = texture.withoutExtension
        let names = Set(taken).union(points.keys)
        let candidates = [stem + ".pts"] + (2...1000).map { stem + "-\($0).pts" }
        return candidates.first { !names.contains($0) } ?? stem + ".pts"
    }
}

extension MaskDocument: Equatable {
    /// By what would be saved.
    package static func == (a: MaskDocument, b: MaskDocument) -> Bool {
        a.manifest == b.manifest && a.points == b.points && a.mattes == b.mattes
    }
}

extension JSONValue {
    /// A number rounded to three decimals.
    package static func rounded(_ value: Float) -> JSONValue {
        let thousandths = (Double(value) * 1000).rounded()
        // Zero has no sign.
        return .number(thousandths == 0 ? 0 : thousandths / 1000)
    }

    /// The type of a layer of a manifest; nil if it is missing or unknown.
    package var layerType: LayerReader.LayerType? { self["type"]?.string.flatMap(LayerReader.LayerType.init) }
}
