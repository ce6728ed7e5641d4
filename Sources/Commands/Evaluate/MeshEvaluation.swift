import CommandLine
import FaceGeometry
import FaceTracking
import ImageFiles
import JSON
import Masking
import Media
import Pixels
import SyntheticFaces

/// `bauta evaluate mesh`: where the points of the head come to lie that no detector finds, on turned heads.
enum MeshEvaluation {
    static let definition = CommandDefinition(
        name: "mesh", overview: "Measure the mesh on drawn heads in many poses.",
        discussion: """
            The drawn heads of the samples are turned through a grid of poses (yaw to 45°, pitch to 25°, roll to 40°). \
            The head points are worked out from the drawing's own landmarks and compared with where they are on the \
            drawn head; errors are shares of the face's width. A triangle counts as folded when it is turned over \
            though the head there shows at least a quarter of itself.
            """,
        options: [
            OptionDefinition(
                name: "clip", value: "file",
                help: "Follow the faces of a clip instead, and count folded triangles of the skin."),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
            OptionDefinition(
                name: "output", letter: "o", value: "file", help: "Draw heads with the mesh on them, as one picture."),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: [
            "bauta evaluate mesh", "bauta evaluate mesh --clip clip.mp4", "bauta evaluate mesh --output poses.png",
        ], run: run)

    private static let yaws: [Float] = [-45, -30, -15, 0, 15, 30, 45]
    private static let pitches: [Float] = [-25, -12, 0, 12, 25]
    private static let rolls: [Float] = [-40, 0, 40]
    private static let placement = DrawnFacePlacement(center: Point(150, 130), faceWidth: 150)

    private struct Row {
        let yaw: Float
        var errors: [Float] = []
        var folds = 0
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let refined = RefinedMesh(mesh, reference: reference)
        if let clip = arguments["clip"] {
            let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
            return try countFolds(clip, model, refined, reference, asJSON: arguments.has("json"))
        }
        var rows = yaws.map { Row(yaw: $0) }
        var byPoint = [[Float]](repeating: [], count: HeadPoint.allCases.count)
        for sample in Sample.all {
            for index in rows.indices {
                for pitch in pitches {
                    for roll in rolls {
                        if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
                        let drawing = drawing(sample.face, rows[index].yaw, pitch, roll, reference)
                        let face = face(drawing.landmarks, reference)
                        for point in HeadPoint.allCases {
                            let truth = drawing.position(ofCanonicalPoint: reference.vertices[point.vertex])
                            let error = (face.headPoints[point] - truth).length / placement.faceWidth
                            rows[index].errors.append(error)
                            byPoint[point.rawValue].append(error)
                        }
                        rows[index].folds += folds(refined, mesh, face, drawing, reference)
                    }
                }
            }
        }
        if let path = arguments["output"] { try drawSheet(path, reference, mesh) }
        report(rows, byPoint, asJSON: arguments.has("json"))
        return .success
    }

    private static func drawing(
        _ face: DrawnFace, _ yaw: Float, _ pitch: Float, _ roll: Float, _ reference: ReferenceFace
    ) -> FaceDrawing {
        var face = face
        face.pose = Pose(yaw: yaw * .pi / 180, pitch: pitch * .pi / 180, roll: roll * .pi / 180)
        return FaceDrawing(face, placement: placement, reference: reference)
    }

    private static func face(_ landmarks: Landmarks, _ reference: ReferenceFace) -> Face {
        Face(landmarks: landmarks, reference: reference)
    }

    /// Triangles of the skin that are turned over where the same triangle of the drawn head shows the viewer at least a
    /// quarter of itself. (What shows less is faded out by the renderer.)
    private static func folds(
        _ refined: RefinedMesh, _ mesh: FaceMesh, _ face: Face, _ drawing: FaceDrawing, _ reference: ReferenceFace
    ) -> Int {
        let vertices = refined.vertices(face.vertices)
        let sheet = refined.textureCoordinates(reference.vertices)
        let truth = sheet.map { drawing.position(ofCanonicalPoint: $0) }
        let scale = placement.faceWidth / reference.width
        return refined.triangles(openings: Set(FaceMesh.Opening.allCases)).count { triangle in
            triangle.doubleArea(vertices) < 0
                && triangle.doubleArea(truth) > 0.25 * scale * scale * triangle.doubleArea(sheet)
        }
    }

    private static func countFolds(
        _ path: String, _ model: String, _ refined: RefinedMesh, _ reference: ReferenceFace, asJSON: Bool
    ) throws -> ExitCode {
        let reader = try ClipReader(path)
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            cascade: try LandmarkCascade(modelPath: model), reference: reference, settings: settings)
        var frame = try reader.makeFrame()
        let skin = refined.triangles(openings: Set(FaceMesh.Opening.allCases))
        var (frames, faces, folded, framesWithFolds) = (0, 0, 0, 0)
        while let seconds = try reader.read(into: &frame) {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            try tracker.track(frame, at: seconds)
            frames += 1
            let before = folded
            for face in tracker.faces {
                faces += 1
                let vertices = refined.vertices(face.face.vertices)
                folded += skin.count { $0.doubleArea(vertices) < 0 }
            }
            if folded > before { framesWithFolds += 1 }
        }
        if asJSON {
            let result: JSONValue = .object([
                "frames": .integer(frames), "faces": .integer(faces), "folds": .integer(folded),
                "framesWithFolds": .integer(framesWithFolds),
            ])
            Console.output(result.text(indented: true) + "\n")
        } else {
            Console.output(
                "\(frames) frames, \(faces) faces in them, \(skin.count) triangles each: "
                    + "\(folded) folded, in \(framesWithFolds) frames\n")
        }
        return .success
    }

