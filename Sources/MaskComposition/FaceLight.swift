import FaceGeometry
import Pixels

/// The light on a face: shading and colours of its skin, measured in the picture and smoothed over time.
///
/// The shading is a coarse map in canonical UV: the brightness of the skin divided by its mean, without details finer
/// than a tenth of the face.
package struct FaceLight: Sendable {
    /// Cells per side of the map.
    static let side = 32
    /// sRGB-encoded brightness divided by the mean, at the centres of the cells.
    package private(set) var shading = CoarseMap(width: side, height: side, filledWith: 1)
    /// Nil until the skin has been measured.
    package private(set) var skin: ColorStatistics?
    /// Of the skin, sRGB-encoded, 0…1.
    package private(set) var meanLuminance: Float = 0.5
    private var lastSeconds: Double?

    /// The time constant of smoothing, in seconds.
    private static let timeConstant = 0.8
    /// After a longer gap, in seconds, smoothing starts again.
    private static let longestGap = 0.5

    package init() {}

    /// Measures the face in a picture; without enough visible skin nothing changes.
    /// - Parameters:
    ///   - vertices: of the plain mesh in the picture, pixels.
    ///   - seconds: time of the picture; nil: a single picture, measured without smoothing.
    mutating func measure(
        _ picture: borrowing PixelBuffer, vertices: [Point], samples: SkinSamples, at seconds: Double?
    ) {
        let elapsed = seconds.flatMap { now in lastSeconds.map { now - $0 } }
        if let elapsed, elapsed == 0, skin != nil { return }
        let (sums, counts) = Self.cellSums(picture, vertices: vertices, samples: samples)
        var luminance = [Float](repeating: 0, count: sums.count)
        var total: (sum: Float, count: Float) = (0, 0)
        var means: [SIMD3<Float>] = []
        means.reserveCapacity(sums.count)
        for index in sums.indices where counts[index] > 0 {
            let mean = sums[index] / counts[index]
            luminance[index] = (SIMD3<Float>(0.2126, 0.7152, 0.0722) * mean).sum()
            total = (total.sum + luminance[index], total.count + 1)
            means.append(mean)
        }
        guard total.count > 20, let colors = ColorStatistics(OklabColor.labs(means)) else { return }
        let mean = max(0.02, total.sum / total.count)
        let map = samples.smoothed(
            luminance.indices.map { counts[$0] > 0 ? min(1.7, max(0.35, luminance[$0] / mean)) : -1 })
        var weight: Float = 1
        if skin != nil, let elapsed, elapsed > 0, elapsed < Self.longestGap {
            weight = Float(elapsed / (Self.timeConstant + elapsed))
        }
        for index in map.indices { shading.values[index] += weight * (map[index] - shading.values[index]) }
        meanLuminance += weight * (mean - meanLuminance)
        if weight < 1, skin != nil { skin?.approach(colors, by: weight) } else { skin = colors }
        lastSeconds = seconds
    }

    /// The sum of the sampled colours (0…1, sRGB-encoded) and the number of samples in each cell.
    private static func cellSums(
        _ picture: borrowing PixelBuffer, vertices: [Point], samples: SkinSamples
    ) -> (sums: [SIMD3<Float>], counts: [Float]) {
        precondition(picture.format != .grey8)
        var sums = [SIMD3<Float>](repeating: .zero, count: side * side)
        var counts = [Float](repeating: 0, count: side * side)
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let size = Point(Float(width), Float(height))
        func add<Component: FixedWidthInteger>(_ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer) {
            let scale = 1 / Float(Component.max)
            sums.withUnsafeMutableBufferPointer { sums in
                counts.withUnsafeMutableBufferPointer { counts in
                    for sample in samples.all {
                        let place = sample.position(vertices)
                        guard place.x >= 0, place.y >= 0, place.x < size.x, place.y < size.y else { continue }
                        let offset = Int(place.y) * stride + Int(place.x) * MemoryLayout<SIMD4<Component>>.size
                        let pixel = pixels.load(fromByteOffset: offset, as: SIMD4<Component>.self)
                        sums[sample.cell] += scale * SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
                        counts[sample.cell] += 1
                    }
                }
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? add(SIMD4<UInt16>.self, pixels) : add(SIMD4<UInt8>.self, pixels)
        }
        return (sums, counts)
    }

    /// The vertices' light as `LayerGeometry.light` holds it.
    /// - Parameters:
    ///   - canonicalUV: of the vertices.
    ///   - weight: of the shading, 0…1.
    func vertexLight(at canonicalUV: [Point], weight: Float) -> [Point] {
        canonicalUV.map { place in
            let brightness = shading.value(at: Float(Self.side) * place)
            return Point(1 + weight * (brightness - 1), brightness)
        }
    }
}
