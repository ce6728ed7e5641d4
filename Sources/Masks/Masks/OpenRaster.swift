import Files
import ImageFiles
import Pixels
import XML

/// Layered pictures in the exchange format of painting programs (OpenRaster 0.0.6): a zip archive with a PNG for each
/// layer.
package enum OpenRaster {
    package struct LayerPicture: Sendable {
        package let name: String
        package let png: [UInt8]
        /// 0…1.
        package let opacity: Float
        /// Whether painting programs should refuse to paint on it.
        package let isLocked: Bool
        /// Of its upper left corner in the picture, in pixels.
        package let x: Int
        package let y: Int

        package init(
            name: String, png: [UInt8], opacity: Float = 1, isLocked: Bool = false, x: Int = 0, y: Int = 0
        ) {
            self.name = name
            self.png = png
            self.opacity = opacity
            self.isLocked = isLocked
            (self.x, self.y) = (x, y)
        }
    }

    /// The layer that is read as a texture; without a layer of that name, the whole picture is.
    package static let paintLayer = "paint"
    /// The lowest layer of templates, under the painting, which nobody wears.
    package static let faceLayer = "face"

    // MARK: Writing

    /// - Parameters:
    ///   - layers: the topmost first.
    ///   - merged: all layers combined, as PNG.
    ///   - thumbnail: at most 256 pixels a side, as PNG.
    package static func write(
        _ layers: [LayerPicture], width: Int, height: Int, merged: [UInt8], thumbnail: [UInt8]
    ) throws(MaskArchive.WritingFailure) -> [UInt8] {
        var xml = "<?xml version='1.0' encoding='UTF-8'?>\n"
        xml += "<image version=\"0.0.3\" w=\"\(width)\" h=\"\(height)\">\n  <stack>\n"
        var files = [MaskArchive.File(name: "mimetype", bytes: Array("image/openraster".utf8))]
        for (index, layer) in layers.enumerated() {
            let source = "data/layer\(index).png"
            xml += "    <layer name=\"\(escaped(layer.name))\" src=\"\(source)\" x=\"\(layer.x)\" y=\"\(layer.y)\" "
            xml += "opacity=\"\(layer.opacity)\" visibility=\"visible\" composite-op=\"svg:src-over\""
            if layer.isLocked { xml += " edit-locked=\"true\"" }
            if layer.name == paintLayer { xml += " selected=\"true\"" }
            xml += "/>\n"
            files.append(.init(name: FilePath(source), bytes: layer.png))
        }
        xml += "  </stack>\n</image>\n"
        files.append(.init(name: "stack.xml", bytes: Array(xml.utf8)))
        files.append(.init(name: "mergedimage.png", bytes: merged))
        files.append(.init(name: "Thumbnails/thumbnail.png", bytes: thumbnail))
        // The first file names the format, uncompressed, at a fixed offset.
        return try MaskArchive.archive(files, stored: ["mimetype"])
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case "\"": "&quot;"
            // XML 1.0 has no place for other control characters.
            case _ where scalar.value < 0x20 && !"\t\n".unicodeScalars.contains(scalar): ""
            case "\u{FFFE}", "\u{FFFF}": ""
            default: String(scalar)
            }
        }.joined()
    }

    // MARK: Reading

    /// Reads the layer "paint" of a file, or the merged picture if none exists.
    /// - Parameter layer: the name of another layer, in any case; it is an error if none exists.
    package static func painting(
        _ bytes: [UInt8], layer name: String? = nil, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        let files: [MaskArchive.File]
        do {
            files = try MaskArchive.files(in: bytes)
        } catch {
            throw PictureError(.damaged, path: path, "cannot be read as OpenRaster: \(error)")
        }
        func file(_ name: FilePath) -> [UInt8]? { files.first { $0.name == name }?.bytes }
        let layers = try Self.layers(in: files, path: path)
        let wanted = (name ?? paintLayer).lowercased()
        if let layer = layers.first(where: { $0.name.lowercased() == wanted }), let png = file(FilePath(layer.source)) {
            let picture = try PictureReader.read(
                png, for: .texture, path: "\(path), \(layer.source)",
                maximumSide: maximumSide)
            return try placed(picture, layer, path: path, maximumSide: maximumSide)
        }
        if let name {
            // There may be thousands.
            let more = layers.count > 20 ? " and \(layers.count - 20) more" : ""
            let known = layers.prefix(20).map { "\"\($0.name)\"" }.joined(separator: ", ") + more
            throw PictureError(
                .damaged, path: path, "has no layer \"\(name)\"; it has \(known.isEmpty ? "none" : known)")
        }
        if layers.contains(where: { $0.name == faceLayer && $0.isLocked }) {
            throw PictureError(
                .damaged, path: path,
                "has no layer \"\(paintLayer)\", and the mask would be its guides; give the painted layer that name")
        }
        guard let merged = file("mergedimage.png") else {
            throw PictureError(.notAPicture, path: path, "has neither a layer \"paint\" nor a merged picture")
        }
        return try PictureReader.read(
            merged, for: .texture, path: path + ", mergedimage.png", maximumSide: maximumSide)
    }

    /// Restores a layer's full size: programs may save only its painted part, with an offset.
    private static func placed(
        _ layer: consuming Picture, _ placement: StackLayer, path: String, maximumSide: Int
    ) throws(PictureError) -> Picture {
        if placement.x == 0, placement.y == 0, layer.pixels.width == placement.width,
            layer.pixels.height == placement.height
        {
            return layer
        }
        guard (1...maximumSide).contains(placement.width), (1...maximumSide).contains(placement.height) else {
            throw PictureError(
                .tooLarge, path: path, "claims to be \(placement.width) × \(placement.height) pixels")
        }
        do {
            let source = try layer.pixels.withEightBits()
            var whole = try PixelBuffer(width: placement.width, height: placement.height, format: .rgba8)
            whole.paste(source, x: placement.x, y: placement.y)
            return Picture(pixels: whole, hasAlpha: true)
        } catch {
            throw PictureError(.damaged, path: path, "\(error)")
        }
    }

    /// A layer of `stack.xml`.
    package struct StackLayer: Sendable {
        /// Empty: it has none.
        package let name: String
        /// Of its picture in the archive.
        let source: String
        /// Of its upper left corner, in pixels.
        let x: Int
        let y: Int
        /// Of the whole picture, in pixels.
        let width: Int
        let height: Int
        /// 0…1.
        package let opacity: Float
        package let isVisible: Bool
        /// Whether painting programs refuse to paint on it, as on the guides of a template.
        package let isLocked: Bool
        /// Blend modes that masks do not have count as normal.
        package let blendMode: BlendMode
    }

    /// The layers of a file's `stack.xml`, the topmost first; groups count as their layers.
    /// - Parameters:
    ///   - files: of the archive.
    ///   - path: names the file in errors.
    /// - Throws: `PictureError` of kind `damaged`.
    package static func layers(in files: [MaskArchive.File], path: String) throws(PictureError) -> [StackLayer] {
        guard let xml = files.first(where: { $0.name == "stack.xml" })?.bytes else { return [] }
        var result: [StackLayer] = []
        var size = (width: 0, height: 0)
        do throws(XMLDocument.Refusal) {
            try XMLDocument(parsing: xml).forEachElement { element in
                func number(_ key: String) -> Int { element.attribute(key).flatMap { Int($0) } ?? 0 }
                if element.name == "image" { size = (number("w"), number("h")) }
                guard element.name == "layer", let source = element.attribute("src") else { return }
                let opacity = element.attribute("opacity").flatMap { Float($0) } ?? 1
                // "svg:multiply"
                let mode = element.attribute("composite-op")?.split(separator: ":").last ?? ""
                result.append(
                    StackLayer(
                        name: element.attribute("name") ?? "", source: source, x: number("x"), y: number("y"),
                        width: size.width, height: size.height, opacity: opacity.isFinite ? min(1, max(0, opacity)) : 1,
                        isVisible: element.attribute("visibility") != "hidden",
                        isLocked: element.attribute("edit-locked") == "true",
                        blendMode: BlendMode(rawValue: String(mode)) ?? .normal))
            }
        } catch {
            throw PictureError(.damaged, path: path, "cannot be read as OpenRaster: stack.xml: \(error)")
        }
        return result
    }
}
