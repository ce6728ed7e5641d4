import Arguments
import Cameras
import Files
import Glibc
import SourceSelection
import SyntheticFaces

extension SourceOptions.Input {
    /// The word for the synthetic face. A file of that name is `./drawn`.
    static let drawnWord = "drawn"

    /// A source from the command line. A file or folder that exists is that; then come network addresses and what can
    /// only be the name of a file; everything else is a camera: its number, its device or a part of its name.
    package init(argument path: FilePath) {
        if path == FilePath(Self.drawnWord) {
            self = .drawn
        } else if let person = Self.person(path.string) {
            self = .drawnPerson(person)
        } else if let status = path.status() {
            switch status.type {
            case S_IFDIR: self = .pictures(path)
            case S_IFCHR: self = path.string.map { .camera($0) } ?? .clip(path)
            default: self = .clip(path)
            }
        } else if let name = path.string, !Self.isFileName(path, name) {
            self = .camera(name)
        } else {
            self = .clip(path)
        }
    }

    /// The index of a person in "drawn:bruno"; nil: it names none.
    private static func person(_ name: String?) -> Int? {
        guard let name, name.hasPrefix("\(drawnWord):") else { return nil }
        return Sample.all.firstIndex { $0.name == name.dropFirst(drawnWord.count + 1) }
    }

    /// Whether what does not exist was meant to be a file, or is a network address.
    private static func isFileName(_ path: FilePath, _ name: String) -> Bool {
        if path.relative(to: "/dev") != nil || name.hasPrefix(Camera.pipeWirePrefix) { return false }
        return name.isEmpty || name == "-" || name.contains("/") || ValueKind.frameEndings.contains(path.fileExtension)
    }
}

/// The source of frames as an argument: `bauta live [camera|clip|folder|url|drawn]`.
enum SourceArgument {
    static let withPictures = ArgumentDefinition(
        name: "camera|clip|folder|url|drawn",
        help: """
            A camera (2, /dev/video2 or part of its name), a clip, a photograph or a folder of them, a URL, or 'drawn', a \
            synthetic face. \
            (default: the first camera that works)
            """,
        isOptional: true, takesPaths: true, kind: .source)

    static let optional = definition(isOptional: true)
    static let required = definition(isOptional: false)

    private static func definition(isOptional: Bool) -> ArgumentDefinition {
        ArgumentDefinition(
            name: "camera|clip|url|drawn",
            help: "A camera (2, /dev/video2 or part of its name), a clip, a URL, or 'drawn', a synthetic face."
                + (isOptional ? " (default: the first camera that works)" : ""),
            isOptional: isOptional, takesPaths: true, kind: .source)
    }

    /// The source with `--size`, `--rate` and `--camera-set`. Clips are protected against being overwritten.
    static func options(_ arguments: ParsedArguments) throws -> SourceOptions {
        var options = SourceOptions()
        if let path = arguments.paths.first { options.input = .init(argument: path) }
        if case .clip(let path) = options.input { InputFiles.protect(path) }
        if case .camera(let name?) = options.input { warn(aboutCamera: name) }
        options.size = arguments[LiveOptions.size].map { ($0.width, $0.height) }
        options.rate = arguments[LiveOptions.rate]
        options.controls = arguments[LiveOptions.controls].map { ($0.name, $0.value) }
        return options
    }

    /// The same for commands that show no folders.
    static func optionsWithoutPictures(_ arguments: ParsedArguments) throws -> SourceOptions {
        let options = try options(arguments)
        if case .pictures(let folder) = options.input {
            throw UsageError("'\(folder)' is a folder; name a camera or a clip.", arguments.commandPath)
        }
        return options
    }

    /// A word that was meant to be a file would be waited for.
    private static func warn(aboutCamera name: String) {
        guard Int(name) == nil, FilePath(name).relative(to: "/dev") == nil,
            Camera.find(name, among: Camera.all()) == nil
        else { return }
        Console.warning("there is no file or folder '\(name.printable)'; using it as the name of a camera")
    }
}
