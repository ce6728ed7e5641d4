import CommandLine
import FaceTracking
import Files
import Glibc
import LiveControl
import LiveWindow
import Masking

/// The options of `bauta live`.
enum LiveOptions {
    private static let mask = Option<String?>(
        "mask", letter: "m", value: "name|folder|file", defaultText: "that of the last session, at first bauta",
        help: "The mask: a name ('bauta mask list' shows them), a folder, or a packed mask (.bauta)."
    ).takes(.maskOrPackedMask)
    private static let fade = Option<Double?>(
        "fade", value: "seconds", absent: nil, limits: "0 to 5; default: 0.3",
        help: "How long a mask takes to fade over to the next. With 0 it changes at once."
    ) { (text) throws(InvalidValue) in
        guard let seconds = Double(text), LivePreferences.fadeRange.contains(seconds) else {
            throw InvalidValue("must be a number of seconds from 0 to 5")
        }
        return seconds
    }
    static let ignoresPreferences = Flag(
        "no-config",
        help: """
            Neither use nor keep what is chosen in the window. Otherwise masks, favourites and settings of the panel are \
            kept in ~/.config/bauta/live.json ($XDG_CONFIG_HOME). Options come before them and are not kept. Sessions \
            without a window keep nothing.
            """)
    static let camera = Option<String?>(
        "camera", letter: "c", value: "number|device|name", defaultText: "the first that works",
        help: "The camera: its number (2), device (/dev/video2) or a part of its name."
    ).takes(.camera)
    static let size = Option<FrameSize?>(
        "size", value: "WxH", absent: nil, limits: "16 to 8192 each; default: 1280x720 for cameras",
        help: "The frame size to request from the camera, or to scale and crop the clip to, in pixels."
    ) { (text) throws(InvalidValue) in try FrameSize(text) }
    static let rate = Option<Int>(
        "rate", value: "frames", in: 1...1000, default: 30,
        help: "The frame rate to request from the camera, in frames per second.")
    static let controls = Option<[CameraControl]>(
        "camera-set", value: "name=value,...", absent: [],
        help: "Controls of the camera to set; 'bauta camera list' shows their names and ranges."
    ) { (text) throws(InvalidValue) in try CameraControl.list(text) }
    static let clip = Option<FilePath?>(
        "clip", value: "file", help: "A video or a network address instead of a camera."
    ).takes(.clip)
    private static let pictures = Option<FilePath?>(
        "pictures", value: "folder", help: "The pictures of a folder instead of a camera, each for 4 seconds."
    ).takes(.folder)
    static let source = Option<SourceName?>(
        "source", words: SourceName.self, help: "A drawn face instead of a camera.")
    private static let loops = Flag("loop", help: "Start the clip again at its end.")
    private static let isUnpaced = Flag(
        "as-fast-as-possible",
        help:
            "Play the clip as fast as it can be masked, without dropping frames. Network streams keep their own speed."
    )
    private static let whenLost = MaskingOptions.whenLost(default: .keep)
    private static let mirror = Option<Answer?>(
        "mirror", words: Answer.self, defaultText: "yes for cameras", help: "Show a mirror image in the window.")
    private static let mirrorsOutput = Flag(
        "mirror-output", help: "Mirror recordings, snapshots and outputs, too. By default they are not mirrored.")
    private static let output = Option<FilePath?>(
        "output", letter: "o", value: "target",
        help: "Write to a file (.mp4, .mov, .mkv, .webm, .avi, .gif), standard output ('-'), or an address (rtmp://…).")
    private static let virtualCamera = Option<FilePath?>(
        "virtual-camera", value: "device", help: "Write to a v4l2loopback device, for video calls."
    ).takes(.camera)
    private static let record = Flag("record", help: "Start a recording with the first frame.")
    private static let audio = Flag(
        "audio",
        help: """
            Add the sound of the microphone to recordings and --output. Without it, recordings are as in the last \
            session, at first without sound, and --output has none.
            """)
    private static let folder = Option<FilePath>(
        "folder", value: "folder", default: ".", defaultText: "the current folder",
        help: "The folder for snapshots and recordings."
    ).takes(.folder)
    private static let covered = Flag(
        "covered", help: "Start with the whole picture covered; C, or 'bauta control cover off', shows it.")
    private static let coverPicture = Option<FilePath?>(
        "cover-picture", value: "file", help: "Cover with this picture. By default what is covered is blurred.")
    private static let control = Option<FilePath?>(
        "control-socket", value: "path|auto",
        help: """
            Take commands of 'bauta control' through a UNIX socket that is made here and that only you can use. auto is \
            $XDG_RUNTIME_DIR/bauta.socket.
            """
    ).takes(.file.orWords("auto"))
    private static let handsFree = Flag(
        "hands-free",
        help: """
            Steer with the face: tilt the head for another mask, open the mouth for a snapshot, raise the brows twice to \
            record, close the eyes to cover everything. docs/hands-free.md describes it.
            """)
    private static let pointsWithNose = Flag(
        "nose-pointer",
        help:
            "With --hands-free, also point with the nose, and click where it stays. It is calibrated for five seconds.")
    private static let headless = Flag("headless", help: "Open no window.")
    private static let sound = SoundOptions.input(
        defaultText: "clip, for masks that follow sound",
        help: """
            What masks hear that follow sound: nothing, the clip's own sound, or the microphone. It is also sent with --osc. No \
            mask can turn the microphone on.
            """)
    static let scale = Option<Float?>(
        "ui-scale", value: "factor", absent: nil, limits: "0.5 to 4; default: as the desktop has it",
        help: "The size of texts and controls in the window."
    ) { (text) throws(InvalidValue) in
        guard let scale = Float(text), LivePreferences.scaleRange.contains(scale) else {
            throw InvalidValue("must be a number from 0.5 to 4")
        }
        return scale
    }
    private static let fullScreen = Flag("full-screen", help: "Start in full-screen mode.")
    private static let frames = Option<Int?>(
        "frames", value: "count", in: 1...1_000_000_000, defaultText: "no limit", help: "Stop after N frames.")
    static let statistics = Option<FilePath?>(
        "stats", value: "file",
        help: "Write one line of JSON per second, and a summary at the end, to a file or to standard output ('-').")

