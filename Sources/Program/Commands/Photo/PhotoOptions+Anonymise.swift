import Arguments
import Compositing
import FaceTracking
import NeuralNetworks
import PictureMasking

/// `bauta photo --anonymise`: what it sets, and what it refuses.
extension PhotoOptionKeys {
    static let anonymise = Flag(
        "anonymise",
        help: "Cover faces and remove metadata. Check the results."
    ).details(
        """
        Cover faces completely instead of masking them: an opaque area on each detected face of \
        \(PhotographFaces.smallestCovered) pixels or more, profiles included. Metadata and previews are removed. \
        Photographs without a detected face are skipped, or treated as --no-face says, but never copied. A face that \
        is not detected stays unmasked: check the results, and see --careful. Needs MediaPipe's networks, and uses \
        CenterFace where it is installed.
        """)
}

extension PhotoOptions {
    /// Sets what `--anonymise` stands for.
    /// - Throws: `UsageError` if another option would leave something unmasked; `CommandFailure` if the detector that
    ///   finds turned faces is missing and no other one was chosen.
    mutating func anonymise(_ arguments: ParsedArguments) throws {
        func refuse(_ option: some CommandOption, _ reason: String) throws(UsageError) {
            guard arguments.has(option) else { return }
            throw UsageError(
                "--anonymise and --\(option.definition.name) contradict each other: \(reason).", arguments.commandPath)
        }
        try refuse(
            PhotoOptionKeys.masks, "faces are covered with a plain area, because a mask leaves parts of them visible")
        try refuse(PhotoOptionKeys.drawsNoMask, "faces would stay unmasked")
        try refuse(PhotoOptionKeys.overlays, "the drawing shows the shape of the faces")
        try refuse(MaskingOptions.occluders, "what is in front of a face is covered with it")
        try refuse(MaskingOptions.renderer, "no mask is drawn")
        if faces != .all { try refuse(MaskingOptions.faces, "the other faces would stay unmasked") }
        if arguments[PhotoOptionKeys.faceless] == .copy {
            try refuse(PhotoOptionKeys.faceless, "a face that was missed would be unmasked in the copy")
        }
        switch analysis.smallestFace {
        case nil: analysis.smallestFace = .pixels(PhotographFaces.smallestCovered)
        case .pixels(1...PhotographFaces.smallestCovered): break
        case .pixels, .share:
            try refuse(
                PhotoOptionKeys.smallestFace,
                "narrower faces would stay unmasked; use 1px to \(PhotographFaces.smallestCovered)px")
        }
        if let needed = neededForCovering {
            throw CommandFailure(
                .unavailable, "--anonymise \(needed). --detector hog works without them but misses more faces")
        }
        anonymises = true
        cover = arguments[MaskingOptions.cover]
        if !arguments.has(PhotoOptionKeys.faceless) { faceless = .skip }
        analysis.thoroughness = try MaskingOptions.thoroughness(arguments)
    }

    /// Nil: it is there.
    private var neededForCovering: String? {
        models.usesDetectorNetwork || models.detector != nil
            ? nil
            : "needs MediaPipe's networks, which detect turned and small faces; \(NetworkFolder.remedy) fetches them"
    }

    /// Sets what `--anonymise` stands for, whatever other options say. Nobody wears the mask, and so it is one that is
    /// always there.
    /// - Throws: `CommandFailure`, as `anonymise`.
    package mutating func coverAll(_ style: FaceCover.Style) throws(CommandFailure) {
        if let needed = neededForCovering { throw CommandFailure(.unavailable, "Hiding people \(needed)") }
        (faces, overlays, faceless) = (.all, [], .skip)
        (anonymises, cover, analysis.thoroughness) = (true, style, .balanced)
        masks = PhotoOptions().masks
        switch analysis.smallestFace {
        // Who asks for still smaller ones gets them.
        case .pixels(1...PhotographFaces.smallestCovered): break
        case nil, .pixels, .share: analysis.smallestFace = .pixels(PhotographFaces.smallestCovered)
        }
    }
}
