import Files
import PhotoRecords
import PictureMasking

extension PhotoSettings {
    /// Is raised when the same options begin to hide more. Results of earlier rules then count as made with other settings.
    private static let rules = "4"

    /// - Parameter mask: the mask's folder.
    /// - Throws: `FileError` if a file of the mask, or the store of enrolled people, cannot be read.
    package init(_ options: PhotoOptions, mask: FilePath) throws(FileError) {
        let models = options.models
        let faces =
            switch options.faces {
            case .all: "all"
            case .largest(let count): "\(count)"
            }
        let sum = options.drawsMask ? try Self.checksum(ofMask: mask) : "none"
        let smallest =
            switch options.analysis.smallestFace {
            case nil: "default"
            case .pixels(let pixels): "\(pixels)"
            case .share(let share): "\(share)"
            }
        var values: [(name: String, value: String)] = [
            ("mask", sum), ("faces", faces),
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
            ("format", options.format?.rawValue ?? "as the input"),
            ("quality", options.quality.map(String.init) ?? "as the input"),
            ("no-face", options.faceless.rawValue),
            ("rules", Self.rules),
        ]
        if options.occluders != .mask { values.append(("under", options.occluders.description)) }
        if options.anonymises {
            values.append(("anonymise", options.analysis.thoroughness?.rawValue ?? "yes"))
            values.append(("cover", options.cover.rawValue))
        }
        if let people = options.people { values.append(("people", try people.description())) }
        self.init(maskName: options.drawsMask ? options.mask : "none", values: values)
    }
}
