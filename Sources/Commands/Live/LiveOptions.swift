import CommandLine
import FaceTracking
import Glibc
import Masking
import Media

/// What `bauta live` was asked to do.
struct LiveOptions: Sendable {
    static let definitions = [
        OptionDefinition(
            name: "mask", letter: "m", value: "name|folder", help: "The mask to begin with. (default: bauta)"),
        OptionDefinition(
            name: "camera", letter: "c", value: "number|device|name",
            help: "A camera: 2, /dev/video2, or a part of its name. (default: the first that works)"),
        OptionDefinition(
            name: "size", value: "WxH", help: "What the camera is asked for, or the clip scaled to. (default: 1280x720)"
        ),
        OptionDefinition(name: "rate", value: "frames", help: "Frames a second to ask the camera for. (default: 30)"),
        OptionDefinition(
            name: "control", value: "name=value,...",
            help: "Set controls of the camera; 'bauta camera list' names them."),
        OptionDefinition(name: "clip", value: "file", help: "A video or a network address instead of a camera."),
        OptionDefinition(name: "pictures", value: "folder", help: "The pictures of a folder instead of a camera."),
        OptionDefinition(name: "source", value: "drawn", help: "A drawn face instead of a camera."),
        OptionDefinition(name: "loop", help: "Begin the clip again at its end."),
        OptionDefinition(name: "as-fast-as-possible", help: "Do not keep to the clip's own speed; leave no frame out."),
        OptionDefinition(
            name: "faces", value: "all|largest|count", help: "Which faces: all, the largest, or so many of the largest."
        ),
        OptionDefinition(
            name: "min-face", value: "percent",
            help: "The smallest face to look for, as a share of the picture's height. (default: 10)"),
        OptionDefinition(
            name: "when-lost", value: "keep|hide|blur",
            help: """
                When a face is lost: keep its mask for half a second, hide it, or blur the whole picture until everybody \
                is surely followed. (default: keep)
                """),
        OptionDefinition(name: "mirror", value: "yes|no", help: "Show a mirror image. (default: for cameras)"),
        OptionDefinition(
            name: "mirror-output", help: "Mirror recordings, snapshots and outputs too. They are not, otherwise."),
        OptionDefinition(
            name: "output", letter: "o", value: "target",
            help: "Write to a file, '-' or an address, whatever ffmpeg can write."),
        OptionDefinition(
            name: "virtual-camera", value: "device", help: "Feed a v4l2loopback device, for video calls."),
        OptionDefinition(name: "record", help: "Record from the start."),
        OptionDefinition(name: "audio", help: "Record the default microphone too."),
        OptionDefinition(
            name: "folder", value: "folder", help: "Where snapshots and recordings go. (default: this folder)"),
        OptionDefinition(name: "force", letter: "f", help: "Replace an output file that is there already."),
        OptionDefinition(name: "headless", help: "Open no window."),
        OptionDefinition(name: "full-screen", help: "Begin with the whole screen."),
        OptionDefinition(name: "frames", value: "count", help: "End after so many frames."),
        OptionDefinition(
            name: "stats", value: "file", help: "Write a line of JSON a second, and a summary; - is standard output."),
        OptionDefinition(name: "model", value: "file", help: "A landmark model of dlib's format with 68 landmarks."),
    ]

    enum Input: Equatable, Sendable {
        case camera(String?)
        case clip(String)
        case pictures(String)
        case drawn
    }

    enum Answer: String, CaseIterable { case yes, no }
    enum SourceName: String, CaseIterable { case drawn }

    var input = Input.camera(nil)
    var mask = "bauta"
    var size: (width: Int, height: Int)?
    var rate: Int
    var controls: [(name: String, value: Int)] = []
    var loops: Bool
    var isPaced: Bool
    var faces: FaceChoice
    var smallestFace: Float
    var whenLost: LostFaces.Policy
    var isMirrored: Bool?
    var mirrorsOutput: Bool
    var output: String?
    var virtualCamera: String?
    var recordsAtOnce: Bool
    var recordsMicrophone: Bool
    var folder: String
    var replaces: Bool
    var isHeadless: Bool
    var isFullScreen: Bool
    var frames: Int?
    var statistics: String?
    var model: String

    static func size(_ arguments: ParsedArguments) throws(UsageError) -> (width: Int, height: Int)? {
        guard let text = arguments["size"] else { return nil }
        let parts = text.lowercased().split(separator: "x").map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (16...8192).contains(width),
            (16...8192).contains(height)
        else { throw arguments.invalid("size", "must be like 1280x720") }
        return (width, height)
    }

    init(_ arguments: ParsedArguments) throws {
        mask = arguments["mask"] ?? mask
        let inputs = ["camera", "clip", "pictures", "source"].filter { arguments.has($0) }
        if inputs.count > 1 {
            throw arguments.invalid(inputs[1], "cannot be together with --\(inputs[0]): there is one source")
        }
        if let camera = arguments["camera"] { input = .camera(camera) }
        if let clip = arguments["clip"] { input = .clip(clip) }
        if let folder = arguments["pictures"] { input = .pictures(folder) }
        if try arguments.word("source", as: SourceName.self) != nil { input = .drawn }
        size = try Self.size(arguments)
        rate = try arguments.integer("rate", in: 1...1000) ?? 30
        for part in arguments["control"]?.split(separator: ",") ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let value = Int(pair[1]) else {
                throw arguments.invalid("control", "must be like exposure=200,focus_automatic=0")
            }
            controls.append((pair[0], value))
        }
        loops = arguments.has("loop")
        isPaced = !arguments.has("as-fast-as-possible")
        faces = try FaceChoice(arguments)
        smallestFace = Float(try arguments.integer("min-face", in: 2...90) ?? 10) / 100
        whenLost = try arguments.word("when-lost", as: LostFaces.Policy.self) ?? .keep
        isMirrored = try arguments.word("mirror", as: Answer.self).map { $0 == .yes }
        mirrorsOutput = arguments.has("mirror-output")
        output = arguments["output"]
        virtualCamera = arguments["virtual-camera"]
        recordsAtOnce = arguments.has("record")
        recordsMicrophone = arguments.has("audio")
        folder = arguments["folder"] ?? "."
        replaces = arguments.has("force")
        isHeadless = arguments.has("headless")
        isFullScreen = arguments.has("full-screen")
        frames = try arguments.integer("frames", in: 1...1_000_000_000)
        statistics = arguments["stats"]
        model = arguments["model"] ?? LandmarkCascade.defaultModelPath
        if isHeadless, output == nil, virtualCamera == nil, statistics == nil, !recordsAtOnce, frames == nil {
            throw arguments.invalid(
                "headless", "shows nothing; it needs --output, --virtual-camera, --record or --stats")
        }
    }
}
