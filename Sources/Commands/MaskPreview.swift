import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import MaskRendering
import Masking
import Masks
import Media
import Pixels
import SyntheticFaces

/// `bauta mask preview`: masks on a sheet of drawn faces, a row for each mask, a column for each pose and expression.
struct MaskPreview {
    static let definition = CommandDefinition(
        name: "preview", overview: "Draw masks on a sheet of faces and poses.",
        discussion: """
            Six drawn people wear each mask: looking straight ahead, turned to both sides, with an open mouth, with \
            closed eyes, and smiling with a tilted head. The people of a row are in one picture, so that faces can be \
            traded; each has blinked once more often than the one before. With --animated two of them look about, talk, smile and blink for four seconds.
            """,
        arguments: [
            ArgumentDefinition(
                name: "mask", help: "Names or folders. (default: all that have a name)", repeats: true,
                isOptional: true)
        ],
        options: [
            OptionDefinition(name: "output", letter: "o", value: "file", help: "Where to write the sheet. (needed)"),
            OptionDefinition(
                name: "animated", help: "Write a moving picture that begins again at its end: .png (APNG), .gif, .mp4."),
            OptionDefinition(
                name: "face-width", value: "pixels", help: "How wide the faces are. (default: 150)"),
            OptionDefinition(name: "force", letter: "f", help: "Replace a file that is there already."),
        ],
        examples: [
            "bauta mask preview --output masks.png", "bauta mask preview ./my-mask -o sheet.jpg",
            "bauta mask preview ./my-mask --animated -o moving.png",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let output = arguments["output"] else {
            throw UsageError("Missing expected option '--output <file>'.", arguments.commandPath)
        }
        if !arguments.has("force") { try AtomicFile.checkIsFree(output) }
        let faceWidth = Float(try arguments.integer("face-width", in: 30...600) ?? 150)
        let data = try DataFolder.find()
        let names = arguments.positional.isEmpty ? data.installedMasks().map(\.name) : arguments.positional
        let reference = try data.referenceFace()
        let masks = try names.map { try data.mask($0, reference: reference) }
        let preview = MaskPreview(
            masks: masks, faceWidth: faceWidth, reference: reference,
            renderer: try MaskRenderer(
                context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh()))
        if arguments.has("animated") {
            try preview.writeAnimation(output, arguments)
        } else {
            guard let format = PictureFormat(path: output) else {
                throw arguments.invalid("output", "must end in .png, .jpg or .jpeg")
            }
            let people = try People(
                (0..<6).map { posed(Sample.all[$0].face, column: $0) }, faceWidth: faceWidth, isQuick: false,
                reference: reference)
            try PictureWriter.write(
                Picture(pixels: preview.sheet(people, at: 0.3)), to: output, options: .init(format: format),
                replacing: arguments.has("force"))
        }
        return .success
    }

    private let masks: [Mask]
    private let faceWidth: Float
    private let reference: ReferenceFace
    private let renderer: MaskRenderer

    /// A row of people for each mask.
    private func sheet(_ people: People, at seconds: Double) throws -> PixelBuffer {
        var sheet = try PixelBuffer(width: people.width, height: people.height * masks.count, format: .rgba8)
        for (row, mask) in masks.enumerated() {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            var picture = try people.picture.copy()
            // Each mask by itself: light and animations of one are nothing to the others.
            try renderer.draw(
                mask, on: people.instances, at: seconds, in: &picture, encoding: .init(isOpaque: true))
            sheet.paste(picture, x: 0, y: row * people.height)
        }
        return sheet
    }

    // MARK: Moving

    private static let frameRate = 12.0
    private static let frameCount = 48

    private func writeAnimation(_ output: String, _ arguments: ParsedArguments) throws {
        let formats = ["png": "apng", "apng": "apng", "gif": "gif", "mp4": "mp4"]
        let ending = output.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        guard let format = formats[ending] else {
            throw arguments.invalid("output", "must end in .png, .apng, .gif or .mp4")
        }
        try Folder.createParent(of: output)
        let temporary = TemporaryFile.name(beside: output)
        // Nothing half-done is left, whatever happens.
        defer { unlink(temporary) }
        var settings = ClipWriter.Settings(target: temporary)
        settings.format = format
        settings.constantRate = Self.frameRate
        settings.isFragmented = false
        settings.loops = format != "mp4"
        var writer: ClipWriter?
        for index in 0..<Self.frameCount {
            let seconds = Double(index) / Self.frameRate
            if Console.errorIsTerminal { Console.error("\r\(output): frame \(index + 1) of \(Self.frameCount)") }
            let faces = (0..<2).map { person in
                let shift = Float(person) * 1.7
                return Self.moved(Sample.all[2 * person].face, at: Float(seconds) + shift)
            }
            let people = try People(faces, faceWidth: faceWidth, isQuick: true, reference: reference)
            let frame = try sheet(people, at: seconds)
            if writer == nil { writer = try ClipWriter(width: frame.width, height: frame.height, settings: settings) }
            try writer?.write(frame, at: seconds)
        }
        try writer?.finish()
        if Console.errorIsTerminal { Console.error("\r\u{1B}[K") }
        try AtomicFile.rename(temporary, to: output, replacing: arguments.has("force"))
    }

    /// One look about takes as long as the whole, so that the end goes over into the beginning.
    private static func moved(_ face: DrawnFace, at seconds: Float) -> DrawnFace {
        var face = face
        let length = Float(Double(frameCount) / frameRate)
        let time = seconds.truncatingRemainder(dividingBy: length)
        let turn = 2 * Float.pi * time / length
        face.pose = Pose(yaw: 0.5 * sin(turn), pitch: 0.12 * sin(2 * turn), roll: 0.1 * sin(turn + 1))
        face.expression = DrawnFace.Expression()
        if time > 0.6, time < 0.9 { (face.expression.rightEyeOpenness, face.expression.leftEyeOpenness) = (0, 0) }
        if time > 1.2, time < 2.6 { face.expression.mouthOpening = 0.8 * abs(sin((time - 1.2) / 1.4 * 2 * .pi)) }
        if time > 2.8, time < 3.8 { face.expression.smile = sin((time - 2.8) * .pi) }
        return face
    }

    /// The row without masks.
    private final class People {
        let picture: PixelBuffer
        let instances: [FaceInstance]
        let width: Int
        let height: Int

        init(_ faces: [DrawnFace], faceWidth: Float, isQuick: Bool, reference: ReferenceFace) throws {
            let cell = (width: Int(2 * faceWidth), height: Int(2.4 * faceWidth))
            var picture = try PixelBuffer(width: faces.count * cell.width, height: cell.height, format: .rgba8)
            var instances: [FaceInstance] = []
            for (column, face) in faces.enumerated() {
                var tile = try PixelBuffer(width: cell.width, height: cell.height, format: .rgba8)
                let wall = FaceDrawing.encoded(face.identity.backdrop)
                tile.fill(wall)
                let placement = DrawnFacePlacement(
                    center: Point(faceWidth, 1.05 * faceWidth), faceWidth: faceWidth)
                let drawing = FaceDrawing(face, placement: placement, reference: reference)
                if isQuick { try drawing.drawQuickly(into: &tile) } else { drawing.draw(into: &tile, samples: 3) }
                picture.paste(tile, x: column * cell.width, y: 0)
                let offset = Point(Float(column * cell.width), 0)
                let landmarks = drawing.landmarks.mapped { $0 + offset }
                var instance = FaceInstance(
                    face: Face(landmarks: landmarks, reference: reference),
                    trackID: column + 1)
                instance.blinks = column
                instances.append(instance)
            }
            width = picture.width
            height = picture.height
            self.picture = picture
            self.instances = instances
        }
    }

    /// A drawn head that wears a mask, 256 × 256 pixels.
    static func thumbnail(of mask: Mask, _ renderer: MaskRenderer, _ reference: ReferenceFace) throws -> PixelBuffer {
        let side = 256
        var picture = try PixelBuffer(width: side, height: side, format: .rgba8)
        picture.fill(SIMD4(150, 158, 165, 255))
        let drawing = FaceDrawing(
            Sample.all[0].face, placement: DrawnFacePlacement(center: Point(128, 118), faceWidth: 136),
            reference: reference)
        drawing.draw(into: &picture, samples: 3)
        let landmarks = drawing.landmarks
        let face = Face(landmarks: landmarks, reference: reference)
        try renderer.draw(mask, on: [face], in: &picture, encoding: .init(isOpaque: true))
        return picture
    }

    private static func posed(_ face: DrawnFace, column: Int) -> DrawnFace {
        var face = face
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
        return face
    }
}