    private enum Answer: String, CaseIterable, Sendable { case yes, no }
    enum SourceName: String, CaseIterable, Sendable { case drawn }

    static let all: [any CommandOption] =
        [
            mask, fade, camera, size, rate, controls, clip, pictures, source, loops, isUnpaced,
            MaskingOptions.faces, MaskingOptions.smallestFace, whenLost, MaskingOptions.occluders, mirror,
            mirrorsOutput,
            output, virtualCamera,
            record, audio, sound, SoundOptions.microphone, folder, MaskingOptions.renderer, MaskingOptions.force,
            covered, coverPicture,
            control, handsFree, pointsWithNose,
            headless, fullScreen, scale, frames, ignoresPreferences,
            statistics,
        ] + SignalOptions.all + ModelOptions.all

    /// - Throws: `UsageError` if options contradict each other.
    static func settings(_ arguments: ParsedArguments) throws(UsageError) -> LiveSettings {
        var settings = LiveSettings()
        settings.source = try sourceOptions(arguments)
        let inputs: [any CommandOption] = [camera, clip, pictures, source]
        settings.takesLastCamera = !inputs.contains { arguments.has($0) }
        settings.scale = arguments[scale]
        settings.mask = arguments[mask]
        settings.fade = arguments[fade]
        settings.renderer = arguments.has(MaskingOptions.renderer) ? arguments[MaskingOptions.renderer] : nil
        settings.models = FaceModels(arguments)
        settings.faces = arguments.has(MaskingOptions.faces) ? arguments[MaskingOptions.faces] : nil
        settings.smallestFace = arguments[MaskingOptions.smallestFace]
        settings.whenLost = arguments.has(whenLost) ? arguments[whenLost] : nil
        try MaskingOptions.checkOccluders(arguments, isSinglePicture: false)
        settings.under = arguments[MaskingOptions.occluders]
        settings.sound = arguments[sound]
        try SoundOptions.check(sound, arguments, settings.source)
        settings.isMirrored = arguments[mirror].map { $0 == .yes }
        settings.outputs.target = arguments[output]
        settings.outputs.virtualCamera = arguments[virtualCamera]
        settings.outputs.recordsAtOnce = arguments[record]
        settings.outputs.recordsMicrophone = arguments[audio]
        settings.outputs.microphone = arguments[SoundOptions.microphone]
        settings.outputs.folder = arguments.has(folder) ? arguments[folder] : nil
        settings.outputs.isMirrored = arguments[mirrorsOutput]
        settings.outputs.replaces = arguments[MaskingOptions.force]
        settings.isHeadless = arguments[headless]
        settings.isFullScreen = arguments[fullScreen]
        settings.isCovered = arguments[covered]
        settings.coverPicture = arguments[coverPicture]
        settings.control = try controlPath(arguments)
        settings.isHandsFree = arguments[handsFree]
        settings.isPointing = arguments[pointsWithNose]
        if settings.isPointing, !settings.isHandsFree { throw arguments.invalid(pointsWithNose, "needs --hands-free") }
        settings.frameLimit = arguments[frames]
        settings.signals = try SignalOptions.settings(arguments)
        let writesSomething =
            [output, virtualCamera, statistics, control].contains { arguments.has($0) } || arguments[record]
            || settings.signals != nil || settings.isHandsFree
        if settings.isHeadless, !writesSomething, settings.frameLimit == nil {
            throw arguments.invalid(
                headless,
                "needs --output, --virtual-camera, --record, --stats, --control-socket, --osc, --hands-free or --frames; otherwise it "
                    + "has no result"
            )
        }
        try checkOutputs(arguments)
        return settings
    }

