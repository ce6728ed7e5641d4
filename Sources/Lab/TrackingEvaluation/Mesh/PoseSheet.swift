import FaceGeometry
import Pixels
import SyntheticFaces

/// One picture of synthetic heads in a grid of yaws and pitches.
package enum PoseSheet {
    private static let (width, height) = (300, 330)

    /// - Parameter drawFace: draws on each head, for example the mesh.
    package static func picture(reference: ReferenceFace, drawFace: DrawFace) throws -> PixelBuffer {
        let poses = DrawnPoses(reference: reference)
        var sheet = try PixelBuffer(
            width: width * DrawnPoses.yaws.count, height: height * DrawnPoses.pitches.count, format: .rgba8)
        for (column, yaw) in DrawnPoses.yaws.enumerated() {
            for (row, pitch) in DrawnPoses.pitches.enumerated() {
                var picture = try PixelBuffer(width: width, height: height, format: .rgba8)
                picture.fill(SIMD4(120, 125, 130, 255))
                let head = Sample.all[(column + row) % Sample.all.count].face
                let drawing = poses.drawing(head, yaw: yaw, pitch: pitch, roll: 0)
                drawing.draw(into: &picture, samples: 1)
                drawFace(poses.face(drawing), &picture)
                for y in 0..<height {
                    picture.withRow(y) { source in
                        sheet.withMutableRow(row * height + y) { target in
                            for x in source.indices { target[column * width + x] = source[x] }
                        }
                    }
                }
            }
        }
        return sheet
    }
}
