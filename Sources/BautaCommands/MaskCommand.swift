import FaceGeometry
import Masks

/// `bauta mask list` and `bauta mask show`.
enum MaskCommand {
    static let definition = CommandDefinition(
        name: "mask", overview: "List masks and show what is in them.",
        subcommands: [
            CommandDefinition(
                name: "list", overview: "List the masks that can be used by name.",
                examples: ["bauta mask list"], run: list),
            CommandDefinition(
                name: "show", overview: "Show what a mask is made of.",
                arguments: [ArgumentDefinition(name: "mask", help: "A mask's name, or a folder with a mask.json.")],
                examples: ["bauta mask show bauta", "bauta mask show ./my-mask"], run: show),
        ])

    private static func list(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let masks = data.installedMasks()
        let width = masks.map(\.name.count).max() ?? 0
        var code = ExitCode.success
        for (name, folder) in masks {
            let padded = name + String(repeating: " ", count: width - name.count)
            do {
                let mask = try MaskLoader(reference: reference).load(folder: folder)
                let author = mask.author.map { " by \($0)" } ?? ""
                Console.output("\(padded)  \(mask.name)\(author)\n")
            } catch {
                Console.error("\(padded)  broken: \(error)\n")
                code = .someFailed
            }
        }
        return code
    }

    private static func show(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let mask = try data.mask(arguments.positional[0], reference: try data.referenceFace())
        var lines = ["Name:     \(mask.name)"]
        lines.append("Author:   \(mask.author ?? "not said")")
        lines.append("License:  \(mask.license ?? "not said")")
        lines.append("Folder:   \(mask.folder)")
        for (index, layer) in mask.layers.enumerated() {
            let texture = layer.texture
            let openings = FaceMesh.Opening.allCases.filter(layer.openings.contains).map(\.rawValue)
            lines.append("Layer \(index + 1):  warp, \(layer.blendMode.rawValue), opacity \(decimal(layer.opacity))")
            lines.append("          texture \(texture.path) (\(texture.pixels.width) × \(texture.pixels.height))")
            lines.append("          open: \(openings.isEmpty ? "nothing" : openings.joined(separator: ", "))")
        }
        Console.output(lines.joined(separator: "\n") + "\n")
        return .success
    }
}
