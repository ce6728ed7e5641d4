import Files
import PhotoRecords
import PictureMasking

extension PhotoSettings {
    /// Is raised when the same options begin to hide more. Results of earlier rules then count as made with other settings.
    private static let rules = "4"

    /// - Parameter folders: of the masks.
    /// - Throws: `FileError` if a file of the mask, or the store of enrolled people, cannot be read.
    package init(_ options: PhotoOptions, masks folders: [FilePath]) throws(FileError) {
        let models = options.models
        let faces =
            switch options.faces {
            case .all: "all"
            case .largest(let count): "\(count)"
            }
        var sums: [String] = []
        if options.drawsMask { for folder in folders { sums.append(try Self.checksum(ofMask: folder)) } }
        let smallest =
            switch options.analysis.smallestFace {
            case nil: "default"
            case .pixels(let pixels): "\(pixels)"
            case .share(let share): "\(share)"
            }
        var values: [(name: String, value: String)] = [
            ("mask", sums.isEmpty ? "none" : sums.joined(separator: ",")), ("faces", faces),
            ("min-face", smallest),
            ("rotated", options.analysis.searchesRotated ? "yes" : "no"),
            ("draw", options.overlays.map(\.rawValue).sorted().joined(separator: ",")),
            (
                "detector",
                (models.detector ?? (models.usesDetectorNetwork ? .network : .hog)).rawValue
                    + (models.usesRecallDetector ? ", centerface" : "")
            ),
            ("landmarks", models.landmarks.rawValue),
            ("model", models.chosenCascade?.description ?? "default"),
            ("format", options.result.format?.rawValue ?? "as the input"),
            ("quality", options.result.quality.map(String.init) ?? "as the input"),
            ("no-face", options.faceless.rawValue),
            ("rules", Self.rules),
        ]
        if let seed = options.shuffle { values.append(("shuffle", "\(seed)")) }
        if options.occluders != .mask { values.append(("under", options.occluders.description)) }
        if options.anonymises {
            values.append(("anonymise", options.analysis.thoroughness?.rawValue ?? "yes"))
            values.append(("cover", options.cover.rawValue))
        }
        if let background = options.effects.background { values.append(("background", background)) }
        if options.isLayered { values.append(("layers", "yes")) }
        if let people = options.people { values.append(("people", try people.description())) }
        self.init(maskName: options.drawsMask ? options.masks.joined(separator: ",") : "none", values: values)
    }
}
