import Arguments
import FaceGeometry
import Files
import Installation
import JSON
import Masks

/// `bauta mask`: lists and shows masks, and groups the commands that make them.
enum MaskCommand {
    private static let json = Flag("json", help: "Print JSON instead of text.")

    static let definition = CommandDefinition(
        name: "mask", overview: "Create, edit, validate, list and share masks.",
        subcommands: [
            CommandDefinition(
                name: "list", overview: "List the masks that you can use by name.",
                options: [CommonOptions.json], examples: ["bauta mask list"], run: list),
            CommandDefinition(
                name: "show", overview: "Show the contents of a mask.",
                arguments: [
                    ArgumentDefinition(name: "mask", help: "A mask's name, or a folder with a mask.json.", kind: .mask)
                ],
                options: [json], examples: ["bauta mask show bauta", "bauta mask show ./my-mask --json"], run: show),
            MaskCheckCommand.definition, MaskPreviewCommand.definition, MaskNewCommand.definition,
            MaskTemplateCommand.definition, MaskEditCommand.definition,
        ] + MaskPackageCommands.definitions)

    private static func list(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let masks = data.installedMasks()
        let width = masks.map(\.name.count).max() ?? 0
        var code = ExitCode.success
        var values: [JSONValue] = []
        for (name, folder) in masks {
            let padded = name + String(repeating: " ", count: width - name.count)
            do {
                let mask = try data.maskLoader(reference).load(folder: folder)
                if arguments[CommonOptions.json] {
                    values.append(mask.json(name: name))
                    continue
                }
                let about = mask.description.map { ": \($0.printable)" } ?? ""
                // Bauta's own need no name of their author each time.
                let isOwn = folder.parent == data.path / "masks"
                let author = isOwn ? "" : mask.author.map { " (by \($0.printable))" } ?? ""
                Console.output("\(padded)  \(mask.name.printable)\(about)\(author)\n")
            } catch {
                Console.failure("\(name.printable): broken: \(error)")
                code = .someFailed
            }
        }
        if arguments[CommonOptions.json] { Console.output(.array(values)) }
        return code
    }

    private static func show(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let mask = try data.maskLoader(try data.referenceFace()).load(
            folder: try data.workingFolder(arguments.positional[0]))
        if arguments[json] {
            Console.output(mask.json(name: arguments.positional[0]))
            return .success
        }
        var lines = ["Name:     \(mask.name.printable)"]
        if let about = mask.description { lines.append("About:    \(about.printable)") }
        lines.append("Author:   \(mask.author?.printable ?? "not given")")
        lines.append("License:  \(mask.license?.printable ?? "not given")")
        switch mask.likeness {
        case nil: break
        case .unasked: lines.append("Shows:    a person who has not been asked for consent")
        case .agreed: lines.append("Shows:    a person who has agreed")
        }
        lines.append("Folder:   \(mask.folder)")
        let occluders = mask.occluders.map(\.rawValue).sorted()
        lines.append("Occluders: \(occluders.isEmpty ? "none" : occluders.joined(separator: ", "))")
        if let background = mask.background { lines.append("Background: \(describe(background))") }
        let followed = [(mask.followsSound, "sound"), (mask.followsGaze, "gaze")].filter(\.0).map(\.1)
        if !followed.isEmpty { lines.append("Follows:  \(followed.joined(separator: ", "))") }
        for (index, layer) in mask.layers.enumerated() {
            lines.append("Layer \(index + 1):  \(describe(layer.content)), \(layer.blendMode.rawValue)")
            if case .warp(let warp) = layer.content {
                let openings = FaceMesh.Opening.allCases.filter(warp.openings.contains).map(\.rawValue)
                lines.append("          open: \(openings.isEmpty ? "none" : openings.joined(separator: ", "))")
            }
        }
        Console.output(lines.joined(separator: "\n") + "\n")
        return .success
    }

    static func describe(_ content: Layer.Content) -> String {
        switch content {
        case .warp(let warp): "warp of \(describe(warp.picture))"
        case .sticker(let sticker): "sticker at the \(sticker.anchor.rawValue), \(describe(sticker.picture))"
        case .prop(let prop):
            "prop at the \(prop.anchor.rawValue), \(prop.model.path) (\(prop.model.triangleCount) triangles)"
        case .hair: "hair"
        case .comic: "comic"
        case .deform(let deformation):
            "deform \(deformation.strengths.keys.map(\.rawValue).sorted().joined(separator: ", "))"
        }
    }

    private static func describe(_ background: Mask.Background) -> String {
        switch background {
        case .blur: "blurred"
        case .color(let red, let green, let blue):
            "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .picture(let texture): "\(texture.path)"
        }
    }

    private static func describe(_ picture: LayerPicture) -> String {
        switch picture {
        case .texture(let texture): "\(texture.path) (\(texture.pixels.width) × \(texture.pixels.height))"
        case .animation(let animation):
            "\(animation.frames.count) \(animation.frames.count == 1 ? "frame" : "frames") of \(animation.frames[0].pixels.width) × "
                + "\(animation.frames[0].pixels.height)"
        case .ownFace: "the face itself"
        case .otherFace: "the face of the person who suits best"
        }
    }
}
