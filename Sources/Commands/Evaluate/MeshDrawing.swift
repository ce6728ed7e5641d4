import CommandLine
import FaceGeometry
import FaceTracking
import Glibc
import ImageFiles
import Pixels

/// Writes frames with the mesh drawn on every face, to step through.
final class MeshDrawing {
    private let folder: String
    private let mesh: FaceMesh
    private var count = 0

    /// - Throws: `CommandFailure` when the folder cannot be made.
    init(folder: String, mesh: FaceMesh) throws {
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate, "\(folder): the folder cannot be made: \(String(cString: strerror(errno)))")
        }
        self.folder = folder
        self.mesh = mesh
    }

    func draw(_ faces: [TrackedFace], on frame: borrowing PixelBuffer) throws {
        var drawn = try frame.copy()
        for face in faces {
            FaceOverlay(face: face.face, mesh: mesh).draw([.mesh, .landmarks], in: &drawn)
        }
        count += 1
        let number = "\(count)"
        let path = "\(folder)/frame-" + String(repeating: "0", count: max(0, 5 - number.count)) + number + ".jpg"
        try PictureWriter.write(Picture(pixels: drawn), to: path, options: .init(format: .jpeg), replacing: true)
    }
}
