import Masks

/// The manifest of a mask package.
enum ManifestTarget: FuzzTarget {
    static let name = "manifest"
    static let longest = 4096

    /// The installed masks, with one texture for all layers.
    static func seeds() -> [[UInt8]] {
        RepositoryFile.paths(in: "masks").map { folder in
            Array(RepositoryFile.text(folder + "/mask.json").replacing(/"[^"]*\.png"/, with: "\"t.png\"").utf8)
        }
    }

    static func read(_ bytes: [UInt8]) {
        PackageReading.shared.read([MaskLoader.manifestName: bytes], names: ["t.png", "other.png"])
    }
}
