import CommandLine
import FaceGeometry
import JSON
import MaskRendering
import Masking
import Masks
import Pixels
import SyntheticFaces

/// `bauta bench render`: what each kind of layer costs.
enum RenderBenchmark {
    static let definition = CommandDefinition(
        name: "render", overview: "Measure drawing each kind of layer.",
        discussion: """
            A drawn face of 460 pixels' height in a picture of 1280 × 720, opaque, as in a video; milliseconds a frame \
            from a picture in memory to a picture in memory, without finding the face. The last line has twelve \
            smaller faces in the same picture. "More" is what a kind costs beyond a plain warp.
            """,
        options: [
            OptionDefinition(
                name: "repeat", value: "count", help: "How often to draw; medians are reported. (default: 61)"),
            OptionDefinition(name: "json", help: "Print one JSON object instead of a table."),
        ],
        examples: ["bauta bench render"], run: run)

    private struct Kind {
        let name: String
        let mask: Mask
        var people = 1
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let count = try arguments.integer("repeat", in: 5...10_000) ?? 61
        let data = try DataFolder.find()
        let reference = try data.referenceFace()
        let renderer = try MaskRenderer(
            context: OffscreenContext(), shaders: data.maskShaders(), reference: reference, mesh: data.mesh())
        let kinds = try kinds(data, reference)
        var rows: [(name: String, median: Double, slow: Double)] = []
        for kind in kinds {
            let (picture, instances) = try scene(people: kind.people, reference)
            var samples: [Double] = []
            for index in 0..<(count + 5) {
                if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
                var frame = try picture.pixels.copy()
                let start = ContinuousClock.now
                try renderer.draw(
                    kind.mask, on: instances, at: Double(index) / 30, in: &frame, encoding: .video)
                // The first ones load what is loaded once.
                if index >= 5 { samples.append((ContinuousClock.now - start).milliseconds) }
            }
            samples.sort()
            rows.append((kind.name, samples[samples.count / 2], samples[samples.count * 95 / 100]))
        }
        let plain = rows[0].median
        if arguments.has("json") {
            let members = rows.map { row in
                JSONValue.Member(
                    row.name,
                    .object([
                        "median": .number(BenchCommand.rounded(row.median)),
                        "p95": .number(BenchCommand.rounded(row.slow)),
                        "more": .number(BenchCommand.rounded(row.median - plain)),
                    ]))
            }
            let result: JSONValue = .object([
                "renderer": .string(renderer.contextDescription), "milliseconds": .object(members),
            ])
            Console.output(result.text(indented: true) + "\n")
            return .success
        }
        Console.output("\(renderer.contextDescription)\n\nms                          median      95%     more\n")
        for row in rows {
            let cells = [row.median, row.slow, row.median - plain].map { value in
                let text = StabilityEvaluation.decimal(value, 2)
                return String(repeating: " ", count: max(0, 9 - text.count)) + text
            }
            Console.output(
                row.name + String(repeating: " ", count: max(0, 25 - row.name.count)) + cells.joined() + "\n")
        }
        return .success
    }

    private static func kinds(_ data: DataFolder, _ reference: ReferenceFace) throws -> [Kind] {
        let texture = try pattern()
        func mask(_ layers: [Layer]) -> Mask {
            Mask(name: "", author: nil, license: nil, layers: layers, folder: "")
        }
        func warp(_ change: (inout Layer) -> Void = { _ in }) -> Layer {
            var layer = Layer(
                .warp(
                    WarpLayer(
                        picture: .texture(texture), textureCoordinates: reference.vertices,
                        openings: Set(FaceMesh.Opening.allCases))))
            change(&layer)
            return layer
        }
        let live = Layer(.warp(WarpLayer(picture: .ownFace, textureCoordinates: reference.vertices, openings: [])))
        let swap = Layer(.warp(WarpLayer(picture: .otherFace, textureCoordinates: reference.vertices, openings: [])))
        let sticker = Layer(.sticker(StickerLayer(picture: .texture(texture), anchor: .nose, width: 0.5)))
        let matched = LightMatching(shading: 0.6, color: 0.5)
        return [
            Kind(name: "warp", mask: mask([warp()])),
            Kind(name: "warp, multiply", mask: mask([warp { $0.blendMode = .multiply }])),
            Kind(name: "warp, overlay", mask: mask([warp { $0.blendMode = .overlay }])),
            Kind(name: "warp, light", mask: mask([warp { $0.light = matched }])),
            Kind(
                name: "warp, light and detail",
                mask: mask([warp { $0.light = LightMatching(shading: 0.6, detail: 0.3, color: 0.5) }])),
            Kind(name: "sticker", mask: mask([sticker])),
            Kind(
                name: "deform and live face",
                mask: mask([Layer(.deform(Deformation([.eyes: AnimatableValue(1)]))), live])),
            Kind(name: "two traded faces", mask: mask([swap]), people: 2),
            Kind(name: "twelve faces, light", mask: mask([warp { $0.light = matched }]), people: 12),
        ]
    }

    /// Colours all over, opaque.
    private static func pattern() throws -> Texture {
        var pixels = try PixelBuffer(width: 1024, height: 1024, format: .rgba8)
        for y in 0..<1024 {
            pixels.withMutableRow(y) { row in
                for x in row.indices { row[x] = SIMD4(UInt8(x / 4), UInt8(y / 4), UInt8((x ^ y) & 255), 255) }
            }
        }
        return Texture(path: "pattern", pixels: pixels)
    }

    private final class Scene {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private static func scene(people: Int, _ reference: ReferenceFace) throws -> (Scene, [FaceInstance]) {
        var picture = try PixelBuffer(width: 1280, height: 720, format: .rgba8)
        picture.fill(SIMD4(110, 115, 120, 255))
        let columns = people > 2 ? 6 : people
        let rows = (people + columns - 1) / columns
        // A face from hairline to chin is about 1.38 times as high as it is wide.
        let width: Float = people > 2 ? 120 : 333
        var instances: [FaceInstance] = []
        for index in 0..<people {
            let center = Point(
                1280 * (Float(index % columns) + 0.5) / Float(columns),
                720 * (Float(index / columns) + 0.45) / Float(rows))
            let face = Sample.all[index % Sample.all.count].face
            let drawing = FaceDrawing(
                face, placement: DrawnFacePlacement(center: center, faceWidth: width), reference: reference)
            drawing.draw(into: &picture, samples: 1)
            let landmarks = drawing.landmarks
            instances.append(
                FaceInstance(
                    face: Face(landmarks: landmarks, reference: reference),
                    trackID: index + 1))
        }
        return (Scene(picture), instances)
    }
}