    private static func drawSheet(_ path: String, _ reference: ReferenceFace, _ mesh: FaceMesh) throws {
        let (width, height) = (300, 330)
        var sheet = try PixelBuffer(width: width * yaws.count, height: height * pitches.count, format: .rgba8)
        for (column, yaw) in yaws.enumerated() {
            for (row, pitch) in pitches.enumerated() {
                var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
                for y in 0..<height {
                    picture.withMutableRow(y) { for x in $0.indices { $0[x] = SIMD4(120, 125, 130, 255) } }
                }
                let drawing = drawing(Sample.all[(column + row) % Sample.all.count].face, yaw, pitch, 0, reference)
                drawing.draw(into: &picture, samples: 1)
                FaceOverlay(face: face(drawing.landmarks, reference), mesh: mesh)
                    .draw([.mesh, .landmarks], in: &picture)
                for y in 0..<height {
                    picture.withRow(y) { source in
                        sheet.withMutableRow(row * height + y) { target in
                            for x in source.indices { target[column * width + x] = source[x] }
                        }
                    }
                }
            }
        }
        try PictureWriter.write(Picture(pixels: sheet), to: path, options: .init(format: .png), replacing: true)
    }

    private static func report(_ rows: [Row], _ byPoint: [[Float]], asJSON: Bool) {
        func mean(_ values: [Float]) -> Double {
            Double(values.reduce(0, +)) / Double(max(1, values.count))
        }
        func highest(_ values: [Float], _ share: Double) -> Double {
            let sorted = values.sorted()
            return sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
        }
        let all = rows.flatMap(\.errors)
        let folds = rows.reduce(0) { $0 + $1.folds }
        if asJSON {
            let poses = rows.map { row in
                JSONValue.object([
                    "yaw": .number(Double(row.yaw)), "meanError": .number(BenchCommand.rounded(mean(row.errors), 4)),
                    "folds": .integer(row.folds),
                ])
            }
            let points = HeadPoint.allCases.map { point in
                JSONValue.Member("\(point)", .number(BenchCommand.rounded(mean(byPoint[point.rawValue]), 4)))
            }
            let result: JSONValue = .object([
                "heads": .integer(all.count / HeadPoint.allCases.count),
                "meanError": .number(BenchCommand.rounded(mean(all), 4)),
                "error95": .number(BenchCommand.rounded(highest(all, 0.95), 4)), "folds": .integer(folds),
                "yaw": .array(poses), "points": .object(points),
            ])
            Console.output(result.text(indented: true) + "\n")
            return
        }
        func percent(_ value: Double) -> String { StabilityEvaluation.decimal(100 * value, 1) }
        Console.output("\(all.count / HeadPoint.allCases.count) drawn heads; errors in % of the face's width\n\n")
        Console.output("yaw     mean    95 %  folded\n")
        for row in rows {
            let cells = [
                StabilityEvaluation.decimal(Double(row.yaw), 0), percent(mean(row.errors)),
                percent(highest(row.errors, 0.95)), "\(row.folds)",
            ]
            let widths = [4, 8, 8, 8]
            Console.output(
                zip(cells, widths).map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined() + "\n")
        }
        Console.output(
            "\nall: mean \(percent(mean(all))) %, 95 % below \(percent(highest(all, 0.95))) %, folded \(folds)\n")
        for point in HeadPoint.allCases {
            Console.output("  \(point): \(percent(mean(byPoint[point.rawValue]))) %\n")
        }
    }
}
