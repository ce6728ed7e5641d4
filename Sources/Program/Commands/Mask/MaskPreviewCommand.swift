import Arguments
import Files
import ImageFiles
import Installation
import MaskAuthoring

/// `bauta mask preview`: masks on synthetic faces, one row per mask.
enum MaskPreviewCommand {
    private static let output = Option<String?>(
        "output", letter: "o", value: "file",
        help: "The picture to write: .png or .jpg; with --animated .png (APNG), .gif or .mp4. Required."
    ).takes(.file(["png", "jpg", "gif", "mp4"]))
    private static let animated = Flag(
        "animated", help: "Write a looping animation of four seconds with two people.")
    private static let faceWidth = Option(
        "face-width", value: "pixels", in: 30...600, default: 150,
        help: "The width of each face; 0.6 times that for hats, horns and helmets.")
    private static let force = Flag("force", letter: "f", help: "Replace an existing file.")

    static let definition = CommandDefinition(
        name: "preview", overview: "Draw masks on synthetic faces in several poses.",
        discussion: """
            Six synthetic people wear each mask: looking straight ahead, turned to either side, with an open mouth, \
            with closed eyes, and smiling with a tilted head. The people of a row share one picture, so that masks \
            can trade faces. The second person has blinked once, the third twice, and so on, for masks that \
            change with each blink. With --animated, two people look around, talk, smile and blink.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "Names or folders. (default: all installed masks)", repeats: true,
                isOptional: true, kind: .mask)
        ],
        options: [output, animated, faceWidth, MaskingOptions.renderer, force],
        examples: [
            "bauta mask preview --output masks.png", "bauta mask preview ./my-mask -o preview.jpg",
            "bauta mask preview ./my-mask --animated -o moving.png",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        guard let path = arguments[output] else {
            throw UsageError("Missing expected option '--output <file>'.", arguments.commandPath)
        }
        if !arguments[force] { try AtomicFile.checkIsFree(path) }
        var line = StatusLine(interval: .zero)
        defer { StatusLine.remove() }
        // Masks and pictures of all people take some seconds.
        if Console.errorIsTerminal { line.draw { _ in "\(path): loading masks" } }
        let data = try DataFolder.find()
        let assets = try AuthoringAssets(data)
        let names = arguments.positional.isEmpty ? data.installedMasks().map(\.name) : arguments.positional
        let loader = data.maskLoader(assets.reference)
        let masks = try names.map { try loader.load(folder: data.workingFolder($0)) }
        let preview = try MaskPreview(
            masks: masks, faceWidth: Float(arguments[faceWidth]), assets: assets,
            renderer: arguments[MaskingOptions.renderer])
        if arguments[animated] {
            guard let format = AnimationFormat(path: path) else {
                throw arguments.invalid(output, "must end in .png, .apng, .gif or .mp4")
            }
            try preview.writeAnimation(
                to: path, format: format, replacing: arguments[force],
                progress: { number, count in
                    if Console.errorIsTerminal { line.draw { _ in "\(path): frame \(number) of \(count)" } }
                }, checkpoint: checkInterrupt)
        } else {
            guard let format = PictureFormat(path: path) else {
                throw arguments.invalid(output, "must end in .png, .jpg or .jpeg")
            }
            if Console.errorIsTerminal { line.draw { _ in "\(path): drawing" } }
            try PictureWriter.write(
                Picture(pixels: preview.still(checkpoint: checkInterrupt)), to: path, options: .init(format: format),
                replacing: arguments[force])
        }
        let rows = masks.count == 1 ? "" : ", from the top: \(names.joined(separator: ", "))"
        Console.error("\(path): written\(rows)\n")
        return .success
    }

    private static func checkInterrupt() throws {
        if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
    }
}
