import Arguments
import Compositing
import FaceTracking
import Files
import ImageFiles
import NeuralNetworks
import PhotoRecords
import PictureMasking

/// The options of `photo`; `lab bench photo` has some of them.
enum PhotoOptionKeys {
    static let masks = Option<String>(
        "mask", letter: "m", value: "mask,…", default: "bauta", help: "One mask, or several in turn."
    ).takes(.maskList).details(
        """
        The mask: a name (see 'bauta mask list') or a folder. Of several, separated by commas, each face wears the next \
        one, from left to right, and the next photograph goes on. With --only, a person always wears the same one.
        """)
    static let shuffle = Option<Int?>(
        "shuffle", value: "number", in: 0...Int(Int32.max), defaultText: "in turn",
        help: "With several masks: another order for each number."
    ).details(
        """
        With several masks: the order in which the faces of a photograph wear them, another one for each number. It depends \
        on the photograph's name alone, so that further photographs change nothing.
        """)
    static let smallestFace = Option<SmallestFace?>(
        "min-face", value: "size", absent: nil,
        help: "Ignore narrower faces: 40px, or 10% of the height."
    ) { (text) throws(InvalidValue) in try FaceSize.smallest(text) }.details(
        """
        Ignore narrower faces: 40px, or 10% of the photograph's height. Smaller values make the search slower. \
        (default: about 40px in photographs up to a megapixel, more in larger ones)
        """)
    static let searchesRotated = Flag(
        "rotated", deprecatedNames: ["turned"],
        help: """
            If a photograph shows no upright face, look for faces that are rotated by 90° or 180°. Useful if EXIF \
            lacks the orientation; takes up to four times as long. Not needed with --detector network.
            """)
    static let overlays = Option<Set<FaceOverlay.Part>>(
        "draw", listOf: FaceOverlay.Part.self, help: "Overlays to draw on the results.")
    static let drawsNoMask = Flag("no-mask", help: "Draw no mask, for example to see only --draw.")
    static let format = Option<PictureFormat?>(
        "format", words: PictureFormat.self, defaultText: "the input's", help: "The format of the results.")
    static let quality = Option<Int?>(
        "quality", value: "number", in: 1...100, defaultText: "the input's, or 92",
        help: "Their quality."
    )
    .details("The quality, for formats that have one.")
    static let layers = Flag("layers", help: "OpenRaster files: photograph and masks in layers.").details(
        """
        Write OpenRaster files (.ora), which Krita and GIMP open, with the photograph, the mask of each face, and what is in \
        front of it in layers of their own. The lowest layer is the unmasked photograph.
        """)
    static let faceless = Option<PhotoOptions.FacelessChoice>(
        "no-face", default: .copy,
        help: "Photographs without faces."
    ).details(
        """
        What to do with a photograph without a detected face: copy it unchanged, skip it, blur it all, or fail. A \
        face that was missed is unmasked in the copy.
        """)
    static let existing = Option<PhotoOptions.ExistingChoice>(
        "existing", default: .skip,
        help: "What to do if the result exists."
    ).details(
        """
        What to do if the result exists. skip: keep a result that an earlier run made from the same photograph with \
        the same settings; refuse any other file. Rerun the command to resume a run that was stopped. The folder's \
        hidden file \(PhotoJournal.name) records the results.
        """)
    static let force = Flag("force", letter: "f", help: "Short for --existing replace.")

    /// Options that `photo` and `lab bench photo` have in common, with those of models.
    static let maskingOptions: [any CommandOption] = [
        masks, MaskingOptions.faces, smallestFace, searchesRotated, overlays, drawsNoMask,
        MaskingOptions.occluders, MaskingOptions.renderer,
    ]

    /// Options about the results.
    static let resultOptions: [any CommandOption] = [shuffle, format, quality, layers, faceless]
}

extension PhotoOptions {
    /// Reads `PhotoOptionKeys.maskingOptions`.
    init(masking arguments: ParsedArguments) {
        self.init()
        let text = arguments[PhotoOptionKeys.masks]
        // A folder may have a comma in its name.
        masks =
            FilePath(text).exists
            ? [text] : text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        models = FaceModels(arguments)
        renderer = arguments[MaskingOptions.renderer]
        faces = arguments[MaskingOptions.faces]
        occluders = arguments[MaskingOptions.occluders]
        analysis.smallestFace = arguments[PhotoOptionKeys.smallestFace]
        analysis.searchesRotated = arguments[PhotoOptionKeys.searchesRotated]
        overlays = arguments[PhotoOptionKeys.overlays]
        isMasking = !arguments[PhotoOptionKeys.drawsNoMask]
    }

