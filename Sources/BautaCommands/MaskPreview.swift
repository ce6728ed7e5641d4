import FaceGeometry
import ImageFiles
import MaskRendering
import Masks
import Pixels
import SampleFaces

/// `bauta mask preview`: masks on a sheet of drawn faces, a row for each mask, a column for each pose and expression.
enum MaskPreview {
    static let definition = CommandDefinition(
        name: "preview", overview: "Draw masks on a sheet of faces and poses.",
        discussion: """
            Six drawn people wear each mask: looking straight ahead, turned to both sides, with an open mouth, with \
            closed eyes, and smiling with a tilted head. The people of a row are in one picture, so that faces can be \
            traded; each has blinked once more often than the one before.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "Names or folders. (default: all that have a name)", repeats: true,
                isOptional: true)
        ],
        options: [
            OptionDefinition(name: "output", letter: "o", value: "file", help: "Where to write the sheet. (needed)"),
            OptionDefinition(
                name: "face-width", value: "pixels", help: "How wide the faces are. (default: 150)"),
            OptionDefinition(name: "force", letter: "f", help: "Replace a file that is there already."),
        ],
        examples: ["bauta mask preview --output masks.png", "bauta mask preview ./my-mask -o sheet.jpg"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let output = arguments["output"] else {
            throw UsageError("Missing expected option '--output <file>'.", arguments.commandPath)
        }
        guard let format = PictureFormat(path: output) else {
            throw arguments.invalid("output", "must end in .png, .jpg or .jpeg")
        }
        if !arguments.has("force") { try AtomicFile.checkIsFree(output) }
        let faceWidth = Float(try arguments.integer("face-width", in: 30...600) ?? 150)
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let names = arguments.positional.isEmpty ? data.installedMasks().map(\.name) : arguments.positional
        let masks = try names.map { try data.mask($0, reference: reference) }
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let people = try People(faceWidth: faceWidth, reference: reference)
        var sheet = try PixelBuffer(width: people.width, height: people.height * masks.count, format: .rgba8)
        for (row, mask) in masks.enumerated() {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            var picture = try people.picture.copy()
            try renderer.draw(
                mask, on: people.wearers, at: 0.3, in: &picture, encoding: .init(isOpaque: true))
            for y in 0..<people.height {
                picture.withRow(y) { source in
                    sheet.withMutableRow(row * people.height + y) { target in
                        for x in source.indices { target[x] = source[x] }
                    }
                }
            }
        }
        try PictureWriter.write(
            Picture(pixels: sheet), to: output, options: .init(format: format), replacing: arguments.has("force"))
        return .success
    }

    /// The row without masks.
    private final class People {
        let picture: PixelBuffer
        let wearers: [Wearer]
        let width: Int
        let height: Int

        init(faceWidth: Float, reference: ReferenceFace) throws {
            let cell = (width: Int(2 * faceWidth), height: Int(2.4 * faceWidth))
            var picture = try PixelBuffer(width: 6 * cell.width, height: cell.height, format: .rgba8)
            var wearers: [Wearer] = []
            for (column, sample) in Sample.all.prefix(6).enumerated() {
                var face = sample.face
                MaskPreview.pose(&face, column: column)
                var tile = try PixelBuffer(width: cell.width, height: cell.height, format: .rgba8)
                let wall = FaceDrawing.encoded(face.identity.backdrop)
                for y in 0..<cell.height { tile.withMutableRow(y) { for x in $0.indices { $0[x] = wall } } }
                let placement = DrawnFacePlacement(
                    center: Point(faceWidth, 1.05 * faceWidth), faceWidth: faceWidth)
                let drawing = FaceDrawing(face, placement: placement, reference: reference)
                drawing.draw(into: &tile, samples: 3)
                for y in 0..<cell.height {
                    tile.withRow(y) { source in
                        picture.withMutableRow(y) { target in
                            for x in source.indices { target[column * cell.width + x] = source[x] }
                        }
                    }
                }
                let offset = Point(Float(column * cell.width), 0)
                let landmarks = drawing.landmarks.mapped { $0 + offset }
                var wearer = Wearer(
                    face: Face(box: landmarks.bounds, confidence: 1, landmarks: landmarks, reference: reference),
                    number: column + 1)
                wearer.blinks = column
                wearers.append(wearer)
            }
            self.picture = picture
            self.wearers = wearers
            width = 6 * cell.width
            height = cell.height
        }
    }

    /// A drawn head that wears a mask, 256 × 256 pixels.
    static func thumbnail(of mask: Mask, _ renderer: MaskRenderer, _ reference: ReferenceFace) throws -> PixelBuffer {
        let side = 256
        var picture = try PixelBuffer(width: side, height: side, format: .rgba8)
        for y in 0..<side { picture.withMutableRow(y) { for x in $0.indices { $0[x] = SIMD4(150, 158, 165, 255) } } }
        let drawing = FaceDrawing(
            Sample.all[0].face, placement: DrawnFacePlacement(center: Point(128, 118), faceWidth: 136),
            reference: reference)
        drawing.draw(into: &picture, samples: 3)
        let landmarks = drawing.landmarks
        let face = Face(box: landmarks.bounds, confidence: 1, landmarks: landmarks, reference: reference)
        try renderer.draw(mask, on: [face], in: &picture, encoding: .init(isOpaque: true))
        return picture
    }

    private static func pose(_ face: inout DrawnFace, column: Int) {
        face.expression = DrawnFace.Expression()
        face.pose = Pose(yaw: 0, pitch: 0, roll: 0)
        switch column {
        case 1: face.pose = Pose(yaw: 0.52, pitch: 0, roll: 0)
        case 2: face.expression.mouthOpening = 0.9
        case 3: face.pose = Pose(yaw: -0.7, pitch: 0.2, roll: 0)
        case 4:
            face.expression.rightEyeOpenness = 0
            face.expression.leftEyeOpenness = 0
            face.expression.browRaise = 0.8
        case 5:
            face.pose = Pose(yaw: 0.1, pitch: -0.15, roll: 0.35)
            face.expression.smile = 1
        default: break
        }
    }
}
