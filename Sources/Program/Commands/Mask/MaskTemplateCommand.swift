import Arguments
import FaceTracking
import Files
import Installation
import MaskAuthoring
import Masks

/// `bauta mask template`: a picture of the reference face to paint a mask on.
enum MaskTemplateCommand {
    private static let output = Option(
        "output", letter: "o", value: "file", default: "template.ora", help: "The file to write: .ora, .svg or .png."
    ).takes(.file(["ora", "svg", "png"]))
    private static let size = Option(
        "size", value: "pixels", in: MaskTemplate.sides, default: 2048, help: "Width and height.")
    private static let portrait = Option<String?>(
        "of", value: "portrait", defaultText: "a synthetic face",
        help: "A photograph with the face to show below the guides."
    ).takes(.photograph)
    private static let force = Flag("force", letter: "f", help: "Replace an existing file.")

    static let definition = CommandDefinition(
        name: "template", overview: "Write a template for painting a mask.",
        discussion: """
            The reference face as a picture with layers: an empty layer for painting, the outlines of eyes, mouth and \
            mesh, the landmarks, the triangulation, and a faint face. OpenRaster (.ora; Krita, GIMP, MyPaint) and SVG \
            (Inkscape) files are usable as textures without export: masks show their layer "paint". A PNG has all \
            guides in one layer; put it below the painting.
            """,
        options: [output, size, portrait, force], groups: [ModelOptions.group],
        examples: ["bauta mask template", "bauta mask template --of portrait.jpg --output me.ora"],
        showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let path = arguments[output]
        guard let format = MaskTemplate.Format(path: path) else {
            throw arguments.invalid(output, "must end in .ora, .svg or .png")
        }
        if !arguments.has(portrait) { try ModelOptions.requireNone(arguments, without: "--of") }
        arguments[portrait].map { InputFiles.protect($0) }
        if !arguments[force] { try AtomicFile.checkIsFree(path) }
        let assets = try AuthoringAssets(DataFolder.find())
        let side = arguments[size]
        if let portrait = arguments[portrait] {
            let finder = try PhotographFaces(reference: assets.reference, models: FaceModels(arguments))
            try MaskTemplate(side: side, portrait: Portrait(portrait, choice: .only, finder: finder), assets: assets)
                .write(to: path, format: format, replacing: arguments[force])
        } else {
            try MaskTemplate(side: side, assets: assets).write(to: path, format: format, replacing: arguments[force])
        }
        Console.output(
            "\(path): \(side) × \(side) pixels"
                + (format == .png ? "\n" : "; paint on its layer \"\(OpenRaster.paintLayer)\"\n"))
        return .success
    }
}
