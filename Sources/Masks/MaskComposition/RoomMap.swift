import FaceGeometry
import Pixels

/// The colours of the room around a face, which polished props mirror: estimated from the picture itself, whose rest is
/// blurred and laid on a sphere map (Miller and Hoffman, "Illumination and Reflection Maps", 1984): its middle is mirrored
/// by what faces the camera, its rim by what is seen from its side. Nobody knows what is behind the camera; what is beside
/// the head has the colours of the same room, and at the rim it is what really would be mirrored.
///
/// A class, so that its memory is kept. Unchecked: it crosses to the threads that draw a list, which only read it, and is
/// changed only between two lists.
package final class RoomMap: @unchecked Sendable {
    /// Texels per side.
    package static let side = 16
    /// Row by row: red, green and blue, blurred a little, and again, blurred much; linear, relative to the mean luminance.
    /// The fourth and eighth are unused.
    package private(set) var texels = [SIMD8<Float>](
        repeating: SIMD8(repeating: 1), count: side * side)
    /// Points that are read in each texel, per side.
    private static let steps = 4
    /// The face's surroundings begin at this multiple of its box.
    private static let headSize = Point(1.25, 1.4)
    private static let range: ClosedRange<Float> = 0.25...2.5

    private var planes: [CoarseMap]
    private var blurred: [CoarseMap]
    private var blurring = CoarseMap.Memory()
    private var lastSeconds: Double?

    init() {
        let empty = CoarseMap(width: Self.side, height: Self.side, filledWith: 0)
        planes = [CoarseMap](repeating: empty, count: 4)
        blurred = planes
    }

    /// - Parameters:
    ///   - face: the box around it, pixels.
    ///   - seconds: of the picture; nil: a single one, measured without smoothing.
    func measure(_ picture: borrowing PixelBuffer, around face: FaceBox, at seconds: Double?) {
        read(picture, around: face)
        let weight = TemporalSmoothing.weight(after: seconds.flatMap { now in lastSeconds.map { now - $0 } })
        lastSeconds = seconds
        for plane in planes.indices { blurred[plane].overwrite(with: planes[plane]) }
        for plane in blurred.indices { blurred[plane].blur(reach: 3, times: 2, &blurring) }
        for plane in planes.indices { planes[plane].blur(reach: 1, times: 1, &blurring) }
        var sums = SIMD4<Float>.zero
        for plane in 0..<4 { for value in blurred[plane].values { sums[plane] += value } }
        let mean = (SIMD4(0.2126, 0.7152, 0.0722, 0) * sums).sum() / max(sums.w, 1e-6)
        guard mean > 1e-4 else { return }
        for index in texels.indices {
            func color(_ maps: [CoarseMap]) -> SIMD4<Float> {
                let color = SIMD4(maps[0].values[index], maps[1].values[index], maps[2].values[index], 0)
                return (color / (max(maps[3].values[index], 1e-6) * mean))
                    .clamped(
                        lowerBound: SIMD4(repeating: Self.range.lowerBound),
                        upperBound: SIMD4(repeating: Self.range.upperBound))
            }
            // Where only the head is, what is around it counts.
            let far = blurred[3].values[index] > 1e-4 ? color(blurred) : SIMD4(repeating: 1)
            let near = planes[3].values[index] > 0.05 ? color(planes) : far
            texels[index] += weight * (SIMD8(lowHalf: near, highHalf: far) - texels[index])
        }
    }

    /// Sums of linear colours, and the number of points, in the cells of the picture.
    private func read(_ picture: borrowing PixelBuffer, around face: FaceBox) {
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let center = face.center
        let reach = Self.headSize * Point(face.width, face.height) / 2
        let count = Self.side * Self.steps
        func read<Component: FixedWidthInteger>(
            _ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer
        ) {
            let scale = 1 / Float(Component.max)
            for plane in planes.indices {
                for index in texels.indices { planes[plane].values[index] = 0 }
            }
            for row in 0..<count {
                let y = min(height - 1, (2 * row + 1) * height / (2 * count))
                let isBesideHead = abs(Float(y) - center.y) < reach.y
                for column in 0..<count {
                    let x = min(width - 1, (2 * column + 1) * width / (2 * count))
                    if isBesideHead, abs(Float(x) - center.x) < reach.x { continue }
                    let pixel = pixels.load(
                        fromByteOffset: y * stride + x * MemoryLayout<SIMD4<Component>>.size,
                        as: SIMD4<Component>.self)
                    let color = scale * SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
                    let index = row / Self.steps * Self.side + column / Self.steps
                    // Nearly sRGB's transfer function.
                    let linear = color * color
                    for plane in 0..<3 { planes[plane].values[index] += linear[plane] }
                    planes[3].values[index] += 1
                }
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? read(SIMD4<UInt16>.self, pixels) : read(SIMD4<UInt8>.self, pixels)
        }
        // As a share of the points.
        let share = 1 / Float(Self.steps * Self.steps)
        for plane in planes.indices {
            for index in texels.indices { planes[plane].values[index] *= share }
        }
    }
}
