import CommandLine
import FaceTracking
import ImageFiles
import Masking

/// What `bauta photo` was asked to do.
struct PhotoOptions: Sendable {
    /// What happens to a photograph that shows no face.
    enum FacelessChoice: String, CaseIterable, Sendable {
        case copy
        case skip
    }

    /// What the tracker sees, drawn on the photograph.
    enum Overlay: String, CaseIterable, Sendable {
        case landmarks
        case mesh
        case boxes
    }

    var mask = "bauta"
    var model = LandmarkCascade.defaultModelPath
    var faces = FaceChoice.all
    var minimumFaceWidth: Int?
    var searchesRotated = false
    var faceless = FacelessChoice.copy
    var overlays: Set<Overlay> = []
    var isMasking = true
    var format: PictureFormat?
    var quality: Int?
    var replaces = false

    init() {}

    init(_ arguments: ParsedArguments) throws(UsageError) {
        mask = arguments["mask"] ?? mask
        model = arguments["model"] ?? model
        isMasking = !arguments.has("no-mask")
        searchesRotated = arguments.has("turned")
        minimumFaceWidth = try arguments.integer("min-face", in: 1...100_000)
        faceless = try arguments.word("no-face", as: FacelessChoice.self) ?? .copy
        format = try arguments.word("format", as: PictureFormat.self)
        quality = try arguments.integer("quality", in: 1...100)
        replaces = arguments.has("force")
        faces = try FaceChoice(arguments)
        for name in arguments["draw"]?.split(separator: ",") ?? [] {
            guard let overlay = Overlay(rawValue: String(name)) else {
                throw arguments.invalid("draw", "must list some of landmarks, mesh, boxes, with commas between them")
            }
            overlays.insert(overlay)
        }
        if let quality, format == .png {
            throw arguments.invalid("quality", "is for JPEG; PNG loses nothing (\(quality))")
        }
    }
}
