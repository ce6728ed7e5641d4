import Arguments
import Files
import Installation
import LiveWindow
import MaskAuthoring

/// `bauta mask pack`, `unpack`, `install`, `remove`: masks as single files, and masks that are used by name.
enum MaskPackageCommands {
    private static let packOutput = Option<String?>(
        "output", letter: "o", value: "file", defaultText: "<folder's name>.bauta in the current folder",
        help: "The file to write."
    ).takes(.packedMask)
    private static let unpackOutput = Option<String?>(
        "output", letter: "o", value: "folder", defaultText: "the file's name without .bauta, in the current folder",
        help: "The folder to create."
    ).takes(.folder)
    private static let name = Option<String?>(
        "name", value: "name", defaultText: "the name of the file or folder",
        help: "The name to install the mask under.")
    private static let force = Flag("force", letter: "f", help: "Replace an existing file.")
    private static let replaceMask = Flag("force", letter: "f", help: "Replace an installed mask of that name.")

    static let definitions = [
        CommandDefinition(
            name: "pack", overview: "Pack a mask's folder into one file.",
            discussion: """
                The same folder always gives the same file. Hidden files and backups (name~) are left out. A mask that shows \
                a person's face is packed with a warning unless the person has agreed (`"likeness": "agreed"` in its \
                mask.json).
                """,
            arguments: [ArgumentDefinition(name: "folder", help: "A folder with a mask.json.", kind: .folder)],
            options: [packOutput, force], examples: ["bauta mask pack my-mask"], run: pack),
        CommandDefinition(
            name: "unpack", overview: "Unpack a mask into a folder, for editing.",
            arguments: [ArgumentDefinition(name: "file", help: "A packed mask (.bauta).", kind: .packedMask)],
            options: [unpackOutput], examples: ["bauta mask unpack wolf.bauta"], run: unpack),
        CommandDefinition(
            name: "install", overview: "Install a mask to use it by name.",
            discussion: """
                Masks are installed to $XDG_DATA_HOME/bauta/masks (default: ~/.local/share/bauta/masks). A mask with \
                errors (see `bauta mask check`) is not installed. A name must be a valid file name on every system \
                and must not begin with a dot.
                """,
            arguments: [
                ArgumentDefinition(name: "mask", help: "A packed mask (.bauta), or a folder.", kind: .packedMask)
            ],
            options: [name, replaceMask],
            examples: ["bauta mask install wolf.bauta", "bauta mask install ./my-mask --name mine"], run: install),
        CommandDefinition(
            name: "remove", overview: "Remove an installed mask.",
            arguments: [
                ArgumentDefinition(
                    name: "name", help: "The mask's name. Bauta's own masks cannot be removed.", kind: .ownMask)
            ],
            examples: ["bauta mask remove mine"], run: remove),
    ]

    /// - Parameter installs: whether masks are installed or removed, for which there must be a home folder.
    private static func store(installs: Bool = false) throws -> PackageStore {
        let data = try DataFolder.find()
        let folder = try installs ? data.ownMasks() : data.maskFolders[0]
        return PackageStore(folder: folder, validator: try AuthoringAssets(data).validator)
    }

    private static func pack(_ arguments: ParsedArguments) throws -> ExitCode {
        let folder = FilePath(arguments.positional[0]).withoutFinalSlashes
        guard Folder.exists(folder) else { throw CommandFailure(.noInput, "there is no folder '\(folder)'") }
        let output = arguments[packOutput].map { FilePath($0) } ?? folder.name + ".bauta"
        let packed = try store().pack(folder, to: output, replacing: arguments[force])
        Console.output("\(output): packed, \(FileSize.text(packed.size))\n")
        if let unasked = packed.warnings.listed.first(where: { $0.code == .likenessUnasked }) {
            Console.warning("\(unasked.description). \(unasked.code.remedy.filter { $0 != "`" })")
        }
        return .success
    }

    private static func unpack(_ arguments: ParsedArguments) throws -> ExitCode {
        let path = FilePath(arguments.positional[0])
        let folder = try arguments[unpackOutput].map { FilePath($0).withoutFinalSlashes } ?? unpackedName(path)
        let count = try store().unpack(path, to: folder)
        Console.output("\(folder): unpacked, \(count) files\n")
        return .success
    }

    private static func install(_ arguments: ParsedArguments) throws -> ExitCode {
        let path = FilePath(arguments.positional[0]).withoutFinalSlashes
        let name = arguments[name].map { FilePath($0) } ?? withoutEnding(path.name)
        guard PackageStore.isValidName(name) else {
            throw UsageError(
                "'\(name)' cannot be a mask's name: \(nameRule). Choose another one with --name.", arguments.commandPath
            )
        }
        try store(installs: true).install(path, as: name, replacing: arguments[replaceMask])
        Console.output("\(name): installed. To wear it: bauta live --mask '\(name)'\n")
        return .success
    }

    private static func remove(_ arguments: ParsedArguments) throws -> ExitCode {
        let name = FilePath(arguments.positional[0])
        guard PackageStore.canBeInstalled(name) else {
            throw UsageError("'\(name)' cannot be a mask's name.", arguments.commandPath)
        }
        do {
            try store(installs: true).remove(name)
        } catch let error as PackageStore.NotInstalled {
            let installed = error.installed
            if let folder = try DataFolder.find().installedMasks().first(where: { $0.folder.name == name })?.folder {
                throw CommandFailure(
                    .noInput, "'\(name)' is one of Bauta's own masks (\(folder)), which cannot be removed")
            }
            let own =
                installed.isEmpty ? "no masks are installed" : "installed masks: \(installed.joined(separator: ", "))"
            throw CommandFailure(
                .noInput,
                "there is no installed mask '\(name)'.\(Suggestion.text(for: name.description, among: installed)) (\(own))"
            )
        }
        ThumbnailCache.forget(try DataFolder.find().ownMasks() / name)
        Console.output("\(name): removed\n")
        return .success
    }

    private static let nameRule =
        "it must be a valid file name on every system and must not begin with a dot"

    /// A file of a stranger does not choose the name of a hidden folder or a device.
    private static func unpackedName(_ path: FilePath) throws -> FilePath {
        let name = withoutEnding(path.name)
        if PackageStore.isValidName(name) { return name }
        throw CommandFailure(
            .usage, "'\(name)' cannot be a mask's name: \(nameRule). Choose another one with --output.")
    }

    private static func withoutEnding(_ name: FilePath) -> FilePath {
        name.fileExtension == "bauta" ? name.withoutExtension : name
    }
}