    private static func controlPath(_ arguments: ParsedArguments) throws(UsageError) -> FilePath? {
        guard arguments[control] == "auto" else { return arguments[control] }
        guard let path = ControlPath.automatic else {
            throw arguments.invalid(control, "needs the folder $XDG_RUNTIME_DIR, which is not set; name a path")
        }
        return path
    }

    /// - Throws: `UsageError` if two outputs are the same file, or both standard output.
    private static func checkOutputs(_ arguments: ParsedArguments) throws(UsageError) {
        // Standard output has other names, too: /dev/stdout.
        func place(_ path: FilePath) -> FilePlace? {
            path == "-" ? FilePlace(descriptor: STDOUT_FILENO) : FilePlace(path)
        }
        var outputs: [(option: Option<FilePath?>, path: FilePath, place: FilePlace?)] = []
        for option in [output, virtualCamera, statistics] {
            guard let path = arguments[option] else { continue }
            let place = place(path)
            if let other = outputs.first(where: { $0.path == path || ($0.place != nil && $0.place == place) }) {
                throw arguments.invalid(
                    option, "would write to the same file as --\(other.option.definition.name); name another one")
            }
            outputs.append((option, path, place))
        }
    }

    /// Where frames come from, by --camera, --clip or --source, with --size, --rate and --camera-set.
    /// - Parameter others: further options that name a source.
    static func input(
        _ arguments: ParsedArguments, others: [any CommandOption] = []
    ) throws(UsageError) -> SourceOptions {
        let all: [any CommandOption] = [camera, clip, source]
        let inputs = (all + others).filter { arguments.has($0) }
        if inputs.count > 1 {
            let names = inputs.map(\.definition.name)
            throw UsageError("Use either --\(names[1]) or --\(names[0]).", arguments.commandPath)
        }
        var options = SourceOptions()
        if let camera = arguments[camera] { options.input = .camera(camera) }
        if let clip = arguments[clip] { options.input = .clip(clip) }
        if arguments[source] != nil { options.input = .drawn }
        options.size = arguments[size].map { ($0.width, $0.height) }
        options.rate = arguments[rate]
        options.controls = arguments[controls].map { ($0.name, $0.value) }
        return options
    }

    private static func sourceOptions(_ arguments: ParsedArguments) throws(UsageError) -> SourceOptions {
        var options = try input(arguments, others: [pictures])
        if let folder = arguments[pictures] { options.input = .pictures(folder) }
        options.loops = arguments[loops]
        options.isPaced = !arguments[isUnpaced]
        return options
    }
}
