import FaceGeometry

/// Mesh files.
enum MeshTarget: FuzzTarget {
    static let name = "mesh"
    static let longest = 4096

    static func seeds() -> [[UInt8]] { [RepositoryFile.bytes("face/mesh.txt")] }

    static func read(_ bytes: [UInt8]) {
        guard let mesh = try? FaceMesh(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        _ = mesh.triangles(openings: [.eyes, .mouth])
    }
}
