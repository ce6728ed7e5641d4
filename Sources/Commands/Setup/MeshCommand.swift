import CommandLine
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import Masking

/// `bauta mesh`.
enum MeshCommand {
    static let definition = CommandDefinition(
        name: "mesh", overview: "Rebuild the triangulation of the reference face.",
        discussion: """
            The mesh is computed once and kept as text. Only someone who changes the reference face \
            (face/reference.pts) needs this.
            """,
        options: [
            OptionDefinition(
                name: "from-model",
                help: "First derive the reference face itself from the landmark model's mean shape, made symmetric."),
            OptionDefinition(
                name: "model", value: "file", help: "The landmark model. (default: Debian's, of libdlib-data)"),
            OptionDefinition(
                name: "output", letter: "o", value: "file",
                help: "Write the mesh there, not over the one that is used (face/mesh.txt)."),
        ],
        examples: ["bauta mesh", "bauta mesh --output /tmp/mesh.txt"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        if arguments.has("from-model") {
            let mean = try LandmarkCascade(
                modelPath: arguments["model"] ?? LandmarkCascade.defaultModelPath
            ).meanShape
            let points = symmetric(mean).map(ReferenceFace.canonicalPosition) + ReferenceFace.headPointPositions
            try AtomicFile.write(PointsFile.text(points), to: data.referencePath, replacing: true)
            Console.error("\(data.referencePath): \(points.count) points from the model's mean shape\n")
        }
        let mesh = FaceMesh(of: try data.referenceFace())
        let path = arguments["output"] ?? data.meshPath
        try AtomicFile.write(mesh.text, to: path, replacing: true)
        Console.error("\(path): \(mesh.triangles.count) triangles\n")
        return .success
    }

    /// Each landmark averaged with its mirror image.
    private static func symmetric(_ shape: [Point]) -> [Point] {
        Landmarks.topology.mirrored.prefix(Landmarks.count).enumerated().map { index, other in
            let mirror = Point(1 - shape[other].x, shape[other].y)
            return (shape[index] + mirror) / 2
        }
    }
}
