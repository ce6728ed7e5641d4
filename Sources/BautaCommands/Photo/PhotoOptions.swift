import FaceTracking
import ImageFiles

/// What `bauta photo` was asked to do.
struct PhotoOptions: Sendable {
    /// Which of the faces found get a mask.
    enum FaceChoice: Equatable, Sendable {
        case all
        /// So many of the largest.
        case largest(Int)
    }

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
    var searchesTurned = false
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
        searchesTurned = arguments.has("turned")
        minimumFaceWidth = try arguments.integer("min-face", in: 1...100_000)
        faceless = try arguments.word("no-face", as: FacelessChoice.self) ?? .copy
        format = try arguments.word("format", as: PictureFormat.self)
        quality = try arguments.integer("quality", in: 1...100)
        replaces = arguments.has("force")
        switch arguments["faces"] {
        case nil, "all": faces = .all
        case "largest": faces = .largest(1)
        case .some(let text):
            guard let count = Int(text), count > 0 else {
                throw arguments.invalid("faces", "must be 'all', 'largest' or a number of faces")
            }
            faces = .largest(count)
        }
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
