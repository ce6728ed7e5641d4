import Arguments
import FaceTracking
import Files

/// The options that choose the detector and the landmark model.
enum ModelOptions {
    static let detector = Option<FaceModels.Detector?>(
        "detector", words: FaceModels.Detector.self, defaultText: "network, if it is installed, otherwise hog",
        help: """
            What finds faces: MediaPipe's networks, which 'bauta fetch-networks' fetches, dlib's HOG detector, OpenCV's \
            cascades with Haar or LBP features, or OpenCV's YuNet.
            """)
    static let yunet = Option<FilePath?>("yunet", value: "file", help: "The ONNX file for --detector yunet.").takes(
        .file(["onnx"]))
    static let landmarks = Option<FaceModels.LandmarkModelChoice>(
        "landmarks", default: .auto,
        help: """
            What finds the landmarks: MediaPipe's face mesh, which follows faces that turn far, or the cascade of \
            --model. auto: the mesh for photographs, and both together for moving pictures; if only one is installed, \
            that one; with --model, the cascade.
            """)

    static let all: [any CommandOption] = [detector, yunet, landmarks, CommonOptions.model]

    /// Refuses them where they would have no effect.
    /// - Parameter option: what must be given so that faces are searched for.
    static func requireNone(_ arguments: ParsedArguments, without option: some CommandOption) throws(UsageError) {
        guard !arguments.has(option), let useless = all.first(where: { arguments.has($0) }) else { return }
        throw UsageError(
            "--\(useless.definition.name) has no effect without --\(option.definition.name).", arguments.commandPath)
    }
}

extension FaceModels {
    /// Reads `ModelOptions.all`. The files are protected against being overwritten. Warns where the networks would be used,
    /// are there, and cannot be.
    init(_ arguments: ParsedArguments) {
        self.init(cascade: arguments.has(CommonOptions.model) ? arguments[CommonOptions.model] : nil)
        detector = arguments[ModelOptions.detector]
        yunet = arguments[ModelOptions.yunet]
        landmarks = arguments[ModelOptions.landmarks]
        for path in [arguments[CommonOptions.model], arguments[ModelOptions.yunet]] {
            path.map { InputFiles.protect($0) }
        }
        if detector == nil, let obstacle = networks.obstacle {
            Console.warning("faces are searched for without the face networks: \(obstacle)")
        }
    }
}
