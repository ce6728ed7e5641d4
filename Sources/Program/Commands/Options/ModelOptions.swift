import Arguments
import FaceTracking
import Files

/// The options that choose the detector and the landmark model.
enum ModelOptions {
    static let detector = Option<FaceModels.Detector?>(
        "detector", words: FaceModels.Detector.self, defaultText: "network, if it is installed, otherwise hog",
        help: """
            The face detector: MediaPipe's networks, dlib's HOG detector, OpenCV's cascades with Haar or LBP \
            features, or CenterFace.
            """)
    static let landmarks = Option<FaceModels.LandmarkModelChoice>(
        "landmarks", default: .auto,
        help: """
            The landmark model: MediaPipe's face mesh, which also tracks faces that turn far, or the cascade of \
            --model. auto: the face mesh for photographs and both together for videos and live mode; the installed \
            one if only one is installed; with --model, the cascade.
            """)

    static let all: [any CommandOption] = [detector, landmarks, CommonOptions.model]
    static let group = OptionGroup("Models", all, describedIn: "'bauta help models'")

    static let topic = HelpTopic(
        name: "models", overview: "Models for faces and landmarks, and their licences.",
        discussion: """
            A detector finds faces, and a landmark model finds the points of eyes, brows, nose, mouth and jaw in them.

            MediaPipe's networks (Apache 2.0) find upright and rotated faces that are turned by up to about 50°. \
            'bauta fetch-networks' fetches them, and CenterFace (MIT), which also finds small and dark faces, and profiles, \
            and takes several times as long. Videos, --anonymise and photographs that leave MediaPipe's detector in doubt use \
            both; --detector network uses MediaPipe's alone. CenterFace was trained on WIDER FACE, pictures that were \
            published for research.

            The landmark model of Debian's libdlib-data may not be used commercially: the licence of its training \
            data, iBUG 300-W, excludes that. For commercial use, use MediaPipe's networks alone (--landmarks mesh) or \
            another model (--model). 'bauta doctor' shows what is installed.
            """, options: all)

    /// Refuses them where no face is searched for.
    /// - Parameter thing: what must be given so that faces are searched for: "a clip".
    static func requireNone(_ arguments: ParsedArguments, without thing: String) throws(UsageError) {
        guard let useless = all.first(where: { arguments.has($0) }) else { return }
        throw UsageError("--\(useless.definition.name) has no effect without \(thing).", arguments.commandPath)
    }
}

extension FaceModels {
    /// Reads `ModelOptions.all`. The files are protected against being overwritten. Warns where the networks would be used,
    /// are there, and cannot be.
    init(_ arguments: ParsedArguments) {
        self.init(cascade: arguments.has(CommonOptions.model) ? arguments[CommonOptions.model] : nil)
        detector = arguments[ModelOptions.detector]
        landmarks = arguments[ModelOptions.landmarks]
        InputFiles.protect(arguments[CommonOptions.model])
        ModelNotice.show(for: self)
        if detector == nil, let obstacle = networks.obstacle {
            Console.warning("continuing without the face networks: \(obstacle)")
        }
    }
}
