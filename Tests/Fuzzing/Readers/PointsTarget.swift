import FaceGeometry
import Masks

/// Landmark files.
enum PointsTarget: FuzzTarget {
    static let name = "points"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        (["face/reference.pts"] + RepositoryFile.paths(in: "samples", ending: ".pts")).map(RepositoryFile.bytes)
    }

    /// As a mask's own landmarks, they go on to the camera and the mesh.
    static func read(_ bytes: [UInt8]) {
        guard let points = try? PointsFile.parse(String(decoding: bytes, as: UTF8.self)) else { return }
        let manifest =
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png", "landmarks": "f.pts"}]}"#
        PackageReading.shared.read(
            [MaskLoader.manifestName: Array(manifest.utf8), "f.pts": Array(PointsFile.text(points).utf8)], names: [])
    }
}
