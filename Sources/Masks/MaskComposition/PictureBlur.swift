import FaceGeometry
import Pixels

/// How blurred the picture of a face is: out of focus, moved, compressed or enlarged.
///
/// Where the picture has an edge, it is blurred once more, and the slopes are compared: of an edge of standard deviation σ, a
/// blur of σ₁ makes the slope √(σ² + σ₁²) / σ times as flat (Zhuo and Sim, "Defocus map estimation from a single image",
/// 2011). Here along rows and columns across eyes, brows and nose; only strong edges count, because a face has soft edges of its
/// own.
struct PictureBlur {
    /// The standard deviation of the blur, in pixels; nil: it has not been measured.
    private(set) var deviation: Float?
    private var lastSeconds: Double?

    /// The memory for measuring, kept from one face to the next.
    struct Memory {
        fileprivate var line: [Float] = []
        fileprivate var slopes: [Float] = []
        fileprivate var blurredSlopes: [Float] = []
        fileprivate var edges: [(strength: Float, deviation: Float)] = []
    }

    /// Lines that are read in each direction.
    private static let lines = 48
    /// Edges below this part of the strongest one do not count, nor below that slope per pixel, sRGB-encoded.
    private static let (weakest, faintest): (Float, Float) = (0.4, 0.02)

    /// This share of the edges is sharper than what counts.
    private static let share: Float = 0.4
    /// What is drawn is blurred that much by itself, and sharp pictures by no more, in pixels.
    private static let sharp: Float = 0.75
    /// A mask is not blurred beyond recognition, in face widths.
    private static let most: Float = 0.012
    /// Of props on small faces, edges and details are finer than pixels, whose few samples catch some and miss others: they
    /// are blurred that much in any picture, in pixels. On faces of so many pixels they are not any more.
    private static let (smooth, small, large): (Float, Float, Float) = (0.6, 80, 150)

    /// The standard deviation of the blur that a sharp mask lacks, in pixels.
    /// - Parameters:
    ///   - faceWidth: in pixels.
    ///   - hasProps: whether it has 3-D models.
    func missing(faceWidth: Float, hasProps: Bool) -> Float {
        let share = (Self.large - faceWidth) / (Self.large - Self.small)
        let least = hasProps ? Self.smooth * min(max(share, 0), 1) : 0
        guard let deviation, deviation > Self.sharp else { return least }
        return max(
            least, min(Self.most * faceWidth, (deviation * deviation - Self.sharp * Self.sharp).squareRoot()))
    }

    /// - Parameters:
    ///   - picture: `rgba8` or `rgba16`.
    ///   - area: of the eyes, brows and nose, pixels.
    ///   - seconds: of the picture; nil: a single one, measured without smoothing.
    mutating func measure(
        _ picture: borrowing PixelBuffer, in area: PixelRectangle, at seconds: Double?, _ memory: inout Memory
    ) {
        let elapsed = seconds.flatMap { now in lastSeconds.map { now - $0 } }
        if elapsed == 0, deviation != nil { return }
        let area = area.intersection(picture.bounds)
        guard area.width >= 12, area.height >= 12 else { return }
        memory.edges.removeAll(keepingCapacity: true)
        for index in 0..<min(Self.lines, area.height) {
            let y = area.y + (2 * index + 1) * area.height / (2 * min(Self.lines, area.height))
            Self.read(picture, x: area.x, y: y, dx: 1, dy: 0, count: area.width, &memory)
        }
        for index in 0..<min(Self.lines, area.width) {
            let x = area.x + (2 * index + 1) * area.width / (2 * min(Self.lines, area.width))
            Self.read(picture, x: x, y: area.y, dx: 0, dy: 1, count: area.height, &memory)
        }
        guard let strongest = memory.edges.max(by: { $0.strength < $1.strength })?.strength else { return }
        memory.edges.removeAll { $0.strength < Self.weakest * strongest }
        memory.edges.sort { $0.deviation < $1.deviation }
        let new = memory.edges[Int(Self.share * Float(memory.edges.count))].deviation
        let old = deviation ?? new
        deviation = old + TemporalSmoothing.weight(after: deviation == nil ? nil : elapsed) * (new - old)
        lastSeconds = seconds
    }

    /// Finds the edges of one line.
    private static func read(
        _ picture: borrowing PixelBuffer, x: Int, y: Int, dx: Int, dy: Int, count: Int, _ memory: inout Memory
    ) {
        memory.line.removeAll(keepingCapacity: true)
        let stride = picture.bytesPerRow
        func add<Component: FixedWidthInteger>(_ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer) {
            let scale = 1 / Float(Component.max)
            for step in 0..<count {
                let pixel = pixels.load(
                    fromByteOffset: (y + step * dy) * stride + (x + step * dx) * MemoryLayout<SIMD4<Component>>.size,
                    as: SIMD4<Component>.self)
                memory.line.append(
                    scale * (0.2126 * Float(pixel.x) + 0.7152 * Float(pixel.y) + 0.0722 * Float(pixel.z)))
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? add(SIMD4<UInt16>.self, pixels) : add(SIMD4<UInt8>.self, pixels)
        }
        memory.slopes.removeAll(keepingCapacity: true)
        memory.blurredSlopes.removeAll(keepingCapacity: true)
        // Between neighbours; and of the line blurred with binomial weights, whose variance is 1.
        for index in 0..<count - 1 { memory.slopes.append(memory.line[index + 1] - memory.line[index]) }
        for index in memory.slopes.indices {
            func slope(_ offset: Int) -> Float { memory.slopes[max(0, min(count - 2, index + offset))] }
            memory.blurredSlopes.append((slope(-2) + slope(2) + 4 * (slope(-1) + slope(1)) + 6 * slope(0)) / 16)
        }
        for index in 2..<count - 3 {
            let slope = abs(memory.slopes[index])
            guard slope > faintest, slope >= abs(memory.slopes[index - 1]), slope > abs(memory.slopes[index + 1]) else {
                continue
            }
            let ratio = slope / max(1e-6, abs(memory.blurredSlopes[index]))
            // A difference between neighbours is blurred itself, by 1/12.
            let variance = 1 / max(0.01, ratio * ratio - 1) - 1 / 12
            memory.edges.append((slope, max(0, variance).squareRoot()))
        }
    }
}
