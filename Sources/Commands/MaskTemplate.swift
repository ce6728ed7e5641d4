import CommandLine
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import MaskRendering
import Masking
import Masks
import Pixels
import SyntheticFaces

/// `bauta mask template`: the sheet to paint on.
enum MaskTemplate {
    static let definition = CommandDefinition(
        name: "template", overview: "Make a sheet to paint a mask on.",
        discussion: """
            The reference face as a picture with layers: an empty one to paint on, the outlines of eyes, mouth and \
            mesh, the landmarks, the triangulation, and a faint face. An OpenRaster file (.ora; Krita, GIMP, MyPaint) \
            and an SVG (Inkscape) are textures as they are: what is on their layer "paint" is worn. A PNG has all \
            guides in one picture, to be put under the painting.
            """,
        options: [
            OptionDefinition(
                name: "output", letter: "o", value: "file",
                help: "Where to: .ora, .svg or .png. (default: template.ora)"),
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
        guard ["ora", "svg", "png"].contains(ending) else {
            throw arguments.invalid("output", "must end in .ora, .svg or .png")
        }
        let side = try arguments.integer("size", in: 256...8192) ?? 2048
        let replaces = arguments.has("force")
        if !replaces { try AtomicFile.checkIsFree(output) }
        let data = try DataFolder.find()
        try write(
            to: output, side: side, paint: nil, of: arguments["of"],
            model: arguments["model"] ?? LandmarkCascade.defaultModelPath, data, replaces: replaces)
        Console.output(
            "\(output): \(side) × \(side) pixels"
                + (ending == "png" ? "\n" : "; paint on its layer \"\(OpenRaster.paintLayer)\"\n"))
        return .success
    }

    /// Writes a sheet; the ending of its name says as what.
    /// - Parameters:
    ///   - paint: what the layer to paint on is filled with; nil: nothing.
    ///   - portrait: whose face lies under the guides; nil: a drawn one.
    static func write(
        to output: String, side: Int, paint: SIMD4<UInt8>?, of portrait: String?, model: String, _ data: DataFolder,
        replaces: Bool
    ) throws {
        let (reference, mesh) = (try data.referenceFace(), try data.mesh())
        let face = try self.face(portrait, model: model, data, reference, side: side)
        let guides = Guide.all(mesh)
        if output.lowercased().hasSuffix(".svg") {
            let text = try VectorTemplate.text(
                guides, sheet: reference.vertices, face: png(face.pixels), paint: paint, side: side)
            try AtomicFile.write(text, to: output, replacing: replaces)
        } else {
            try writePixels(
                guides, sheet: reference.vertices.map { Float(side) * $0 }, face: face, paint: paint, side: side,
                to: output, replaces: replaces)
        }
    }

    private static func writePixels(
        _ guides: [Guide], sheet: [Point], face: Drawn, paint: SIMD4<UInt8>?, side: Int, to output: String,
        replaces: Bool
    ) throws {
        var painting = try PixelBuffer(width: side, height: side, format: .rgba8)
        if let paint { painting.fill(paint) }
        var merged = try face.pixels.copy()
        fade(&merged, to: faceOpacity)
        overlay(painting, on: &merged)
        var layers = [
            OpenRaster.LayerPicture(name: "face", png: try png(face.pixels), opacity: faceOpacity, isLocked: true),
            OpenRaster.LayerPicture(name: OpenRaster.paintLayer, png: try png(painting)),
        ]
        // The guides lie over the painting, so that they are seen while it grows.
        for guide in guides {
            var layer = try clear(side, guide.color)
            for edge in guide.edges {
                layer.drawLine(
                    from: sheet[edge.from], to: sheet[edge.to], thickness: guide.thickness * Float(side) / 1024,
                    color: guide.color)
            }
            overlay(layer, on: &merged)
            layers.append(.init(name: guide.name, png: try png(layer), isLocked: true))
        }
        guard output.lowercased().hasSuffix(".ora") else {
            return try PictureWriter.write(
                Picture(pixels: merged, hasAlpha: true), to: output, options: .init(format: .png), replacing: replaces)
        }
        var thumbnail = try merged.copy()
        while thumbnail.width > 256 { thumbnail = try thumbnail.halved() }
        let bytes = try OpenRaster.write(
            layers.reversed(), width: side, height: side, merged: png(merged), thumbnail: png(thumbnail))
        try bytes.withUnsafeBytes { try AtomicFile.write($0, to: output, replacing: replaces) }
    }

    /// Lines that a painter keeps to.
    private struct Guide {
        let name: String
        let edges: [Edge]
        /// In 1024ths of the sheet.
        let thickness: Float
        let color: SIMD4<UInt8>

        /// From the bottom up.
        static func all(_ mesh: FaceMesh) -> [Guide] {
            [
                Guide(name: "triangulation", edges: mesh.edges, thickness: 1, color: SIMD4(80, 120, 255, 150)),
                Guide(
                    name: "openings and outline", edges: FaceMesh.boundary(of: mesh.triangles) + FaceMesh.rims,
                    thickness: 3, color: SIMD4(230, 40, 60, 255)),
                Guide(
                    name: "landmarks", edges: (0..<ReferenceFace.vertexCount).map { Edge(from: $0, to: $0) },
                    thickness: 7, color: SIMD4(0, 160, 80, 255)),
            ]
        }
    }

    /// The sheet as SVG, with groups that Inkscape takes for layers.
    private enum VectorTemplate {
        static func text(
            _ guides: [Guide], sheet: [Point], face: [UInt8], paint: SIMD4<UInt8>?, side: Int
        ) -> String {
            var text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
                xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" \
                xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="\(side)" height="\(side)" \
                viewBox="0 0 1024 1024">

                """
            func layer(_ identifier: String, _ name: String, _ attributes: String, _ content: String) {
                text +=
                    "  <g id=\"\(identifier)\" inkscape:groupmode=\"layer\" inkscape:label=\"\(name)\"\(attributes)>"
                text += content + "</g>\n"
            }
            let picture = "data:image/png;base64,\(base64(face))"
            layer(
                "face", "face", " opacity=\"\(decimal(faceOpacity))\"",
                "<image width=\"1024\" height=\"1024\" href=\"\(picture)\" xlink:href=\"\(picture)\"/>")
            let ground = paint.map { "<rect width=\"1024\" height=\"1024\" fill=\"rgb(\($0.x),\($0.y),\($0.z))\"/>" }
            layer(VectorPicture.paintElement, VectorPicture.paintElement, "", ground ?? "")
            for guide in guides {
                let lines = guide.edges.map { edge in
                    let (from, to) = (1024 * sheet[edge.from], 1024 * sheet[edge.to])
                    return "M\(decimal(from.x)) \(decimal(from.y))L\(decimal(to.x)) \(decimal(to.y))"
                }.joined()
                let color = "rgb(\(guide.color.x),\(guide.color.y),\(guide.color.z))"
                let opacity = decimal(Float(guide.color.w) / 255)
                layer(
                    guide.name.split(separator: " ").joined(separator: "-"), guide.name,
                    " sodipodi:insensitive=\"true\"",
                    "<path d=\"\(lines)\" fill=\"none\" stroke=\"\(color)\" stroke-opacity=\"\(opacity)\" "
                        + "stroke-width=\"\(decimal(guide.thickness))\" stroke-linecap=\"round\"/>")
            }
            return text + "</svg>\n"
        }

        /// RFC 4648.
        private static func base64(_ bytes: [UInt8]) -> String {
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
            var result: [UInt8] = []
            result.reserveCapacity((bytes.count + 2) / 3 * 4)
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
                let number = group[0] << 16 | group[1] << 8 | group[2]
                for index in 0..<4 {
                    result.append(
                        start + index <= bytes.count ? letters[number >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static let faceOpacity: Float = 0.45

    /// Nothing to be seen, of one colour: so that what is drawn keeps it at its soft edges.
    private static func clear(_ side: Int, _ color: SIMD4<UInt8>) throws -> PixelBuffer {
        var layer = try PixelBuffer(width: side, height: side, format: .rgba8)
        layer.fill(SIMD4(color.x, color.y, color.z, 0))
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
        _ portrait: String?, model: String, _ data: DataFolder, _ reference: ReferenceFace, side: Int
    ) throws -> Drawn {
        let pixels: PixelBuffer
        let vertices: [Point]
        if let path = portrait {
            pixels = try PictureReader.read(path).pixels.withEightBits()
            let finder = try PhotographFaces(reference: reference) { try LandmarkCascade(modelPath: model) }
            vertices = try NewMaskCommand.face(in: pixels, number: nil, path: path, finder: finder).vertices
        } else {
            var person = Sample.all[0].face
            person.expression = DrawnFace.Expression()
            person.light.direction = SIMD3(-0.2, -0.4, 0.9)
            // It lies faintly under the guides: half the size is enough.
            var picture = try PixelBuffer(width: 512, height: 512, format: .rgba8)
            picture.fill(SIMD4(200, 205, 210, 255))
            let drawing = FaceDrawing(
                person, placement: DrawnFacePlacement(center: Point(256, 240), faceWidth: 300), reference: reference)
            drawing.draw(into: &picture, samples: 2)
            let landmarks = drawing.landmarks
            vertices =
                Face(landmarks: landmarks, reference: reference).vertices
            pixels = picture
        }
        let size = Point(Float(pixels.width), Float(pixels.height))
        let layer = Layer(
            .warp(
                WarpLayer(
                    picture: .texture(Texture(path: "portrait", pixels: pixels)),
                    textureCoordinates: vertices.map { $0 / size }, openings: [])))
        let mask = Mask(name: "", author: nil, license: nil, layers: [layer], folder: "")
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let landmarks = reference.landmarks.mapped { Float(side) * $0 }
        var sheet = try PixelBuffer(width: side, height: side, format: .rgba8)
        let face = Face(landmarks: landmarks, reference: reference)
        try renderer.draw(mask, on: [face], in: &sheet)
        return Drawn(sheet)
    }
}
