import Arguments
import Cameras
import Clips
import Files
import JSON
import LiveWindow
import PipeWire

/// `bauta camera`.
enum CameraCommand {
    private static let json = Flag("json", help: "Print JSON instead of text.")

    private static let creates = Flag(
        "create",
        help: "Create a device of v4l2loopback, unless there is one. The system asks for an administrator's permission."
    )
    private static let keeps = Flag("keep", help: "With --create, also after each start of the system.").details(
        """
        With --create, also after each start of the system: writes bauta-v4l2loopback.conf to /etc/modprobe.d and \
        /etc/modules-load.d. Delete both to undo it.
        """)

    static let definition = CommandDefinition(
        name: "camera", overview: "Show the connected cameras, and set up the virtual one.",
        subcommands: [
            CommandDefinition(
                name: "list", overview: "List cameras with their formats, sizes, rates and controls.",
                options: [json],
                examples: ["bauta camera list"], run: list),
            CommandDefinition(
                name: "virtual", overview: "Show which virtual camera programs see, or create a device.",
                options: [creates, keeps],
                examples: ["bauta camera virtual", "bauta camera virtual --create"], run: virtual),
        ])

    private static func virtual(_ arguments: ParsedArguments) throws -> ExitCode {
        if arguments[creates] {
            do throws(LoopbackModule.Failure) {
                let device = try LoopbackModule.makeDevice(isKept: arguments[keeps])
                Console.output("\(device.path)  \(device.name.printable)\n")
            } catch {
                throw CommandFailure(.unavailable, error.description)
            }
            return .success
        }
        if arguments[keeps] { throw arguments.invalid(keeps, "needs --create") }
        do throws(PipeWireError) {
            try PipeWireCamera.check()
            Console.output("PipeWire runs: while 'bauta live --virtual-camera' runs, programs list the camera Bauta.\n")
        } catch {
            Console.output(
                error.reason.prefix(1).uppercased() + error.reason.dropFirst()
                    + (error.remedy.map { "; to change that: \($0)" } ?? "") + "\n")
        }
        let devices = VirtualCamera.all()
        for device in devices { Console.output("device: \(device.path)  \(device.name.printable)\n") }
        if devices.isEmpty {
            Console.output(
                "device: none; 'bauta camera virtual --create' creates one for programs that do not use PipeWire\n")
        }
        var table = TextTable([.left("program"), .left("here"), .left("sees"), .left("tried")])
        table.rows = CallProgram.all.map {
            [$0.name, $0.isInstalled ? "yes" : "no", $0.sees, $0.tried ?? "no"]
        }
        Console.output("\n" + table.text)
        return .success
    }

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
