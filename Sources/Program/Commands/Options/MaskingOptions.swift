import Arguments
import Backgrounds
import Compositing
import FaceTracking
import Files
import ImageFiles
import MaskRendering
import NeuralNetworks

/// Options of the commands that mask faces.
enum MaskingOptions {
    static let mask = Option<String>(
        "mask", letter: "m", value: "mask", default: "bauta", help: "A mask's name or folder."
    ).takes(.mask).details("The mask: a name (see 'bauta mask list') or a folder.")
    /// The mask of a command that takes one.
    /// - Throws: `UsageError` if several are given, as for photographs.
    static func singleMask(_ arguments: ParsedArguments) throws(UsageError) -> String {
        let text = arguments[mask]
        // A folder may have a comma in its name.
        guard !text.contains(",") || FilePath(text).exists else {
            throw arguments.invalid(
                mask,
                "must be one mask. Photographs take several (bauta photo); a mask for each person comes from --people")
        }
        return text
    }
    static let faces = Option<FaceChoice>(
        "faces", value: "which", absent: .all, limits: "default: all",
        help: "Faces: all, largest, or the N largest."
    ) { (text) throws(InvalidValue) in
        guard let choice = FaceChoice(text) else { throw InvalidValue("must be \(FaceChoice.requirement)") }
        return choice
    }.takes(.words(["all", "largest"])).details("The faces to mask: all, the largest, or the N largest.")
    static let smallestFace = Option<SmallestFace>(
        "min-face", value: "size", absent: .share(0.1), limits: "default: 10%",
        help: "Ignore smaller faces: 40px, or 10% of the picture's height."
    ) { (text) throws(InvalidValue) in try FaceSize.smallest(text) }
    static func whenLost(default policy: LostFaces.Policy) -> Option<LostFaces.Policy> {
        Option("when-lost", default: policy, help: "Keep the mask of a lost face, unmask it, or blur all.").details(
            """
            When a face is lost: keep its mask for half a second; hide the mask, which leaves the face unmasked; or \
            blur the whole picture while no face is tracked and for one second after a loss or a cut. In videos, blur \
            also each face that CenterFace finds and no mask fits, such as a profile.
            """)
    }
    static let occluders = Option<OccluderPolicy>(
        "occluders", value: "mask|hands,hair,glasses|none", absent: .mask, limits: "default: mask",
        help: "What stays in front of masks."
    ) { (text) throws(InvalidValue) in
        guard let policy = OccluderPolicy(text) else {
            throw InvalidValue("must be mask, none, or some of hands, hair and glasses, separated by commas")
        }
        return policy
    }.takes(.words(OccluderPolicy.words, isList: true)).details(
        """
        Occluders to show in front of masks. mask: each mask decides. none: masks hide everything. hands: hands and, \
        in videos and live mode, other things in front of a face. hair: hair, hats and hoods. glasses: dark glasses \
        frames. hair and glasses work with masks that are painted on the skin.
        """)
    static let background = Option<BackgroundChoice?>(
        "background", value: "none|blur|transparent|color|picture", absent: nil, limits: nil,
        help: "Blur, remove or replace what is behind people."
    ) { (text) throws(InvalidValue) in
        if text == "none" { return nil }
        guard let choice = BackgroundChoice(FilePath(text)) else {
            throw InvalidValue("must be none, \(BackgroundChoice.requirement)")
        }
        return choice
    }.takes(
        ValueKind(paths: .files(endings: PictureFormat.readableExtensions)) { _ in
            [Completion("none"), Completion("blur"), Completion("transparent")]
        }
    ).details(
        """
        Blur what is behind people, or show a colour (#00ff00), a picture, or nothing (transparent) in its place. With \
        transparent, results are PNG, or videos with alpha: .mov (ProRes 4444) or .webm (VP9). For one or two people near the \
        camera. It is not for hiding: parts of a room may be seen around people, and people who are far away vanish. Needs \
        MediaPipe's networks (bauta fetch-networks).
        """)
    static let masksAlone = Flag("masks-alone", help: "Show only the masks, on a transparent background.").details(
        """
        Show only the masks, without people and room, on a transparent background. Results are PNG, or videos with alpha: \
        .mov (ProRes 4444) or .webm (VP9).
        """)
    /// - Throws: `CommandFailure` if the networks are missing; `UsageError` if options contradict each other.
    static func checkedBackground(_ arguments: ParsedArguments) throws -> BackgroundChoice? {
        if arguments[masksAlone] {
            if arguments.has(background) {
                throw arguments.invalid(masksAlone, "and '--background' exclude each other")
            }
            return .masksAlone
        }
        guard let choice = arguments[background] else { return nil }
        guard FaceModels(arguments).networks.hasPerson else {
            throw CommandFailure(
                .unavailable,
                "--background needs MediaPipe's networks that see people; \(NetworkFolder.remedy) fetches them")
        }
        if case .picture(let path) = choice { InputFiles.protect(path) }
        return choice
    }
    /// Refuses a choice of occluders of which nothing would be found.
    /// - Parameter isSinglePicture: whether photographs are masked, not videos or what is live.
    /// - Throws: `CommandFailure` if networks that photographs need are missing.
    static func checkOccluders(_ arguments: ParsedArguments, isSinglePicture: Bool) throws {
        guard case .only(let chosen) = arguments[occluders] else { return }
        if isSinglePicture, chosen.contains(.hands), !FaceModels(arguments).networks.hasHands {
            throw CommandFailure(
                .unavailable,
                "--occluders hands needs MediaPipe's networks of hands for photographs; \(NetworkFolder.remedy) fetches them"
            )
        }
        if chosen.contains(.hair), !FaceModels(arguments).networks.hasPerson {
            throw CommandFailure(
                .unavailable,
                "--occluders hair needs MediaPipe's networks that see people; \(NetworkFolder.remedy) fetches them")
        }
    }
    static let renderer = Option<RendererChoice>(
        "renderer", default: .auto,
        help: "The renderer that draws masks."
    ).details(
        """
        The renderer that draws masks: OpenGL, or software, which needs neither a graphics card nor OpenGL. auto uses \
        OpenGL only for a window drawn by a graphics card.
        """)
    static let careful = Flag(
        "careful", help: "With --anonymise: also cover doubtful places."
    ).details(
        """
        With --anonymise: also cover what is only perhaps a face. More places that are not faces are covered. \
        Photographs are searched at all four rotations, which takes several times as long.
        """)
    static let sure = Flag(
        "sure", help: "With --anonymise: cover only what is certainly a face."
    ).details(
        """
        With --anonymise: cover only what is a face for certain. Fewer places that are not faces are covered, and faces that are \
        hard to see stay unmasked.
        """)
    /// What counts as a face with `--anonymise`.
    /// - Throws: `UsageError` if both are given.
    static func thoroughness(_ arguments: ParsedArguments) throws(UsageError) -> SearchThoroughness {
        switch (arguments[sure], arguments[careful]) {
        case (true, true): throw UsageError("--sure and --careful contradict each other.", arguments.commandPath)
        case (true, false): return .sure
        case (false, true): return .careful
        case (false, false): return .balanced
        }
    }
    static let cover = Option<FaceCover.Style>(
        "cover", value: "style", absent: .solid, limits: "default: solid",
        help: "solid, face, mosaic or blur."
    ) { (text) throws(InvalidValue) in
        guard let style = FaceCover.Style(rawValue: text) else {
            throw InvalidValue("must be solid, face, mosaic or blur")
        }
        return style
    }.takes(.words(FaceCover.Style.allCases.map(\.rawValue))).details(
        """
        With --anonymise: how faces are covered. solid: in one colour, which hides all. face: a drawn face, the same on \
        everybody, which hides all but the tilt of the head. mosaic: two to three squares \
        across each face, of their mean colours. blur: the same without edges. Colours of skin and hair stay visible in both, \
        and frames of a video together show more than one.
        """)
    /// Options that only `--anonymise` gives a meaning.
    static let ofAnonymising: [any CommandOption] = [sure, careful, cover]

