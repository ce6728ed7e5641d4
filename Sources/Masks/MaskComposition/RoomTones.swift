import FaceGeometry
import Pixels

/// The brightest and the darkest things around a face and of itself: they show how bright its light is and how much haze lies
/// over the picture.
struct RoomTones {
    /// Oklab's lightness of the brightest things, but not of lamps.
    let brightest: Float
    /// The mean colour, sRGB-encoded, 0…1, of the things one component of which is darkest: also orange hair has no blue.
    let darkest: SIMD3<Float>

    /// The memory for measuring, kept from one face to the next.
    struct Memory {
        /// How many samples have which luminance, sRGB-encoded.
        fileprivate var counts = [Int](repeating: 0, count: 64)
        /// How many have which least component, and the sums of their colours.
        fileprivate var leastCounts = [Int](repeating: 0, count: 64)
        fileprivate var sums = [SIMD3<Float>](repeating: .zero, count: 64)
    }

    /// The surroundings reach so far beyond the face, in its widths.
    private static let reach: Float = 1
    /// In each direction.
    private static let samples = 32
    /// So many of the surroundings are brighter than their brightest things: lamps and what they glint on.
    private static let lamps = samples * samples / 10
    /// So many are their darkest things. With fewer, a spot of noise would count.
    private static let shadows = samples * samples / 60

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`.
    ///   - face: the box around it, pixels.
    /// - Returns: nil for a face outside the picture.
    init?(_ picture: borrowing PixelBuffer, around face: FaceBox, _ memory: inout Memory) {
        let margin = Self.reach * face.width
        let area = PixelRectangle(
            covering: FaceBox(
                x: face.x - margin, y: face.y - margin, width: face.width + 2 * margin, height: face.height + 2 * margin
            )
        ).intersection(picture.bounds)
        guard !area.isEmpty else { return nil }
        Self.count(picture, in: area, &memory)
        let last = memory.counts.count - 1
        var (level, brighter) = (last, memory.counts[last])
        while level > 0, brighter <= Self.lamps {
            level -= 1
            brighter += memory.counts[level]
        }
        brightest = OklabColor.lab(SIMD3(repeating: Float(level) / Float(last))).x
        var (sum, count) = (memory.sums[0], memory.leastCounts[0])
        level = 0
        while level < last, count <= Self.shadows {
            level += 1
            sum += memory.sums[level]
            count += memory.leastCounts[level]
        }
        darkest = sum / Float(max(1, count))
    }

    private static func count(_ picture: borrowing PixelBuffer, in area: PixelRectangle, _ memory: inout Memory) {
        for index in memory.counts.indices {
            (memory.counts[index], memory.leastCounts[index], memory.sums[index]) = (0, 0, .zero)
        }
        let (stride, last) = (picture.bytesPerRow, memory.counts.count - 1)
        func count<Component: FixedWidthInteger>(
            _ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer
        ) {
            for row in 0..<samples {
                let y = area.y + (2 * row + 1) * area.height / (2 * samples)
                for column in 0..<samples {
                    let x = area.x + (2 * column + 1) * area.width / (2 * samples)
                    let pixel = pixels.load(
                        fromByteOffset: y * stride + x * MemoryLayout<SIMD4<Component>>.size,
                        as: SIMD4<Component>.self)
                    let color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / Float(Component.max)
                    let luminance = (SIMD3<Float>(0.2126, 0.7152, 0.0722) * color).sum()
                    memory.counts[min(last, Int(luminance * Float(last) + 0.5))] += 1
                    let least = min(last, Int(color.min() * Float(last) + 0.5))
                    memory.leastCounts[least] += 1
                    memory.sums[least] += color
                }
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? count(SIMD4<UInt16>.self, pixels) : count(SIMD4<UInt8>.self, pixels)
        }
    }
}
