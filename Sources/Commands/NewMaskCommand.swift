import CommandLine
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import JSON
import MaskRendering
import Masking
import Masks
import Pixels

/// `bauta mask new`: a package that works at once.
enum NewMaskCommand {
    static let definition = CommandDefinition(
        name: "new", overview: "Make a mask: an empty sheet to paint on, or somebody's face.",
        discussion: """
            Makes a folder with a mask.json and its pictures, which can be worn at once and changed afterwards. From a \
            portrait it takes the face: hair and background are feathered away, the light on it is taken off as far as \
            can be done well, and the instance's light and colours are put on instead. Without one, the texture is a \
            white sheet in the shape of the face.
            """,
        arguments: [ArgumentDefinition(name: "folder", help: "The new mask's folder; its last part is the name.")],
        options: [
            OptionDefinition(
                name: "sheet", value: "png|ora|svg",
                help: "What the sheet is: a plain picture, or one with guides in layers. (default: png)"),
            OptionDefinition(name: "from", value: "portrait", help: "A JPEG or PNG with a face."),
            OptionDefinition(
                name: "face", value: "number", help: "Which face, where there are several; 1 is the largest."),
            OptionDefinition(
                name: "light-removal", value: "percent",
                help: "How much of the portrait's light to take off. (default: 70)"),
            OptionDefinition(name: "author", value: "name", help: "Who made it."),
            OptionDefinition(name: "license", value: "identifier", help: "Its licence, best by its SPDX identifier."),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
        ],
        examples: [
            "bauta mask new my-mask", "bauta mask new my-mask --sheet ora   # for Krita and GIMP",
            "bauta mask new grandfather --from portrait.jpg",
        ], run: run)

    /// Beyond this a face lacks a side, in radians: 28° and 25°.
    private static let largestYaw: Float = 0.49
    private static let largestPitch: Float = 0.44

