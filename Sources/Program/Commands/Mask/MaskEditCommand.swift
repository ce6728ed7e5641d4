import Arguments
import Clips
import FaceTracking
import Files
import Glibc
import Installation
import MaskAuthoring
import MaskEditor
import SourceSelection

/// `bauta mask edit`: edits a mask in a window while a face wears it.
enum MaskEditCommand {
    private static let size = Option<FrameSize>(
        "size", value: "WxH", absent: FrameSize(width: 1280, height: 720),
        limits: "16 to 8192 each; default: 1280x720", help: "The frame size to request from the camera, in pixels."
    ) { (text) throws(InvalidValue) in try FrameSize(text) }

    static let definition = CommandDefinition(
        name: "edit", overview: "Edit a mask in a window, with a preview on a face.",
        discussion: """
            Drag each point to its part of the painted face. X: move both sides of the face together. N: snap \
            points to painted edges, the symmetry axis and the other side (hold Alt to place a point freely). M: show the \
            mesh. Arrows: move the selected point by one pixel, or turn the selected prop's model, which + and - zoom. \
            B: brush that paints on a PNG (P), erases parts of it (E) and restores them (R), with X on both sides; [ and ]: its \
            size. G: show the face under it. Wheel: zoom. Right button: move the picture. F: show all. Ctrl+Z: undo. Ctrl+Shift+Z: redo. Ctrl+S: save. Ctrl+E: export. Ctrl+Q: quit. A journal \
            beside the mask keeps unsaved changes; the next start offers to restore them. Changes saved by other programs \
            show at once. Drop a photograph or a clip on the window, or choose one with "Photo", to see the mask on it.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "A mask's name, or a folder with a mask.json. (default: choose one)",
                isOptional: true, kind: .mask),
            ArgumentDefinition(
                name: "camera|clip|photograph", help: "Who wears the mask. (default: a synthetic head)",
                isOptional: true, kind: .photographClipOrCamera),
        ],
        options: [size, LiveOptions.scale], groups: [ModelOptions.group],
        examples: [
            "bauta mask new my-mask && bauta mask edit my-mask", "bauta mask edit my-mask portrait.jpg",
            "bauta mask edit my-mask 0",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let (model, person) = try model(arguments)
        var options = SourceOptions()
        options.loops = true
        options.clipSound = ClipSoundRequest(isWanted: true)
        if arguments.has(size) { options.size = (arguments[size].width, arguments[size].height) }
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        guard let chosen = try folder(arguments, data) else { return .success }
        let folder = chosen.path
        if let name = arguments.positional.first, let installed = try? data.maskFolder(name),
            !installed.isSameFile(as: folder)
        {
            Console.error(
                """
                bauta: editing the folder ./\(folder). To update the installed mask of that name, \(installed), run: \
                bauta mask install --force ./\(folder)

                """)
        }
        let session = try EditSession(
            folder: folder, draft: chosen.draft, data: data, model: model, person: person,
            models: FaceModels(arguments), scale: arguments[LiveOptions.scale]
        ) { [options] model in
            var options = options
            switch model {
            case .camera(let name): options.input = .camera(name)
            case .clip(let path): options.input = .clip(FilePath(path))
            case .photograph, .syntheticHead: break
            }
            return try options.description(reference: reference) { Console.error("bauta: \($0)\n") }
        }
        let outcome = try session.run(isCancelled: { Interrupt.isRequested })
        if let place = outcome.kept {
            Console.error("bauta: unsaved changes are kept in \(place); the next start offers to restore them\n")
        }
        guard outcome.isAbandoned else { return .success }
        // Threads that decode or search a large picture would be waited for, and so would those of the session.
        withExtendedLifetime(session) { () -> Never in _exit(Console.finish(.success).rawValue) }
    }

    /// Nil: none has been chosen.
    private static func folder(
        _ arguments: ParsedArguments, _ data: DataFolder
    ) throws -> (path: FilePath, draft: PackageDraft?)? {
        if let name = arguments.positional.first { return (try data.workingFolder(name), nil) }
        let choice = try MaskPicker(data, scale: arguments[LiveOptions.scale]).choose {
            Interrupt.isRequested
        }
        return try choice?.folder(in: try data.ownMasks()) { try AuthoringAssets(data) }
    }

    /// The wearer of the mask, and who the synthetic head is, by the index in `Sample.all`.
    private static func model(_ arguments: ParsedArguments) throws -> (EditModel, person: Int) {
        guard arguments.paths.count > 1 else { return (.syntheticHead, 0) }
        let (path, name) = (arguments.paths[1], arguments.positional[1])
        switch SourceOptions.Input(argument: path) {
        case .drawn: return (.syntheticHead, 0)
        case .drawnPerson(let person): return (.syntheticHead, person)
        case .camera(let camera): return (.camera(camera), 0)
        case .pictures, .several:
            throw UsageError("'\(path)' is a folder; name a camera, a clip or a photograph.", arguments.commandPath)
        case .clip:
            guard path.isAccessible(R_OK) else {
                throw CommandFailure(.noInput, "\(path): cannot be read: \(systemErrorText())")
            }
            return (EditModel(file: name), 0)
        }
    }
}
