import Files
import JSON
import Masks

/// Layers of painting programs as layers of the mask.
extension EditedPackage {
    /// Whether the selected layer shows a file whose layers can become layers of the mask.
    package var canSeparateLayers: Bool { layeredFile != nil }

    /// The texture of the selected layer.
    private var layeredFile: FilePath? {
        guard let name = selectedLayer?["texture"]?.string, FilePath(name).fileExtension == "ora" else { return nil }
        return FilePath(name)
    }

    /// Replaces the selected layer by one for each layer of its OpenRaster file that a name finds, with its name, opacity,
    /// visibility and blend mode. All else stays as it was. The topmost is selected then.
    /// - Throws: `FileError` if the file cannot be read, or has no such layer.
    package func separateLayers() throws {
        guard let path = selection, let layer = selectedLayer, let file = layeredFile else { return }
        let place = folder / file
        let parts = try OpenRasterLayer.layers(of: place)
        guard !parts.isEmpty else {
            throw FileError(.damaged, path: place, "has no layer with a name of its own that is not locked")
        }
        guard history.current.layerPaths.count + parts.count - 1 <= MaskLoader.maximumLayers else {
            throw FileError(
                .damaged, path: place,
                "has \(parts.count) layers; a mask has at most \(MaskLoader.maximumLayers)")
        }
        let layers = parts.map { part in
            var new = layer
            new["textureLayer"] = .string(part.name)
            let canBlend = layer.layerType.map { LayerReader.keys(of: $0).contains("blend") } ?? false
            if canBlend, part.blendMode != .normal { new["blend"] = .string(part.blendMode.rawValue) }
            if part.opacity < 1 {
                // A signal that moves the opacity goes on moving it.
                let old = layer["opacity"]?.number ?? 1
                if layer["opacity"]?["by"] == nil { new["opacity"] = .rounded(Float(old) * part.opacity) }
            }
            if !part.isVisible { new["hidden"] = .bool(true) }
            return new
        }
        change("separate layers") { document in
            var top = path
            document[layer: path] = layers[0]
            for layer in layers.dropFirst() { top = document.insert(layer, above: top) }
            selection = top
        }
    }
}
