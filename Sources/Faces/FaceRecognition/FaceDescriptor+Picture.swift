import FaceGeometry
import FaceTracking
import Pixels

extension FaceDescriptor {
    /// The look of a face in a picture, turned upright: successive frames of one face have a similarity above 0.95, a
    /// hand that comes in front of it lowers it to 0.4 to 0.7, and two people have 0.25 to 0.8.
    /// - Parameter picture: `rgba8` or grey with 8 bits. Beyond its edges its last pixels are repeated.
    init(_ landmarks: Landmarks, in picture: borrowing PixelBuffer) {
        let square = FaceChip.square(around: landmarks)
        let (origin, across, down) = (square.origin, square.across, square.down)
        let (width, height, bytesPerRow) = (picture.width, picture.height, picture.bytesPerRow)
        let channels = picture.format.bytesPerPixel
        // Three samples a cell in each direction, so that noise and fine detail average out.
        let (cells, samples) = (16, 3)
        let side = Float(cells * samples)
        // Also for what is not a number.
        func clamped(_ value: Float, _ count: Int) -> Int { value > 0 ? Int(min(Float(count - 1), value)) : 0 }
        let values = picture.withUnsafeBytes { bytes in
            InlineArray<256, Float> { index in
                var sum = 0
                for sample in 0..<samples * samples {
                    let column: Int = index % cells * samples + sample % samples
                    let row: Int = index / cells * samples + sample / samples
                    let (u, v) = ((Float(column) + 0.5) / side, (Float(row) + 0.5) / side)
                    let point = origin + u * across + v * down
                    let place = clamped(point.y, height) * bytesPerRow + clamped(point.x, width) * channels
                    sum +=
                        channels == 1
                        ? 4 * Int(bytes[place])
                        : Int(bytes[place]) + 2 * Int(bytes[place + 1]) + Int(bytes[place + 2])
                }
                return Float(sum) / Float(4 * samples * samples)
            }
        }
        self.init(greyValues: values)
    }
}
