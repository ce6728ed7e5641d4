import Masks

/// Packed masks and OpenRaster pictures, which are archives.
enum ArchiveTarget: FuzzTarget {
    static let name = "archive"
    static let longest = 8192

    static func seeds() -> [[UInt8]] { RepositoryFile.paths(in: "Tests/Fuzzing/Seeds").map(RepositoryFile.bytes) }

    static func read(_ bytes: [UInt8]) {
        _ = try? MaskArchive.unpack(bytes)
        if let picture = try? OpenRaster.painting(bytes, path: "fuzz.ora", maximumSide: 64) { _ = picture.hasAlpha }
    }
}
