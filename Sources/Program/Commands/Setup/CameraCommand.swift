import Arguments
import Cameras
import Files
import JSON

/// `bauta camera`.
enum CameraCommand {
    private static let json = Flag("json", help: "Print JSON instead of text.")

    static let definition = CommandDefinition(
        name: "camera", overview: "Show the connected cameras.",
        subcommands: [
            CommandDefinition(
                name: "list", overview: "List cameras with their formats, sizes, rates and controls.",
                options: [json],
                examples: ["bauta camera list"], run: list)
        ])

    private static func list(_ arguments: ParsedArguments) throws -> ExitCode {
        let cameras = Camera.all()
        if arguments[json] {
            Console.output(.array(cameras.map(description)))
            return .success
        }
        guard !cameras.isEmpty else {
            throw CommandFailure(
                .unavailable, "no camera was found; 'bauta live drawn' works without one")
        }
        for camera in cameras {
            Console.output("\(camera.path)  \(camera.name.printable)\n")
            for size in sizes(camera) { Console.output("  \(size)\n") }
            for control in camera.controls {
                Console.output(
                    "  \(control.name) = \(control.value)  "
                        + "(\(control.range.lowerBound) to \(control.range.upperBound))\n")
            }
        }
        return .success
    }

    /// One line for each format and size, with its frame rates.
    private static func sizes(_ camera: Camera) -> [String] {
        var lines: [(head: String, rates: [String])] = []
        for mode in camera.modes {
            let head = "\(mode.formatName) \(mode.width)×\(mode.height)"
            let rate = mode.rate == 0 ? [] : ["\(Double(Int((mode.rate * 10).rounded())) / 10)"]
            if let index = lines.firstIndex(where: { $0.head == head }) {
                lines[index].rates += rate
            } else {
                lines.append((head, rate))
            }
        }
        return lines.map { $0.rates.isEmpty ? $0.head : "\($0.head) at \($0.rates.joined(separator: ", ")) frames/s" }
    }

    private static func description(_ camera: Camera) -> JSONValue {
        .object([
            "path": .string(camera.path), "name": .string(camera.name),
            "modes": .array(
                camera.modes.map {
                    .object([
                        "format": .string($0.formatName), "width": .integer($0.width), "height": .integer($0.height),
                        "rate": .number(DecimalText.rounded($0.rate)),
                    ])
                }),
            "controls": .array(
                camera.controls.map {
                    .object([
                        "name": .string($0.name), "value": .integer($0.value),
                        "minimum": .integer($0.range.lowerBound), "maximum": .integer($0.range.upperBound),
                    ])
                }),
        ])
    }
}
