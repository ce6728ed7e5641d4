import Arguments
import FaceTracking
import Files
import Installation
import MaskAuthoring
import Masks

/// `bauta mask new`: creates a mask that can be worn at once.
enum MaskNewCommand {
    private static let sheet = Option<MaskTemplate.Format?>(
        "sheet", words: MaskTemplate.Format.self, defaultText: "png",
        help: "The picture to paint on: layers with guides (ora, svg), or a plain picture (png).")
    private static let portrait = Option<String?>(
        "from", value: "portrait|camera",
        help: "Make the mask from the face in this photograph, or from a camera ('camera' or a device)."
    ).takes(.photograph)
    private static let face = Option<Int?>(
        "face", value: "number", in: 1...1000,
        help: "With --from: the number of the face; 1 is the largest.")
    private static let lightRemoval = Option(
        "light-removal", value: "percent", in: 0...100,
        default: Int((100 * PortraitMask.defaultLightRemoval).rounded()),
        help: "With --from: how much of the photograph's light to remove.")
    private static let prop = Option<String?>(
        "prop", value: "model", help: "Make a mask of this 3-D model (.glb): a hat, glasses, horns."
    ).takes(.file(["glb", "gltf"]))
    private static let agreed = Flag(
        "agreed", help: "With --from: the person in the photograph agrees that others wear this face.")
    private static let author = Option<String?>(
        "author", value: "name", defaultText: "the last one given; with --from: none", help: "The mask's author.")
    private static let license = Option<String?>(
        "license", value: "identifier", defaultText: "the last one given; with --from: none",
        help: "The mask's licence, preferably as an SPDX identifier.")

    static let definition = CommandDefinition(
        name: "new", overview: "Create a mask: a blank one to paint on, a face from a photograph, or a 3-D model.",
        discussion: """
            Creates a folder with a mask.json and its pictures. You can use the mask at once and edit it later. With \
            --from, the face is cut out of the photograph: hair and background fade out, most of the photograph's \
            light is removed, and the mask takes on the light and colours of the scene. Glasses stay; erase them with \
            the brush of 'bauta mask edit', which also restores parts that were cut out. With --prop, a model sits on \
            the head like a hat; mask edit moves it. Otherwise the texture is a white face. \
            ~/.config/bauta/author.json keeps author and licence for the next masks. Masks of a person's face have no \
            author and licence until you give them. Without --agreed, mask check and mask pack warn that the person \
            has not been asked.
            """,
        arguments: [
            ArgumentDefinition(
                name: "folder", help: "The folder to create. Its last part becomes the mask's name.", kind: .folder)
        ],
        options: [sheet, portrait, face, lightRemoval, prop, agreed, author, license], groups: [ModelOptions.group],
        examples: [
            "bauta mask new my-mask", "bauta mask new my-mask --sheet ora   # for Krita and GIMP",
            "bauta mask new grandfather --from portrait.jpg", "bauta mask new me --from camera --agreed",
            "bauta mask new crown --prop crown.glb",
        ], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let folder = FilePath(arguments.positional[0]).withoutFinalSlashes
        guard folder.name.staysBeneath else {
            throw UsageError("'\(folder)' cannot be the name of a new folder.", arguments.commandPath)
        }
        var source = try source(arguments)
        var taken: TemporaryPortrait?
        // What is asked for may not be possible, which should be said before somebody sits down.
        if let camera = arguments[portrait].map({ FilePath($0) }), CameraPictures.isCamera(camera) {
            guard folder.status(followsLinks: false) == nil else {
                throw FileError(.alreadyExists, path: folder, "already exists; choose another name")
            }
            let portrait = try CameraPictures.portrait(from: camera, models: FaceModels(arguments))
            source = portraitSource(portrait.path.description, arguments)
            taken = portrait
        }
        defer { withExtendedLifetime(taken) {} }
        var mask = NewMask(assets: try AuthoringAssets(DataFolder.find()))
        if !source.showsAPerson, let kept = keptAuthor(arguments) { mask.take(kept) }
        // An empty name is for a mask without author.
        if let author = arguments[author] { mask.author = author.isEmpty ? nil : author }
        if let license = arguments[license] { mask.license = license.isEmpty ? nil : license }
        if arguments[agreed] { mask.likeness = .agreed }
        let advice = try mask.write(source, to: folder)
        RecentMasks().note(folder)
        var text = "\(folder): created\n"
        if case .template(let format) = source {
            text += "  to paint on: \(folder)/\(NewMask.textureName(format))\n"
        }
        if case .prop(let path) = source {
            let (known, moved) = try ModelFile.expressions(of: FilePath(path))
            if known > 0 {
                text += "  follows the face: \(moved) of the model's \(known) expressions (of ARKit's 52)\n"
            }
        }
        text += "  to see it on a face while you change it: bauta mask edit '\(folder)'\n"
        text += "  to wear it: bauta live --mask '\(folder)'\n"
        if source.showsAPerson { text += toShare(mask) }
        Console.output(text)
        if let advice { Console.warning(advice) }
        return .success
    }

    /// What the author still has to do to share a mask of a person's face; empty if that is nothing.
    private static func toShare(_ mask: NewMask) -> String {
        var open: [String] = []
        if mask.likeness == .unasked { open.append("ask the person (\"\(MaskLoader.likenessKey)\": \"agreed\")") }
        if mask.author == nil { open.append("name the author of the picture (\"author\")") }
        if mask.license == nil { open.append("choose a licence (\"license\")") }
        return open.isEmpty ? "" : "  before you share it, in its mask.json: \(open.joined(separator: ", "))\n"
    }

    /// Author and licence of earlier masks, with those of this one. A failure here does not prevent making the mask.
    private static func keptAuthor(_ arguments: ParsedArguments) -> KeptAuthor? {
        do {
            var kept = try KeptAuthor()
            try kept.keep(author: arguments[author], license: arguments[license])
            return kept
        } catch {
            Console.warning("author and licence are not kept: \(error)")
            return nil
        }
    }

    private static func source(_ arguments: ParsedArguments) throws -> NewMask.Source {
        guard let portrait = arguments[portrait] else {
            for option in [face, lightRemoval, agreed] + ModelOptions.all where arguments.has(option) {
                throw arguments.invalid(option, "needs --from")
            }
            if let model = arguments[prop] {
                if arguments.has(sheet) { throw arguments.invalid(sheet, "cannot be combined with --prop") }
                return .prop(path: model)
            }
            return .template(arguments[sheet] ?? .png)
        }
        if arguments.has(sheet) { throw arguments.invalid(sheet, "cannot be combined with --from") }
        if arguments.has(prop) { throw arguments.invalid(prop, "cannot be combined with --from") }
        return portraitSource(portrait, arguments)
    }

    private static func portraitSource(_ path: String, _ arguments: ParsedArguments) -> NewMask.Source {
        .portrait(
            path: path, choice: arguments[face].map { .number($0) } ?? .only,
            lightRemoval: Float(arguments[lightRemoval]) / 100, models: FaceModels(arguments))
    }
}
