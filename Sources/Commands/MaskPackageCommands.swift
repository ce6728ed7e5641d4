import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import Masking
import Masks

/// `bauta mask pack`, `unpack`, `install`, `remove`: masks as one file, and masks that are found by name.
enum MaskPackageCommands {
    static let definitions = [
        CommandDefinition(
            name: "pack", overview: "Pack a mask's folder into one file.",
            discussion: "Equal folders make equal files, to the bit. Hidden files and backups (name~) are left out.",
            arguments: [ArgumentDefinition(name: "folder", help: "A folder with a mask.json.")],
            options: [
                OptionDefinition(
                    name: "output", letter: "o", value: "file",
                    help: "Where to. (default: the folder's name.bauta, here)"),
                OptionDefinition(name: "force", letter: "f", help: "Replace a file that is there already."),
            ],
            examples: ["bauta mask pack my-mask"], run: pack),
        CommandDefinition(
            name: "unpack", overview: "Unpack a mask into a folder, to change it.",
            arguments: [ArgumentDefinition(name: "file", help: "A packed mask (.bauta).")],
            options: [
                OptionDefinition(
                    name: "output", letter: "o", value: "folder", help: "Where to. (default: the file's name, here)")
            ],
            examples: ["bauta mask unpack wolf.bauta"], run: unpack),
        CommandDefinition(
            name: "install", overview: "Install a mask, so that it is found by its name.",
            discussion: """
                It goes to ~/.local/share/bauta/masks ($XDG_DATA_HOME is respected). Nothing is installed unless the \
                whole mask passes `bauta mask check` without an error.
                """,
            arguments: [ArgumentDefinition(name: "mask", help: "A packed mask (.bauta), or a folder.")],
            options: [
                OptionDefinition(name: "name", value: "name", help: "What to call it. (default: the file's name)"),
                OptionDefinition(name: "force", letter: "f", help: "Replace a mask of that name."),
            ],
            examples: ["bauta mask install wolf.bauta", "bauta mask install ./my-mask --name mine"], run: install),
        CommandDefinition(
            name: "remove", overview: "Remove an installed mask.",
            arguments: [ArgumentDefinition(name: "name", help: "Its name; those that come with Bauta stay.")],
            examples: ["bauta mask remove mine"], run: remove),
    ]

    // MARK: Commands

    private static func pack(_ arguments: ParsedArguments) throws -> ExitCode {
        let folder = trimmed(arguments.positional[0])
        let data = try DataFolder.find()
        // What cannot be worn is not handed on.
        try PackageFolder.requireNoErrors(folder, called: folder, data: data)
        let output = arguments["output"] ?? "\(lastPart(folder)).bauta"
        let replaces = arguments.has("force")
        if !replaces { try AtomicFile.checkIsFree(output) }
        let archive = try MaskArchive.pack(try PackageFolder.files(in: folder))
        do {
            _ = try MaskArchive.unpack(archive)
        } catch {
            throw CommandFailure(.dataError, "\(folder): could not be unpacked again: \(error)")
        }
        try archive.withUnsafeBytes { try AtomicFile.write($0, to: output, replacing: replaces) }
        Console.output("\(output): packed, \((archive.count + 1023) / 1024) KiB\n")
        return .success
    }

    private static func unpack(_ arguments: ParsedArguments) throws -> ExitCode {
        let path = arguments.positional[0]
        let folder = trimmed(arguments["output"] ?? withoutEnding(lastPart(path)))
        let files = try PackageFolder.unpacked(path)
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: false, data: try DataFolder.find())
        Console.output("\(folder): unpacked, \(files.count) files\n")
        return .success
    }

    private static func install(_ arguments: ParsedArguments) throws -> ExitCode {
        let path = trimmed(arguments.positional[0])
        let files = Folder.exists(path) ? try PackageFolder.files(in: path) : try PackageFolder.unpacked(path)
        let name = arguments["name"] ?? withoutEnding(lastPart(path))
        try check(name, arguments)
        let data = try DataFolder.find()
        let folder = "\(data.maskFolders[0])/\(name)"
        try Folder.createParent(of: folder)
        try place(files, at: folder, replacing: arguments.has("force"), data: data)
        Console.output("\(name): installed. Wear it: bauta live --mask '\(name)'\n")
        return .success
    }

    private static func remove(_ arguments: ParsedArguments) throws -> ExitCode {
        let name = arguments.positional[0]
        try check(name, arguments)
        let data = try DataFolder.find()
        let folder = "\(data.maskFolders[0])/\(name)"
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            let installed = Folder.entries(of: data.maskFolders[0]) ?? []
            let own = installed.isEmpty ? "none is installed" : "installed are \(installed.joined(separator: ", "))"
            throw CommandFailure(
                .noInput,
                "there is no installed mask '\(name)'.\(Suggestion.text(for: name, among: installed)) (\(own))")
        }
        // Out of the way at once, so that nobody finds half a mask.
        let doomed = "\(folder).\(getpid()).old"
        guard rename(folder, doomed) == 0 else {
            throw CommandFailure(.cannotCreate, "\(folder): cannot be removed: \(String(cString: strerror(errno)))")
        }
        Folder.delete(doomed)
        Console.output("\(name): removed\n")
        return .success
    }

    // MARK: Parts

    /// Writes a package beside its place, looks whether it can be worn, and only then puts it there.
    private static func place(
        _ files: [MaskArchive.File], at folder: String, replacing: Bool, data: DataFolder
    ) throws {
        var status = stat()
        let exists = lstat(folder, &status) == 0
        if exists && !replacing {
            throw CommandFailure(.cannotCreate, "\(folder): is there already")
        }
        let temporary = "\(folder).\(getpid()).new"
        try PackageFolder.write(files, to: temporary)
        do {
            // The place that it is tried in tells nobody anything.
            try PackageFolder.requireNoErrors(temporary, called: lastPart(folder), data: data)
            let old = "\(folder).\(getpid()).old"
            if exists { _ = rename(folder, old) }
            guard rename(temporary, folder) == 0 else {
                let reason = String(cString: strerror(errno))
                if exists { _ = rename(old, folder) }
                throw CommandFailure(.cannotCreate, "\(folder): cannot be made: \(reason)")
            }
            if exists { Folder.delete(old) }
        } catch {
            Folder.delete(temporary)
            throw error
        }
    }

    private static func check(_ name: String, _ arguments: ParsedArguments) throws {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.utf8.contains(0) else {
            throw UsageError("'\(name)' cannot be a mask's name.", arguments.commandPath)
        }
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func withoutEnding(_ name: String) -> String {
        name.lowercased().hasSuffix(".bauta") ? String(name.dropLast(6)) : name
    }
}
