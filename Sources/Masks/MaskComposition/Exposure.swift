import FaceGeometry
import Glibc
import Pixels

/// How bright the light on a face is: in a dark room, white paint is not white. The skin alone does not tell, because it may be
/// dark itself; the room alone does not, because the face may be in its shadow.
struct Exposure {
    /// The lightness of a white surface on the face, in Oklab, 0…1.
    private(set) var white: Float = 1
    /// As `room` of `update`, followed as the skin is; nil: it has not been measured.
    private var room: Float?

    /// Oklab's lightness of most skin in good light is above this.
    private static let usualSkin: Float = 0.66
    /// The same of the brightest things of most rooms.
    private static let usualRoom: Float = 0.8
    /// White paint is at most so much lighter than they are: few rooms have nothing but dark things.
    private static let lighter: Float = 0.1
    private static let least: Float = 0.3
    /// Of the skin in the geometric mean of skin and room.
    private static let skinShare: Float = 0.15

    /// - Parameters:
    ///   - skin: the lightness of the skin, in Oklab, followed in the stream.
    ///   - room: that of the brightest things around the face.
    ///   - weight: of this picture among those of the stream, 0…1.
    mutating func update(skin: Float, room new: Float, weight: Float) {
        let old = room ?? new
        let room = old + weight * (new - old)
        self.room = room
        let (bySkin, byRoom) = (min(1, skin / Self.usualSkin), min(1, room / Self.usualRoom))
        let mean = max(bySkin, pow(bySkin, Self.skinShare) * pow(byRoom, 1 - Self.skinShare))
        white = max(Self.least, min(mean, max(bySkin, room + Self.lighter)))
    }

    /// The factor of the sRGB-encoded brightness of paint whose colours were moved towards the skin's.
    /// - Parameters:
    ///   - paint: its own mean lightness, in Oklab.
    ///   - skin: that of the skin, which is in this light already.
    ///   - share: how far the colours were moved, 0…1.
    func factor(paint: Float, skin: Float, share: Float) -> Float {
        let (own, moved) = ((1 - share) * paint, share * skin)
        // Oklab's lightness is the cube root of light; sRGB-encoded values are nearly its 2.2nd root.
        return pow(1 - (1 - white) * own / max(0.001, own + moved), 3 / 2.2)
    }

    /// Of linear light.
    var linear: Float { white * white * white }

    // MARK: Measuring

    /// The memory for measuring, kept from one face to the next.
    struct Memory {
        /// How many samples have which luminance, sRGB-encoded.
        fileprivate var counts = [Int](repeating: 0, count: 64)
    }

    /// The surroundings reach so far beyond the face, in its widths.
    private static let reach: Float = 1
    /// In each direction.
    private static let samples = 32
    /// So many of the surroundings are brighter than their brightest things: lamps and what they glint on.
    private static let lamps = samples * samples / 10

    /// Oklab's lightness of the brightest things around a face and of itself, but not of lamps.
    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`.
    ///   - face: the box around it, pixels.
    static func room(
        _ picture: borrowing PixelBuffer, around face: FaceBox, _ memory: inout Memory
    ) -> Float {
        let margin = reach * face.width
        let area = PixelRectangle(
            covering: FaceBox(
                x: face.x - margin, y: face.y - margin, width: face.width + 2 * margin, height: face.height + 2 * margin
            )
        ).intersection(picture.bounds)
        guard !area.isEmpty else { return 1 }
        for index in memory.counts.indices { memory.counts[index] = 0 }
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
                }
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? count(SIMD4<UInt16>.self, pixels) : count(SIMD4<UInt8>.self, pixels)
        }
        var (level, brighter) = (last, memory.counts[last])
        while level > 0, brighter <= lamps {
            level -= 1
            brighter += memory.counts[level]
        }
        return OklabColor.lab(SIMD3(repeating: Float(level) / Float(last))).x
    }
}
