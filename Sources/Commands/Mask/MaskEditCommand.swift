import CommandLine
import FaceTracking
import Masking
import Masks

/// `bauta mask edit`: a mask's pictures and points on one side, the mask on a living face on the other.
enum MaskEditCommand {
    private static let camera = Option<String?>(
        "camera", letter: "c", value: "number|device|name", help: "Show the mask on faces before a camera.")
    private static let clip = Option<String?>("clip", value: "file", help: "Show the mask in a video, in a loop.")
    private static let photo = Option<String?>("photo", value: "file", help: "Show the mask on a photograph.")
    private static let size = Option<FrameSize>(
        "size", value: "WxH", absent: FrameSize(width: 1280, height: 720), limits: "default: 1280x720",
        help: "The size that the camera is asked for."
    ) { (text) throws(InvalidValue) in try FrameSize(text) }

    static let definition = CommandDefinition(
        name: "edit", overview: "Edit a mask in a window, and see it on a face meanwhile.",
        discussion: """
            Drag points onto what is painted: X moves both sides of the face, N lets points snap to edges, to the middle \
            and to the other side (Alt does without for a moment), M shows the mesh, arrows move the chosen point by a \
            pixel. The wheel zooms, the right button moves the picture, F shows all of it. Ctrl+Z and Ctrl+Shift+Z undo \
            and redo, Ctrl+S saves, Ctrl+Q ends. Nothing is saved unless asked; unsaved changes are kept in a journal \
            beside the mask and offered at the next start. What other programs save is seen at once. A photograph or a \
            clip may be dropped on the window.
            """,
        arguments: [ArgumentDefinition(name: "mask", help: "A mask's name, or a folder with a mask.json.")],
        options: [camera, clip, photo, size, CommonOptions.model],
        examples: [
            "bauta mask new my-mask && bauta mask edit my-mask", "bauta mask edit my-mask --photo portrait.jpg",
            "bauta mask edit my-mask --camera 0",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let chosen = [camera, clip, photo].filter { arguments.has($0) }
        if chosen.count > 1 {
            throw arguments.invalid(chosen[1], "cannot be together with --\(chosen[0].definition.name)")
        }
        var options = SourceOptions()
        options.loops = true
        if arguments.has(size) { options.size = (arguments[size].width, arguments[size].height) }
        let model: EditModel =
            if let path = arguments[photo] {
                .photograph(path)
            } else if let name = arguments[camera] {
                .moving(.camera(name))
            } else if let path = arguments[clip] {
                .moving(.clip(path))
            } else {
                .drawn
            }
        let data = try DataFolder.find()
        let folder = try data.maskFolder(arguments.positional[0])
        let session = try EditSession(
            folder: folder, data: data, options: options, landmarkModel: arguments[CommonOptions.model], model: model)
        return try session.run()
    }
}
