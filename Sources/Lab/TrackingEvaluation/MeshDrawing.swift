import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import Pixels

/// Draws a face's mesh and landmarks on a picture.
package typealias DrawFace = (Face, inout PixelBuffer) -> Void

/// Writes frames with the tracked faces drawn on them, as `frame-00001.jpg` and so on.
final class MeshDrawing {
    private let folder: String
    private let drawFace: DrawFace
    private var count = 0

    /// - Throws: `FileError` if the folder cannot be created.
    init(folder: String, drawFace: @escaping DrawFace) throws(FileError) {
        try Folder.create(folder)
        self.folder = folder
        self.drawFace = drawFace
    }

    func draw(_ faces: [TrackedFace], on frame: borrowing PixelBuffer) throws {
        var drawn = try frame.copy()
        for face in faces { drawFace(face.face, &drawn) }
        count += 1
        let number = "\(count)"
        let path = "\(folder)/frame-" + String(repeating: "0", count: max(0, 5 - number.count)) + number + ".jpg"
        try PictureWriter.write(Picture(pixels: drawn), to: path, options: .init(format: .jpeg), replacing: true)
    }
}
