import FaceGeometry
import FaceTracking
import ImageFiles
import MaskRendering
import Masks
import Pixels
import SampleFaces

/// `bauta mask template`: the sheet to paint on.
enum MaskTemplate {
    static let definition = CommandDefinition(
        name: "template", overview: "Make a sheet to paint a mask on.",
        discussion: """
            The reference face as a picture with layers: an empty one to paint on, the outlines of eyes, mouth and \
            mesh, the landmarks, the triangulation, and a faint face. An OpenRaster file (.ora; Krita, GIMP, MyPaint) is \
            a texture as it is: what is on its layer "paint" is worn. A PNG has all guides in one picture, to be put \
            under the painting.
            """,
        options: [
            OptionDefinition(
                name: "output", letter: "o", value: "file", help: "Where to: .ora or .png. (default: template.ora)"),
            OptionDefinition(name: "size", value: "pixels", help: "The sheet's side. (default: 2048)"),
            OptionDefinition(
                name: "of", value: "portrait", help: "Whose face lies under the guides. (default: a drawn one)"),
            OptionDefinition(name: "force", letter: "f", help: "Replace a file that is there already."),
            OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format."),
        ],
        examples: ["bauta mask template", "bauta mask template --of portrait.jpg --output sheet.ora"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let output = arguments["output"] ?? "template.ora"
        let ending = output.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        guard ["ora", "png"].contains(ending) else { throw arguments.invalid("output", "must end in .ora or .png") }
        let side = try arguments.integer("size", in: 256...8192) ?? 2048
        let replaces = arguments.has("force")
        if !replaces { try AtomicFile.checkIsFree(output) }
        let data = try DataFolder.find()
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let face = try self.face(arguments, data, reference, side: side)

        let empty = try PixelBuffer(width: side, height: side, format: .rgba8)
        let sheet = reference.vertices.map { Float(side) * $0 }
        let unit = Float(side) / 1024
        func lines(
            _ edges: some Sequence<Edge>, thickness: Float, color: SIMD4<UInt8>
        ) throws -> PixelBuffer {
            var layer = try clear(side, color)
            for edge in edges {
                layer.drawLine(from: sheet[edge.from], to: sheet[edge.to], thickness: thickness * unit, color: color)
            }
            return layer
        }
        let triangulation = try lines(
            Set(mesh.triangles.flatMap(\.edges).map(\.undirected)), thickness: 1, color: SIMD4(80, 120, 255, 150))
        let openings = try lines(
            FaceMesh.boundary(of: mesh.triangles) + FaceMesh.rims, thickness: 3, color: SIMD4(230, 40, 60, 255))
        var landmarks = try clear(side, SIMD4(0, 160, 80, 255))
        for place in sheet {
            landmarks.drawLine(from: place, to: place, thickness: 7 * unit, color: SIMD4(0, 160, 80, 255))
        }

        var merged = try face.pixels.copy()
        fade(&merged, to: faceOpacity)
        overlay(triangulation, on: &merged)
        overlay(openings, on: &merged)
        overlay(landmarks, on: &merged)
        if ending == "png" {
            try PictureWriter.write(
                Picture(pixels: merged, hasAlpha: true), to: output, options: .init(format: .png), replacing: replaces)
        } else {
            let layers: [OpenRaster.LayerPicture] = [
                .init(name: OpenRaster.paintLayer, png: try png(empty)),
                .init(name: "landmarks", png: try png(landmarks)),
                .init(name: "openings and outline", png: try png(openings)),
                .init(name: "triangulation", png: try png(triangulation)),
                .init(name: "face", png: try png(face.pixels), opacity: faceOpacity),
            ]
            var thumbnail = try merged.copy()
            while thumbnail.width > 256 { thumbnail = try thumbnail.halved() }
            let bytes = try OpenRaster.write(
                layers, width: side, height: side, merged: png(merged), thumbnail: png(thumbnail))
            try bytes.withUnsafeBytes { try AtomicFile.write($0, to: output, replacing: replaces) }
        }
        Console.output(
            "\(output): \(side) × \(side) pixels"
                + (ending == "ora" ? "; paint on its layer \"\(OpenRaster.paintLayer)\"\n" : "\n"))
        return .success
    }

    private static let faceOpacity: Float = 0.45

    /// Nothing to be seen, of one colour: so that what is drawn keeps it at its soft edges.
    private static func clear(_ side: Int, _ color: SIMD4<UInt8>) throws -> PixelBuffer {
        var layer = try PixelBuffer(width: side, height: side, format: .rgba8)
        let nothing = SIMD4(color.x, color.y, color.z, 0)
        for y in 0..<side { layer.withMutableRow(y) { for x in $0.indices { $0[x] = nothing } } }
        return layer
    }

    private static func png(_ pixels: borrowing PixelBuffer) throws -> [UInt8] {
        var options = PictureWriter.Options(format: .png)
        // Six large pictures that a painting program will soon write anew.
        options.pngCompression = 2
        return try PictureWriter.encode(
            Picture(pixels: try pixels.copy(), hasAlpha: true), options: options, path: "layer.png"
        ).bytes()
    }

    private static func fade(_ picture: inout PixelBuffer, to opacity: Float) {
        for y in 0..<picture.height {
            picture.withMutableRow(y) { row in
                for x in row.indices { row[x].w = UInt8((Float(row[x].w) * opacity).rounded()) }
            }
        }
    }

    /// Source over destination, straight alpha.
    private static func overlay(_ layer: borrowing PixelBuffer, on picture: inout PixelBuffer) {
        for y in 0..<picture.height {
            layer.withRow(y) { source in
                picture.withMutableRow(y) { row in
                    for x in row.indices where source[x].w > 0 {
                        let (above, below) = (SIMD4<Float>(source[x]) / 255, SIMD4<Float>(row[x]) / 255)
                        let alpha = above.w + below.w * (1 - above.w)
                        var color = (above.w * above + (1 - above.w) * below.w * below) / max(alpha, 1e-6)
                        color.w = alpha
                        row[x] = SIMD4<UInt8>((255 * color).rounded(.toNearestOrEven))
                    }
                }
            }
        }
    }

    private final class Drawn {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    /// Somebody's face, unwarped to the reference face on a transparent sheet.
    private static func face(
        _ arguments: ParsedArguments, _ data: DataFolder, _ reference: ReferenceFace, side: Int
    ) throws -> Drawn {
        let portrait: PixelBuffer
        let vertices: [Point]
        if let path = arguments["of"] {
            portrait = try PictureReader.read(path).pixels.withEightBits()
            let model = arguments["model"] ?? LandmarkCascade.defaultModelPath
            let finder = try PhotographFaces(reference: reference) { try LandmarkCascade(modelPath: model) }
            vertices = try NewMaskCommand.face(in: portrait, number: nil, path: path, finder: finder).vertices
        } else {
            var person = Sample.all[0].face
            person.expression = DrawnFace.Expression()
            person.light.direction = SIMD3(-0.2, -0.4, 0.9)
            // It lies faintly under the guides: half the size is enough.
            var picture = try PixelBuffer(width: 512, height: 512, format: .rgba8)
            for y in 0..<512 {
                picture.withMutableRow(y) { for x in $0.indices { $0[x] = SIMD4(200, 205, 210, 255) } }
            }
            let drawing = FaceDrawing(
                person, placement: DrawnFacePlacement(center: Point(256, 240), faceWidth: 300), reference: reference)
            drawing.draw(into: &picture, samples: 2)
            let landmarks = drawing.landmarks
            vertices =
                Face(box: landmarks.bounds, confidence: 1, landmarks: landmarks, reference: reference).vertices
            portrait = picture
        }
        let size = Point(Float(portrait.width), Float(portrait.height))
        let layer = Layer(
            .warp(
                WarpLayer(
                    picture: .texture(Texture(path: "portrait", pixels: portrait)),
                    textureCoordinates: vertices.map { $0 / size }, openings: [])))
        let mask = Mask(name: "", author: nil, license: nil, layers: [layer], folder: "")
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let landmarks = reference.landmarks.mapped { Float(side) * $0 }
        var sheet = try PixelBuffer(width: side, height: side, format: .rgba8)
        let face = Face(box: landmarks.bounds, confidence: 1, landmarks: landmarks, reference: reference)
        try renderer.draw(mask, on: [face], in: &sheet)
        return Drawn(sheet)
    }
}
