import Files
import Masks
import XML

/// A layer of an OpenRaster file that a layer of a mask can show.
struct OpenRasterLayer: Equatable, Sendable {
    let name: String
    /// 0…1.
    let opacity: Float
    let isVisible: Bool
    /// Blend modes that masks do not have count as normal.
    let blendMode: BlendMode

    /// The layers of a file that a name finds, from the bottom up: of equal names only the topmost, and none that is locked,
    /// as the guides of `MaskTemplate` are. Groups count as their layers.
    /// - Throws: `FileError` if it cannot be read.
    static func layers(of file: FilePath) throws -> [OpenRasterLayer] {
        let bytes = try FileContents.read(file, limit: MaskArchive.maximumArchiveSize)
        var names: Set<String> = []
        var layers: [OpenRasterLayer] = []
        do {
            let stack = try MaskArchive.files(in: bytes).first { $0.name == "stack.xml" }?.bytes ?? []
            try XMLDocument(parsing: stack).forEachElement { element in
                let name = element.attribute("name") ?? ""
                guard element.name == "layer", !name.isEmpty, names.insert(name.lowercased()).inserted,
                    element.attribute("edit-locked") != "true"
                else { return }
                // "svg:multiply"
                let mode = element.attribute("composite-op")?.split(separator: ":").last ?? ""
                let opacity = element.attribute("opacity").flatMap { Float($0) } ?? 1
                layers.append(
                    OpenRasterLayer(
                        name: name, opacity: opacity.isFinite ? min(1, max(0, opacity)) : 1,
                        isVisible: element.attribute("visibility") != "hidden",
                        blendMode: BlendMode(rawValue: String(mode)) ?? .normal))
            }
        } catch {
            throw FileError(.damaged, path: file, "cannot be read as OpenRaster: \(error)")
        }
        return layers.reversed()
    }
}