    /// Says so where somebody is to be hidden, and faces on which no mask fits are not looked for.
    static func warnOfProfiles(_ models: FaceModels) {
        guard !models.findsProfiles else { return }
        let remedy =
            models.detector == nil
            ? "\(NetworkFolder.remedy) fetches it" : "leave --detector out, or use --detector centerface"
        Console.warning(
            "profiles, on which no mask fits, stay unmasked: only CenterFace finds them to blur them; \(remedy)")
    }

    /// Refuses what would leave a face unmasked or has no effect where all faces of moving pictures are covered.
    /// - Parameter others: options of the command, each with the reason why it is refused, beside those of all commands.
    /// - Throws: `UsageError`; `CommandFailure` if CenterFace is missing and no other detector was chosen.
    static func checkAnonymising(
        _ arguments: ParsedArguments, _ models: FaceModels, refusing others: [(any CommandOption, String)]
    ) throws {
        let refused: [(any CommandOption, String)] =
            [
                (faces, "the other faces would stay unmasked"),
                (occluders, "what is in front of a face is covered with it"),
                (renderer, "no mask is drawn"),
                (masksAlone, "no mask is drawn"),
                (PeopleOptions.people, "no mask is drawn; --except leaves people unmasked"),
                (PeopleOptions.only, "all others would stay unmasked"),
            ] + others
        for (option, reason) in refused where arguments.has(option) {
            throw UsageError(
                "--anonymise and --\(option.definition.name) contradict each other: \(reason).", arguments.commandPath)
        }
        try checkFindsAllFaces(models, for: "--anonymise")
    }

    /// - Parameter purpose: what needs CenterFace.
    /// - Throws: `CommandFailure` if the detector that finds turned faces is missing and no other one was chosen.
    static func checkFindsAllFaces(_ models: FaceModels, for purpose: String) throws(CommandFailure) {
        guard [nil, .centerFace].contains(models.detector), !models.networks.hasCenterFace else { return }
        throw CommandFailure(
            .unavailable,
            "\(purpose) needs CenterFace, which finds faces that are turned or small; \(NetworkFolder.remedy) fetches "
                + "it. --detector network or hog goes without, and misses more faces")
    }

    /// What counts as a face in a video with `--anonymise`, where only CenterFace's scores tell more and less certain faces apart.
    /// - Throws: `UsageError` also if another detector is chosen.
    static func thoroughness(
        _ arguments: ParsedArguments, _ models: FaceModels
    ) throws(UsageError) -> SearchThoroughness {
        let thoroughness = try thoroughness(arguments)
        guard thoroughness == .balanced || [nil, .centerFace].contains(models.detector) else {
            throw UsageError(
                "--\(thoroughness.rawValue) has no effect on videos with this --detector; leave one of them out.",
                arguments.commandPath)
        }
        return thoroughness
    }

    /// - Throws: `UsageError` if an option of `--anonymise` is given without it.
    static func checkIsAnonymising(_ arguments: ParsedArguments) throws(UsageError) {
        for option in ofAnonymising where arguments.has(option) {
            throw UsageError("--\(option.definition.name) needs --anonymise.", arguments.commandPath)
        }
    }

    static let quiet = Flag("quiet", letter: "q", help: "Print only errors.")
    static let force = Flag("force", letter: "f", help: "Replace existing results.")
}