    /// Reads all options of `photo`.
    init(_ arguments: ParsedArguments) throws {
        try self.init(making: arguments)
        people = try PeopleOptions.settings(arguments)
        if people != nil { try checkPeople(arguments) }
        if people?.coversUnrecognised == true, !anonymises {
            MaskingOptions.warnOfProfiles(models)
            if models.usesRecallDetector {
                analysis.thoroughness = .balanced
                if analysis.smallestFace == nil { analysis.smallestFace = .pixels(PhotographFaces.smallestCovered) }
            }
        }
        existing = arguments[PhotoOptionKeys.force] ? .replace : arguments[PhotoOptionKeys.existing]
    }

    /// Reads what decides about the results: `maskingOptions`, `resultOptions` and `anonymise`.
    init(making arguments: ParsedArguments) throws {
        self.init(masking: arguments)
        try MaskingOptions.checkOccluders(arguments, isSinglePicture: true)
        faceless = arguments[PhotoOptionKeys.faceless]
        shuffle = arguments[PhotoOptionKeys.shuffle]
        if shuffle != nil, masks.count == 1 {
            throw UsageError("--shuffle needs several masks, as in --mask wolf,tiger,owl.", arguments.commandPath)
        }
        result.format = arguments[PhotoOptionKeys.format]
        result.quality = arguments[PhotoOptionKeys.quality]
        isLayered = arguments[PhotoOptionKeys.layers]
        if isLayered { try checkLayers(arguments) }
        if arguments[PhotoOptionKeys.anonymise] {
            try anonymise(arguments)
        } else {
            try MaskingOptions.checkIsAnonymising(arguments)
        }
        if let quality = result.quality, let format = result.format, !format.hasQuality {
            throw arguments.invalid(
                PhotoOptionKeys.quality, "does not apply to \(format.name), which is lossless (\(quality))")
        }
    }

    /// - Throws: `UsageError` if another option contradicts `--layers`.
    private func checkLayers(_ arguments: ParsedArguments) throws(UsageError) {
        func refuse(_ option: some CommandOption, _ reason: String) throws(UsageError) {
            guard arguments.has(option) else { return }
            throw UsageError(
                "--layers and --\(option.definition.name) contradict each other: \(reason).", arguments.commandPath)
        }
        let shows = "the lowest layer is the unmasked photograph"
        try refuse(PhotoOptionKeys.anonymise, shows)
        for option in PeopleOptions.all { try refuse(option, shows) }
        if faceless == .blur { try refuse(PhotoOptionKeys.faceless, shows) }
        try refuse(PhotoOptionKeys.format, "layers are written as OpenRaster files")
        try refuse(PhotoOptionKeys.quality, "OpenRaster files are lossless")
    }

    /// - Throws: `UsageError` if another option contradicts those about people.
    private func checkPeople(_ arguments: ParsedArguments) throws(UsageError) {
        let given = PeopleOptions.all.first { arguments.has($0) }?.definition.name ?? ""
        func refuse(_ option: some CommandOption, _ reason: String) throws(UsageError) {
            throw UsageError(
                "--\(given) and --\(option.definition.name) contradict each other: \(reason).", arguments.commandPath)
        }
        if !isMasking { try refuse(PhotoOptionKeys.drawsNoMask, "all faces would stay unmasked") }
        if anonymises, !arguments.has(PeopleOptions.except) {
            try refuse(PhotoOptionKeys.anonymise, "it covers everybody; --except leaves out people who have agreed")
        }
    }

    /// What becomes of a photograph without faces, for who sees it in a window.
    var facelessNotice: String {
        let fate = anonymises ? "left out" : "copied as it is"
        let text = "No face was found: the photograph will be \(fate)."
        let byHand = "\"bauta review\" covers a face by hand."
        guard models.usesDetectorNetwork || models.detector != nil else {
            return "\(text) \(NetworkFolder.remedy) fetches networks that find rotated and turned faces; \(byHand)"
        }
        let findsMore = models.usesDetectorNetwork && !anonymises
        return findsMore ? "\(text) \"Hide people\" finds more; \(byHand)" : "\(text) \(byHand)"
    }

    /// How faces can be found that were missed, for people who look at the result.
    var hint: String {
        let width = if case .pixels(let pixels) = analysis.smallestFace { min(pixels, 40) } else { 40 }
        var ways = ["--min-face \(max(1, width / 2))px finds smaller faces"]
        if !models.usesDetectorNetwork {
            if !analysis.searchesRotated { ways.append("--rotated finds faces rotated by 90° or 180°") }
            if models.detector == nil {
                ways.append("\(NetworkFolder.remedy) fetches networks that find rotated and turned faces")
            }
        }
        return ways.joined(separator: "; ") + "."
    }
}
