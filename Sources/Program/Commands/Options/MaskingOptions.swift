import Arguments
import Compositing
import FaceTracking
import MaskRendering

/// Options of the commands that mask faces.
enum MaskingOptions {
    static let mask = Option<String>(
        "mask", letter: "m", value: "mask", default: "bauta", help: "A mask's name or folder."
    ).takes(.mask).details("The mask: a name ('bauta mask list' shows them) or a folder.")
    static let faces = Option<FaceChoice>(
        "faces", value: "which", absent: .all, limits: "default: all",
        help: "Which: all, largest, or a number."
    ) { (text) throws(InvalidValue) in
        switch text {
        case "all": return .all
        case "largest": return .largest(1)
        default:
            guard let count = Int(text), count > 0 else {
                throw InvalidValue("must be 'all', 'largest' or a number of faces")
            }
            return .largest(count)
        }
    }.takes(.words(["all", "largest"])).details("Which faces get the mask: all, the largest, or the N largest.")
    static let smallestFace = Option<SmallestFace>(
        "min-face", value: "size", absent: .share(0.1), limits: "default: 10%",
        help: "The smallest face to look for: 40px, or 10% of the picture's height."
    ) { (text) throws(InvalidValue) in try FaceSize.smallest(text) }
    static func whenLost(default policy: LostFaces.Policy) -> Option<LostFaces.Policy> {
        Option("when-lost", default: policy, help: "Keep the mask of a lost face, unmask it, or blur all.").details(
            """
            When a face is lost: keep its mask for half a second; hide the mask, so that the face is unmasked; or blur the \
            whole picture while no face is tracked, and for a second after a loss or a cut.
            """)
    }
    static let occluders = Option<OccluderPolicy>(
        "occluders", value: "mask|hands,hair,glasses|none", absent: .mask, limits: "default: mask",
        help: "What is shown in front of masks; mask: what each mask asks for."
    ) { (text) throws(InvalidValue) in
        guard let policy = OccluderPolicy(text) else {
            throw InvalidValue("must be mask, none, or some of hands, hair, glasses, with commas between them")
        }
        return policy
    }.takes(.words(OccluderPolicy.words, isList: true)).details(
        """
        Occluders, which are shown in front of masks. mask: those that each mask asks for. hands: hands, and other things \
        in front of a face that is tracked (not in photographs). hair: hair and hats over the forehead; glasses: dark \
        frames of glasses (both only in photographs, and only in front of masks that are painted on the skin). none: \
        masks hide everything.
        """)
    /// Refuses a choice of occluders of which nothing would be found.
    /// - Parameter isSinglePicture: whether photographs are masked, not videos or what is live.
    static func checkOccluders(_ arguments: ParsedArguments, isSinglePicture: Bool) throws(UsageError) {
        guard case .only(let chosen) = arguments[occluders] else { return }
        let missed = chosen.filter { $0.isFoundInSinglePictures != isSinglePicture }.map(\.rawValue).sorted()
        guard !missed.isEmpty else { return }
        let names = missed.joined(separator: " and ")
        throw arguments.invalid(
            occluders,
            isSinglePicture
                ? "asks for \(names), which are found only in videos and live; photographs know hair and glasses"
                : "asks for \(names), found only in photographs; videos and live mode know hands")
    }
    static let renderer = Option<RendererChoice>(
        "renderer", default: .auto,
        help: "What draws masks."
    ).details(
        """
        What draws masks: OpenGL, or software, which needs neither a graphics card nor OpenGL. auto takes OpenGL only for \
        a window that a graphics card draws.
        """)
    static let quiet = Flag("quiet", letter: "q", help: "Print only errors.")
    static let force = Flag("force", letter: "f", help: "Replace existing results.")
}
