import Files
import Masks
import TestSupport

extension MaskReading {
    /// A mask with one layer, read from a folder.
    /// - Parameter layer: JSON.
    static func of(_ layer: String, in folder: TemporaryFolder) throws -> MaskReading {
        try folder.write(
            #"{"format": 1, "name": "One layer", "author": "A", "license": "CC0-1.0", "layers": [\#(layer)]}"#,
            "mask.json")
        return MaskLoader(reference: try Repository.referenceFace()).read(PackageFiles(folder: folder.path))
    }
}