    private enum SheetKind: String, CaseIterable { case png, ora, svg }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        var folder = arguments.positional[0]
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw UsageError("'\(folder)' is no name for a new folder.", arguments.commandPath)
        }
        var status = stat()
        guard lstat(folder, &status) != 0 else {
            throw CommandFailure(.cannotCreate, "\(folder): is there already; choose another name")
        }
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        try Folder.createParent(of: folder)
        // Made beside, then renamed: there is no half mask under the name.
        let temporary = "\(folder).\(getpid()).new"
        guard mkdir(temporary, 0o777) == 0 else {
            throw CommandFailure(
                .cannotCreate, "\(temporary): the folder cannot be made: \(String(cString: strerror(errno)))")
        }
        do {
            if let portrait = arguments["from"] {
                try writePortrait(portrait, name, arguments, data, reference, to: temporary)
            } else {
                try writeSheet(name, arguments, data, reference, to: temporary)
            }
            try writeThumbnail(temporary, data, reference)
            // A folder with something in it is never replaced by this.
            guard rename(temporary, folder) == 0 else {
                throw CommandFailure(
                    .cannotCreate, "\(folder): cannot be made: \(String(cString: strerror(errno)))")
            }
        } catch {
            for name in Folder.entries(of: temporary) ?? [] { unlink("\(temporary)/\(name)") }
            rmdir(temporary)
            throw error
        }
        Console.output("\(folder): made. Wear it: bauta live --mask '\(folder)'\n")
        return .success
    }

    // MARK: What is written

    private static func writePortrait(
        _ path: String, _ name: String, _ arguments: ParsedArguments, _ data: DataFolder, _ reference: ReferenceFace,
        to folder: String
    ) throws {
        if arguments.has("sheet") { throw arguments.invalid("sheet", "cannot be together with --from") }
        let removal = Float(try arguments.integer("light-removal", in: 0...100) ?? 70) / 100
        let picture = try PictureReader.read(path)
        let pixels = try picture.pixels.withEightBits()
        let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
        let finder = try PhotographFaces(reference: reference) { try LandmarkCascade(modelPath: model) }
        let face = try face(
            in: pixels, number: try arguments.integer("face", in: 1...1000), path: path, finder: finder)
        let mask = try PortraitMask(pixels, face: face, mesh: data.mesh(), lightRemoval: removal)
        try AtomicFile.write(PointsFile.text(mask.vertices), to: folder + "/face.pts", replacing: false)
        try write(mask.texture.copy(), to: folder + "/face.png")
        var layer: [JSONValue.Member] = [
            .init("type", .string("warp")), .init("texture", .string("face.png")),
            .init("landmarks", .string("face.pts")),
        ]
        if removal > 0 { layer.append(.init("light", .object(["shading": .number(0.5), "color": .number(0.8)]))) }
        try writeManifest(name, arguments, layer, to: folder)
    }

    /// The face that a mask can be made of.
    /// - Throws: `CommandFailure` with what to do where there is none, several, or one turned too far.
    static func face(
        in pixels: borrowing PixelBuffer, number: Int?, path: String, finder: PhotographFaces
    ) throws -> Face {
        let face = try chosen(try finder.faces(in: pixels).faces, number, path)
        try check(face, path)
        return face
    }

    private static func chosen(_ faces: [Face], _ number: Int?, _ path: String) throws -> Face {
        guard let first = faces.first else {
            throw CommandFailure(
                .dataError,
                "\(path): no face is found in it; take one that looks into the camera, upright, and fills a "
                    + "good part of the picture")
        }
        if let number {
            guard number <= faces.count else {
                throw CommandFailure(.dataError, "\(path): has \(faces.count) faces; there is no number \(number)")
            }
            return faces[number - 1]
        }
        guard faces.count == 1 else {
            throw CommandFailure(
                .dataError,
                "\(path): has \(faces.count) faces; say which with --face (1 is the largest), or cut the "
                    + "picture")
        }
        return first
    }

    private static func check(_ face: Face, _ path: String) throws {
        let degrees = { (radians: Float) in Int((abs(radians) * 180 / .pi).rounded()) }
        if abs(face.pose.yaw) > largestYaw {
            throw CommandFailure(
                .dataError,
                "\(path): the face is turned aside by \(degrees(face.pose.yaw))°, so that a part of it "
                    + "cannot be seen; take one that looks into the camera")
        }
        if abs(face.pose.pitch) > largestPitch {
            throw CommandFailure(
                .dataError,
                "\(path): the face looks \(face.pose.pitch > 0 ? "up" : "down") by "
                    + "\(degrees(face.pose.pitch))°; take one that looks into the camera")
        }
    }

    private static func writeSheet(
        _ name: String, _ arguments: ParsedArguments, _ data: DataFolder, _ reference: ReferenceFace, to folder: String
    ) throws {
        for option in ["face", "light-removal", "model"] where arguments.has(option) {
            throw arguments.invalid(option, "is only of use with --from")
        }
        let kind = try arguments.word("sheet", as: SheetKind.self) ?? .png
        let texture = "paint.\(kind.rawValue)"
        let paper = SIMD4<UInt8>(243, 238, 228, 255)
        if kind == .png {
            var sheet = try PixelBuffer(width: 1024, height: 1024, format: .rgba8)
            sheet.fill(paper)
            try write(sheet, to: folder + "/" + texture)
        } else {
            try MaskTemplate.write(
                to: folder + "/" + texture, side: 1024, paint: paper, of: nil, model: "", data, replaces: false)
        }
        try writeManifest(
            name, arguments,
            [
                .init("type", .string("warp")), .init("texture", .string(texture)),
                .init("light", .object(["shading": .number(0.6), "detail": .number(0.2)])),
            ], to: folder)
    }

    private static func writeManifest(
        _ name: String, _ arguments: ParsedArguments, _ layer: [JSONValue.Member], to folder: String
    ) throws {
        var members: [JSONValue.Member] = [.init("format", .integer(1)), .init("name", .string(name))]
        if let author = arguments["author"] { members.append(.init("author", .string(author))) }
        if let license = arguments["license"] { members.append(.init("license", .string(license))) }
        members.append(.init("layers", .array([.object(layer)])))
        try AtomicFile.write(
            JSONValue.object(members).text(indented: true) + "\n", to: folder + "/" + MaskLoader.manifestName,
            replacing: false)
    }

    private static func write(_ pixels: consuming PixelBuffer, to path: String) throws {
        try PictureWriter.write(
            Picture(pixels: pixels, hasAlpha: true), to: path, options: .init(format: .png), replacing: false)
    }

    /// A drawn face that wears it, 256 pixels wide.
    private static func writeThumbnail(_ folder: String, _ data: DataFolder, _ reference: ReferenceFace) throws {
        let mask = try data.maskLoader(reference).load(folder: folder)
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        try write(MaskPreview.thumbnail(of: mask, renderer, reference), to: folder + "/thumbnail.png")
    }
}
