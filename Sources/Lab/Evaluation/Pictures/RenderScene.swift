import FaceGeometry
import Pixels
import SyntheticFaces

/// A picture of 1280 × 720 pixels with synthetic faces, and their face instances.
package final class RenderScene {
    package let pixels: PixelBuffer
    package let instances: [FaceInstance]

    /// - Parameter people: the number of faces: one or two 460 pixels high, or more, smaller ones in rows of six.
    package init(people: Int, reference: ReferenceFace) throws {
        var picture = try PixelBuffer(width: 1280, height: 720, format: .rgba8)
        picture.fill(SIMD4(110, 115, 120, 255))
        let columns = people > 2 ? 6 : people
        let rows = (people + columns - 1) / columns
        // A face from hairline to chin is about 1.38 times as high as it is wide.
        let width: Float = people > 2 ? 120 : 333
        var instances: [FaceInstance] = []
        for index in 0..<people {
            let center = Point(
                1280 * (Float(index % columns) + 0.5) / Float(columns),
                720 * (Float(index / columns) + 0.45) / Float(rows))
            let face = Sample.all[index % Sample.all.count].face
            let drawing = FaceDrawing(
                face, placement: DrawnFacePlacement(center: center, faceWidth: width), reference: reference)
            drawing.draw(into: &picture, samples: 1)
            instances.append(
                FaceInstance(face: Face(landmarks: drawing.landmarks, reference: reference), trackID: index + 1))
        }
        pixels = picture
        self.instances = instances
    }
}
