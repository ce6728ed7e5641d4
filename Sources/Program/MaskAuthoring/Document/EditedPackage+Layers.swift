import Files
import ImageFiles
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

    /// The layers of an OpenRaster file that a name finds, from the bottom up: of equal names only the topmost, and none that is
    /// locked, as the guides of `MaskTemplate` are.
    /// - Throws: `FileError` if it cannot be read.
    private static func layersWithNames(of file: FilePath) throws -> [OpenRaster.StackLayer] {
        let bytes = try FileContents.read(file, limit: MaskArchive.maximumArchiveSize)
        let layers: [OpenRaster.StackLayer]
        do {
            layers = try OpenRaster.layers(in: MaskArchive.files(in: bytes), path: file.description)
        } catch let error as PictureError {
            throw FileError(.damaged, path: file, error.reason)
        } catch {
            throw FileError(.damaged, path: file, "cannot be read as OpenRaster: \(error)")
        }
        var names: Set<String> = []
        return layers.filter { !$0.name.isEmpty && names.insert($0.name.lowercased()).inserted && !$0.isLocked }
            .reversed()
    }

    /// Replaces the selected layer by one for each layer of its OpenRaster file that a name finds, with its name, opacity,
    /// visibility and blend mode. All else stays as it was. The topmost is selected then.
    /// - Throws: `FileError` if the file cannot be read, or has no such layer.
    package func separateLayers() throws {
        guard let path = selection, let layer = selectedLayer, let file = layeredFile else { return }
        let place = folder / file
        let parts = try Self.layersWithNames(of: place)
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
