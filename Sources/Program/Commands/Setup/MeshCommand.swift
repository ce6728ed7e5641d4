import Arguments
import FaceGeometry
import Files
import Installation
import LandmarkModels

/// `bauta lab mesh`.
enum MeshCommand {
    private static let fromModel = Flag(
        "from-model",
        help: "First write a new reference face: the landmark model's mean shape, made symmetric.")
    private static let output = Option<String?>(
        "output", letter: "o", value: "file", defaultText: "face/mesh.txt, which the program uses",
        help: "Write the mesh to this file."
    ).takes(.file)

    static let definition = CommandDefinition(
        name: "mesh", overview: "Rebuild the triangulation of the reference face.",
        discussion: """
            The mesh is computed once and stored as text. Rebuild it only after changing the reference face \
            (face/reference.pts).
            """,
        options: [fromModel, CommonOptions.model, output],
        examples: ["bauta lab mesh", "bauta lab mesh --output /tmp/mesh.txt"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        if arguments[fromModel] {
            let mean = try LandmarkCascade(modelPath: arguments[CommonOptions.model]).meanShape
            let points = ReferenceFace.vertices(fromMeanShape: mean)
            try AtomicFile.write(PointsFile.text(points), to: data.referencePath, replacing: true)
            Console.error("\(data.referencePath): \(points.count) points from the model's mean shape\n")
        }
        let mesh = FaceMesh(of: try data.referenceFace())
        let path = arguments[output].map { FilePath($0) } ?? data.meshPath
        try AtomicFile.write(mesh.text, to: path, replacing: true)
        Console.error("\(path): \(mesh.triangles.count) triangles\n")
        return .success
    }
}
