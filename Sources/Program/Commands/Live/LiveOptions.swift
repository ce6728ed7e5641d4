import Arguments
import Clips
import FaceTracking
import Files
import Glibc
import LiveControl
import LiveWindow
import SourceSelection

/// The options of `bauta live`.
enum LiveOptions {
    private static let mask = Option<String?>(
        "mask", letter: "m", value: "mask", defaultText: "that of the last session",
        help: "A name ('bauta mask list'), a folder, or a packed mask (.bauta)."
    ).takes(.maskOrPackedMask).details(
        """
        The mask: a name ('bauta mask list' shows them), a folder, or a packed mask (.bauta). The first session wears bauta.
        """)
    private static let fade = Option<Double?>(
        "fade", value: "seconds", absent: nil, limits: "0 to 5; default: 0.3",
        help: "How long masks take to fade into the next. With 0, they change at once."
    ) { (text) throws(InvalidValue) in
        guard let seconds = Double(text), LivePreferences.fadeRange.contains(seconds) else {
            throw InvalidValue("must be a number of seconds from 0 to 5")
        }
        return seconds
    }
    static let ignoresPreferences = Flag(
        "no-config",
        help: """
            Neither load nor save the choices made in the window. Otherwise ~/.config/bauta/live.json \
            ($XDG_CONFIG_HOME) keeps the mask, favourites and settings of the panel. Options override them and are \
            not saved. Sessions without a window save nothing.
            """)
    static let size = Option<FrameSize?>(
        "size", value: "WxH", absent: nil, limits: "cameras: 1280x720", help: "The size of frames, in pixels."
    ) { (text) throws(InvalidValue) in try FrameSize(text) }.details(
        """
        The frame size to request from the camera, or to scale and crop the clip to, in pixels, from 16x16 to 8192x8192.
        """)
    static let rate = Option<Int>(
        "rate", value: "frames", in: 1...1000, default: 30,
        help: "The frame rate to request from the camera, or of 'drawn', in frames per second.")
    static let controls = Option<[CameraControl]>(
        "camera-set", value: "name=value,...", absent: [],
        help: "Controls of the camera to set; 'bauta camera list' shows their names and ranges."
    ) { (text) throws(InvalidValue) in try CameraControl.list(text) }
    private static let loops = Flag("loop", help: "Repeat the clip.")
    /// For tests: every frame of a clip is masked, as `bauta video` does it.
    private static let isUnpaced = Flag(
        "unpaced", help: "Play the clip as fast as it can be masked, without dropping frames."
    ).hidden
    /// For the editor: what was chosen for other occasions does not hide how the mask looks.
    private static let triesMask = Flag(
        "try-mask",
        help: "Begin without background, virtual camera, portrait format and hands-free mode of the last session."
    ).hidden
    private static let whenLost = MaskingOptions.whenLost(default: .keep)
    private static let anonymise = Flag(
        "anonymise", help: "Cover all faces in place of masking them. Look at the picture."
    ).details(
        """
        Cover faces so that nothing of them is left, in place of masking them: an opaque area on all that may be a face, \
        profiles included, in the window and in all outputs. The picture comes 0.4 s late, so that a face is covered from \
        where it appears. What has not been searched for faces by then is covered as a whole: after a change of the \
        scene, or where the machine is too slow. --except leaves people unmasked who agreed to be seen. Sound is not \
        changed, and a voice tells who speaks. A face that is not found stays unmasked: look at the picture. Needs CenterFace \
        (bauta fetch-networks).
        """)
    private static let mirror = Option<Answer?>(
        "mirror", words: Answer.self, defaultText: "yes for cameras", help: "Show a mirror image in the window.")
    private static let mirrorsOutput = Flag(
        "mirror-output", help: "Mirror recordings, snapshots and outputs, too. By default they are not mirrored.")
    private static let isVertical = Flag(
        "vertical",
        help: """
            Record 9:16, for telephones: recordings and --output show a part as high as the picture, which follows the \
            largest face.
            """)
    private static let output = Option<FilePath?>(
        "output", letter: "o", value: "target",
        help: "A file, '-' (standard output), or a URL (rtmp://…)."
    ).details(
        "Write to a file (.mp4, .mov, .mkv, .webm, .avi, .gif), standard output ('-'), or a URL (rtmp://…).")
    private static let virtualCamera = Option<FilePath?>(
        "virtual-camera", value: "camera",
        help: "Be a camera for calls: auto, pipewire or a device."
    ).takes(.camera.orWords("auto", "pipewire")).implying("auto").details(
        """
        Be a camera for browsers and video-call apps: through pipewire, a v4l2loopback device (/dev/video10), or auto: \
        PipeWire where it runs, or else the first device. At the end or before another option, auto may be left out.
        """)
    private static let record = Flag("record", help: "Start a recording with the first frame.")
    private static let audio = Flag(
        "audio",
        help: """
            Add the sound of the microphone to recordings and --output. Without this option, --output has no sound, \
            and recordings use the last session's choice, at first no sound.
            """)
    private static let folder = Option<FilePath>(
        "folder", value: "folder", default: ".",
        defaultText: "in a window, the last one or ~/Videos, if it exists; otherwise the current folder",
        help: "The folder for snapshots and recordings."
    ).takes(.folder)
    private static let covered = Flag("covered", help: "Start with the whole picture covered; C uncovers it.").details(
        "Start with the whole picture covered; C or 'bauta control cover off' uncovers it.")
    private static let coverPicture = Option<FilePath?>(
        "cover-picture", value: "file",
        help: "The picture that replaces the whole picture when it is covered. Default: blur it.")
    private static let control = Option<FilePath?>(
        "control-socket", value: "path", help: "The socket for 'bauta control', or auto."
    ).takes(.file.orWords("auto")).details(
        """
        Create a UNIX socket here that takes the commands of 'bauta control'. Only you can use it. auto is \
        $XDG_RUNTIME_DIR/bauta.socket.
        """)
    private static let handsFree = Flag("hands-free", help: "Control with the face: docs/user/hands-free.md.").details(
        """
        Control the session with the face: tilt the head for another mask, open the mouth for a snapshot, raise the \
        brows twice to record, close the eyes to cover everything. See docs/user/hands-free.md.
        """)
    private static let pointsWithNose = Flag(
        "nose-pointer",
        help:
            "With --hands-free, also point with the nose and click where it rests. Calibration takes five seconds.")
    private static let headless = Flag("headless", help: "Open no window.")
    private static let sound = SoundOptions.input(
        defaultText: "clip, for masks that follow sound",
        help: """
            Sound for masks that follow it, and for --osc: none, the clip's own sound, or the microphone. No mask can \
            turn the microphone on.
            """)
    static let scale = Option<Float?>(
        "ui-scale", value: "factor", absent: nil, limits: "0.5 to 4; default: the desktop's",
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
    static let reports = ReportOptions(
        "statistics every second as JSON",
        details: "The last line is a summary. An earlier report is replaced; any other file only with --force.")

    private enum Answer: String, CaseIterable, Sendable { case yes, no }

    static let groups: [OptionGroup] = [
        .input(size, loops, isUnpaced, triesMask),
        .mask(mask, MaskingOptions.faces, MaskingOptions.occluders),
        .output(output, virtualCamera, record, headless, MaskingOptions.force),
        .privacy(anonymise, PeopleOptions.people, PeopleOptions.only, PeopleOptions.except, whenLost, covered),
        .integration(control, SignalOptions.address, reports.file, reports.json, handsFree),
        OptionGroup(
            "Advanced",
            [
                audio, MaskingOptions.background, controls, MaskingOptions.cover,
                coverPicture, fade, folder, frames,
                fullScreen,
                MaskingOptions.masksAlone, SoundOptions.microphone,
                MaskingOptions.smallestFace, mirror, mirrorsOutput, ignoresPreferences, pointsWithNose,
                SignalOptions.expressions, rate, MaskingOptions.renderer, sound, scale, isVertical,
            ], describedIn: "'bauta help live'"),
        ModelOptions.group,
    ]

    /// - Throws: `UsageError` if options contradict each other.
    static func settings(_ arguments: ParsedArguments) throws -> LiveSettings {
        var settings = LiveSettings()
        settings.source = try SourceArgument.options(arguments)
        settings.source.loops = arguments[loops]
        settings.source.isPaced = !arguments[isUnpaced]
        settings.takesLastCamera = arguments.paths.isEmpty
        settings.window.scale = arguments[scale]
        settings.worn.mask = arguments[mask]
        settings.worn.fade = arguments[fade]
        settings.worn.renderer = arguments.has(MaskingOptions.renderer) ? arguments[MaskingOptions.renderer] : nil
        settings.models = FaceModels(arguments)
        settings.worn.faces = arguments.has(MaskingOptions.faces) ? arguments[MaskingOptions.faces] : nil
        settings.smallestFace = arguments[MaskingOptions.smallestFace]
        settings.takesLastSmallestFace = !arguments.has(MaskingOptions.smallestFace)
        settings.worn.whenLost = arguments.has(whenLost) ? arguments[whenLost] : nil
        try MaskingOptions.checkOccluders(arguments, isSinglePicture: false)
        settings.worn.occluders = arguments[MaskingOptions.occluders]
        settings.worn.background = try MaskingOptions.checkedBackground(arguments)
        settings.window.isTrial = arguments[triesMask]
        settings.worn.keepsRoom = arguments.has(MaskingOptions.background)
        settings.sound = arguments[sound]
        try SoundOptions.check(sound, arguments, settings.source)
        settings.window.isMirrored = arguments[mirror].map { $0 == .yes }
        settings.outputs.target = arguments[output]
        settings.outputs.virtualCamera = arguments[virtualCamera].map { VirtualCameraChoice($0) }
        settings.outputs.recordsAtOnce = arguments[record]
        settings.outputs.recordsMicrophone = arguments[audio]
        settings.outputs.microphone = arguments[SoundOptions.microphone]
        settings.outputs.folder = arguments.has(folder) ? arguments[folder] : nil
        settings.outputs.isMirrored = arguments[mirrorsOutput]
        settings.outputs.isVertical = arguments[isVertical]
        settings.outputs.replaces = arguments[MaskingOptions.force]
        settings.window.isHeadless = arguments[headless]
        settings.window.isFullScreen = arguments[fullScreen]
        settings.isCovered = arguments[covered]
        settings.coverPicture = arguments[coverPicture]
        settings.control = try controlPath(arguments)
        settings.isHandsFree = arguments[handsFree]
        settings.isPointing = arguments[pointsWithNose]
        if settings.isPointing, !settings.isHandsFree { throw arguments.invalid(pointsWithNose, "needs --hands-free") }
        settings.frameLimit = arguments[frames]
        settings.signals = try SignalOptions.settings(arguments)
        let report = try reports.place(arguments)
        let writesSomething =
            [output, virtualCamera, control].contains { arguments.has($0) } || arguments[record] || report != nil
            || settings.signals != nil || settings.isHandsFree
        if settings.window.isHeadless, !writesSomething, settings.frameLimit == nil {
            throw arguments.invalid(
                headless,
                "needs --output, --virtual-camera, --record, --report, --json, --control-socket, --osc, --hands-free or --frames; without them it "
                    + "has no result"
            )
        }
        try checkOutputs(arguments)
        if settings.worn.background?.isTransparent == true { try checkAlpha(arguments) }
        settings.outputs.hasAlpha = settings.worn.background?.isTransparent == true
        if arguments[anonymise] {
            try self.anonymise(&settings, arguments)
        } else if arguments.has(MaskingOptions.cover) {
            throw UsageError("--cover needs --anonymise.", arguments.commandPath)
        }
        return settings
    }

    /// Sets what `--anonymise` stands for.
    /// - Throws: `UsageError` if another option would leave a face unmasked or has no effect; `CommandFailure` if the detector
    ///   that finds turned faces is missing and no other one was chosen.
    private static func anonymise(_ settings: inout LiveSettings, _ arguments: ParsedArguments) throws {
        try MaskingOptions.checkAnonymising(
            arguments, settings.models,
            refusing: [
                (mask, "faces are covered with a plain area, because a mask leaves parts of them visible"),
                (fade, "no mask is drawn"),
                (MaskingOptions.smallestFace, "faces of all sizes are covered"),
                (whenLost, "a face that is not found in a frame stays covered"),
                (sound, "no mask is drawn that could follow it"),
                (SignalOptions.address, "what is covered is not sent to other programs either"),
            ])
        if let detector = settings.models.detector, [.haar, .lbp].contains(detector) {
            throw UsageError(
                "--anonymise and --detector \(detector.rawValue) contradict each other: it misses most turned faces, which "
                    + "would stay unmasked.", arguments.commandPath)
        }
        settings.worn.cover = arguments[MaskingOptions.cover]
        settings.outputs.delay = LiveFaceBoxTracker.delay
    }

    /// - Throws: `UsageError` if the output has no transparency.
    private static func checkAlpha(_ arguments: ParsedArguments) throws(UsageError) {
        guard let target = arguments[output], !ClipFormat.extensionsWithAlpha.contains(target.fileExtension) else {
            return
        }
        throw arguments.invalid(
            output, "\(target) has no transparency; name a file that ends in .mov (ProRes 4444) or .webm (VP9)")
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
        let device: FilePath? =
            if case .device(let path) = arguments[virtualCamera].map({ VirtualCameraChoice($0) }) { path } else { nil }
        let report: any CommandOption = arguments[reports.json] ? reports.json : reports.file
        let wanted: [(option: any CommandOption, path: FilePath?)] = [
            (output, arguments[output]), (virtualCamera, device),
            (report, try reports.place(arguments)),
        ]
        var outputs: [(option: any CommandOption, path: FilePath, place: FilePlace?)] = []
        for (option, path) in wanted {
            guard let path else { continue }
            let place = place(path)
            if let other = outputs.first(where: { $0.path == path || ($0.place != nil && $0.place == place) }) {
                throw arguments.invalid(
                    option, "would write to the same file as --\(other.option.definition.name); name another one")
            }
            outputs.append((option, path, place))
        }
    }
}
