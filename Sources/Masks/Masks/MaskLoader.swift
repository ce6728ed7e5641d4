import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON
import Pixels
import Threads

/// Loads mask packages of format 1 (`docs/masks/format.md`). A package is untrusted: no path leaves its folder, and
/// every size has a limit.
package struct MaskLoader: Sendable {
    package static let manifestName: FilePath = "mask.json"
    /// A picture of the mask for file managers and galleries; optional.
    package static let thumbnailName: FilePath = "thumbnail.png"
    /// The manifest's key for `Mask.Likeness`.
    package static let likenessKey = "likeness"
    static let maximumManifestSize = 1 << 20
    static let maximumPointsFileSize = 1 << 16
    package static let maximumTextureSide = 8192
    package static let maximumLayers = 64
    /// Of name, description, author and licence, in Unicode scalars.
    static let longestText = 200

    /// In all still textures together: a small archive may contain enormous ones.
    package static let maximumTexturePixels = 128 << 20

    static let maximumFrames = 240
    /// In all frames of an animation together, and in all moving pictures of a mask.
    package static let maximumAnimationPixels = 128 << 20
    static let maximumGroupDepth = 8

    /// Reads the frames of an animated picture and how long each is shown, in seconds. Throws `AnimationExcess` before
    /// it has read more frames, or more pixels in all, than `limits` allow.
    package typealias AnimationDecoder =
        @Sendable (_ path: FilePath, _ limits: AnimationLimits) throws -> (frames: [Texture], seconds: [Double])

    /// Thrown by a decoder when an animation exceeds the limits.
    package struct AnimationExcess: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The largest animation that is read.
    package struct AnimationLimits: Sendable {
        package let frames = MaskLoader.maximumFrames
        /// In all frames. Fewer than the maximum if animations before this one have taken the rest.
        package var pixels = MaskLoader.maximumAnimationPixels
        /// Of processor time.
        package var seconds = 60

        package init() {}

        /// - Returns: which limit `count` frames of a size exceed; nil: none.
        package func excess(frames count: Int, width: Int, height: Int) -> String? {
            if count > frames { return "has more than \(frames) frames, the limit" }
            guard count * width * height > pixels else { return nil }
            let maximum = MaskLoader.maximumAnimationPixels
            let others = pixels < maximum ? ", with the animations before it," : ""
            return "has\(others) more than \(maximum >> 20) million pixels in all its frames, the limit"
        }
    }

    private let reference: ReferenceFace
    private let animations: AnimationDecoder?
    private let longestReading: Duration
    private let stop: StopSignal

    /// - Parameters:
    ///   - animations: reads APNG and GIF; without it, only animations of numbered pictures can be loaded.
    ///   - longestReading: the processor time that reading all pictures of a mask may take: a few lines of SVG can ask for
    ///     hours.
    ///   - stop: ends reading before the next picture; the mask has an error then.
    package init(
        reference: ReferenceFace, animations: AnimationDecoder? = nil, longestReading: Duration = .seconds(60),
        stop: StopSignal = .program
    ) {
        self.longestReading = longestReading
        self.stop = stop
        self.reference = reference
        self.animations = animations
    }

    /// - Throws: the first error, a `MaskProblem`.
    package func load(folder: some FilePathConvertible) throws(MaskProblem) -> Mask {
        let reading = read(PackageFiles(folder: folder))
        if let mask = reading.mask { return mask }
        throw Self.noPackage(folder.filePath) ?? reading.problems.errors.listed.first
            ?? MaskProblem(.manifestUnreadable, path: folder, "cannot be read for an unknown reason")
    }

    /// What the manifest of a package says of it, without looking at its pictures: its name and its author, each in at most
    /// 200 characters. Nil where it says nothing that can be read.
    package func credits(folder: some FilePathConvertible) -> (name: String?, author: String?) {
        let manifest = document(MaskReading(PackageFiles(folder: folder), longestReading: longestReading, stop: stop))
        func text(_ key: String) -> String? {
            manifest?[key]?.string.flatMap { $0.unicodeScalars.count <= Self.longestText ? $0 : nil }
        }
        return (text("name"), text("author"))
    }

    /// The problem of a path that is not a mask's folder; nil: it is one, or nothing has that path.
    private static func noPackage(_ path: FilePath) -> MaskProblem? {
        if Folder.exists(path) {
            guard (path / manifestName).isMissing else { return nil }
            return MaskProblem(.manifestUnreadable, path: path, "has no \(manifestName), so it is not a mask")
        }
        guard path.exists else { return nil }
        if path.fileExtension == "bauta" {
            return MaskProblem(
                .manifestUnreadable, path: path, "is a packed mask; install it first: bauta mask install \(path)")
        }
        guard PictureFormat(path: path) != nil else { return nil }
        return MaskProblem(
            .manifestUnreadable, path: path,
            "is a picture, not a mask folder; make a mask of it: bauta mask new NAME --from \(path)")
    }

    /// Reads a package and collects all its problems.
    package func read(_ files: PackageFiles) -> MaskReading {
        let reading = MaskReading(files, longestReading: longestReading, stop: stop)
        reading.document = document(reading)
        guard let root = reading.document, isKnownFormat(root, reading),
            let manifest = ManifestObject(
                root, reading, pointer: "",
                keys: ["format", "name", "description", "author", "license", Self.likenessKey, "under", "layers"])
        else { return reading }
        let name = manifest.string("name")
        if name?.isEmpty == true { manifest.fault(.emptyValue, "name", "must not be empty") }
        let (author, license) = (manifest.optionalString("author"), manifest.optionalString("license"))
        let description = manifest.optionalString("description")
        let texts = [("name", name), ("description", description), ("author", author), ("license", license)]
        for (key, text) in texts {
            guard let count = text?.unicodeScalars.count, count > Self.longestText else { continue }
            manifest.fault(
                .outOfRange, key,
                "has \(count) characters; up to \(Self.longestText) are allowed, so that lists can show it")
        }
        let likeness = manifest.optionalCase(Self.likenessKey, as: Mask.Likeness.self)
        // Before the layers, whose warnings may be more than are listed.
        if likeness == .unasked {
            manifest.fault(
                .likenessUnasked, Self.likenessKey,
                "this mask shows a person's face, and nothing says that the person agrees to others wearing it")
        }
        let occluders = manifest.optionalNames("under", among: Mask.Occluder.allCases.map { ($0.rawValue, $0) })
        let layers = manifest.filledArray("layers", of: "layer") ?? []
        guard layers.count <= Self.maximumLayers else {
            manifest.fault(
                .tooManyLayers, "layers", "has \(layers.count) layers; \(Self.maximumLayers) is the limit")
            return reading
        }
        let reader = LayerReader(reference: reference, animations: animations, reading: reading)
        let loaded = layers.flatMap { reader.layers($0.value, pointer: $0.pointer) }
        if reading.layerCount > Self.maximumLayers {
            manifest.fault(
                .tooManyLayers, "layers",
                "has more than \(Self.maximumLayers) layers, those in groups included; that is the limit")
        }
        for (layer, pointer) in loaded where layer.isNeverShown {
            reading.add(.neverShown, at: pointer, "this layer is never visible")
        }
        if author == nil { manifest.fault(.missingAuthor, "author", "no author is given") }
        if license == nil { manifest.fault(.missingLicense, "license", "no licence is given") }
        if let license, license.unicodeScalars.count <= Self.longestText,
            let reason = LicenseExpression.problem(license)
        {
            manifest.fault(.licenseUnknown, "license", reason)
        }
        guard reading.problems.errorCount == 0, let name else { return reading }
        let mask = Mask(
            name: name, author: author, license: license, likeness: likeness, description: description,
            layers: loaded.map(\.layer), background: reading.background.shown,
            occluders: occluders.map { Set($0) } ?? Mask.Occluder.usual, folder: files.folder)
        let unused = (occluders ?? []).filter { $0.isBehindProps && !mask.isOnlyPaint }.map(\.rawValue).sorted()
        if !unused.isEmpty {
            manifest.fault(
                .underUnused, "under",
                "\(unused.joined(separator: " and ")) would be behind this mask's stickers and props; the mask is drawn "
                    + "over everything")
        }
        reading.result = (mask, loaded.map(\.pointer))
        return reading
    }

    /// Checked before anything else: other formats have other rules.
    private func isKnownFormat(_ root: JSONValue, _ reading: MaskReading) -> Bool {
        guard case .object(let members) = root else { return true }
        let only = ManifestObject(
            .object(members.filter { $0.key == "format" }), reading, pointer: "", keys: ["format"])
        guard let only, let format = only.number("format", in: 0...Double.greatestFiniteMagnitude), format != 1
        else { return true }
        only.fault(
            .formatUnknown, "format",
            "is \(JSONValue.number(format).text()); this version of Bauta reads format 1")
        return false
    }

    private func document(_ reading: MaskReading) -> JSONValue? {
        do {
            let bytes = try reading.bytes(reading.path, limit: Self.maximumManifestSize)
            return try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch let error as JSONValue.SyntaxError {
            reading.add(
                MaskProblem(
                    .manifestNotJSON, path: reading.path, at: .line(error.line, column: error.column),
                    "is not valid JSON: \(error.reason)"))
        } catch let error as FileError {
            reading.add(MaskProblem(.manifestUnreadable, path: reading.path, error.reason))
        } catch {
            reading.add(MaskProblem(.manifestUnreadable, path: reading.path, "\(error)"))
        }
        return nil
    }
}
