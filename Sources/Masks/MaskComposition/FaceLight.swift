import FaceGeometry
import Occlusion
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
    /// Of the skin below the brows: the part of a face that can be swapped. Nil as long as `skin` is, or if all is covered.
    package private(set) var middle: ColorStatistics?
    /// Of the skin, sRGB-encoded, 0…1.
    package private(set) var meanLuminance: Float = 0.5
    /// How bright the light is.
    private(set) var exposure = Exposure()
    /// How much of it is added between the face and the camera.
    private(set) var haze = Haze.none
    /// The mean of `shading` below the brows.
    private var middleShading: Float = 1
    private var lastSeconds: Double?

    /// Limits of the ratio between the light on two faces: beyond them, hair or a shadow was taken for skin.
    private static let limits: (least: Float, most: Float) = (0.65, 1.35)

    package init() {}

    /// Measures the face in a picture; without enough visible skin nothing changes.
    /// - Parameters:
    ///   - vertices: of the plain mesh in the picture, pixels.
    ///   - matte: the occluders of the face, which are not measured; nil: the whole face is.
    ///   - seconds: time of the picture; nil: a single picture, measured without smoothing.
    ///   - memory: is kept from one measurement to the next.
    mutating func measure(
        _ picture: borrowing PixelBuffer, vertices: [Point], samples: SkinSamples, except matte: OcclusionMatte? = nil,
        at seconds: Double?, _ memory: inout Memory
    ) {
        let elapsed = seconds.flatMap { now in lastSeconds.map { now - $0 } }
        if let elapsed, elapsed == 0, skin != nil { return }
        Self.sum(picture, vertices: vertices, samples: samples, except: matte, &memory)
        var total: (sum: Float, count: Float) = (0, 0)
        memory.values.removeAll(keepingCapacity: true)
        memory.colors.removeAll(keepingCapacity: true)
        var firstOfMiddle = 0
        for index in memory.sums.indices {
            if index == samples.firstCellOfMiddle { firstOfMiddle = memory.colors.count }
            guard memory.counts[index] > 0 else {
                memory.values.append(-1)
                continue
            }
            let mean = memory.sums[index] / memory.counts[index]
            let luminance = (SIMD3<Float>(0.2126, 0.7152, 0.0722) * mean).sum()
            total = (total.sum + luminance, total.count + 1)
            memory.values.append(luminance)
            memory.colors.append(mean)
        }
        OklabColor.convertToLab(&memory.colors)
        guard total.count > 20, let colors = ColorStatistics(memory.colors) else { return }
        let mean = max(0.02, total.sum / total.count)
        for index in memory.values.indices where memory.counts[index] > 0 {
            memory.values[index] = min(1.7, max(0.35, memory.values[index] / mean))
        }
        samples.smooth(memory.values, &memory.smoothing)
        let weight = TemporalSmoothing.weight(after: skin == nil ? nil : elapsed)
        for index in shading.values.indices {
            shading.values[index] += weight * (memory.smoothing.values[index] - shading.values[index])
        }
        meanLuminance += weight * (mean - meanLuminance)
        if weight < 1, skin != nil { skin?.approach(colors, by: weight) } else { skin = colors }
        if let colors = ColorStatistics(memory.colors[firstOfMiddle...]) {
            if weight < 1, middle != nil { middle?.approach(colors, by: weight) } else { middle = colors }
        }
        middleShading = samples.meanOfMiddle(shading)
        if let tones = RoomTones(picture, around: FaceBox(around: vertices), &memory.tones) {
            exposure.update(skin: skin?.mean.x ?? colors.mean.x, room: tones.brightest, weight: weight)
            haze.approach(Haze(tones), by: weight)
        }
        lastSeconds = seconds
    }

    /// The memory for measuring, kept from one face to the next.
    struct Memory {
        /// The sum of the sampled colours (0…1, sRGB-encoded) and the number of samples in each cell.
        fileprivate var sums: [SIMD3<Float>] = []
        fileprivate var counts: [Float] = []
        /// Of each cell: the luminance, then divided by its mean; −1 where nothing was sampled.
        fileprivate var values: [Float] = []
        /// Of the cells with samples.
        fileprivate var colors: [SIMD3<Float>] = []
        fileprivate var smoothing = SkinSamples.Memory()
        fileprivate var tones = RoomTones.Memory()
    }

    /// A sample that an occluder covers more than this is not skin.
    private static let covered: Float = 0.1

    private static func sum(
        _ picture: borrowing PixelBuffer, vertices: [Point], samples: SkinSamples, except matte: OcclusionMatte?,
        _ memory: inout Memory
    ) {
        precondition(picture.format != .grey8)
        memory.sums.removeAll(keepingCapacity: true)
        memory.counts.removeAll(keepingCapacity: true)
        for _ in 0..<side * side {
            memory.sums.append(.zero)
            memory.counts.append(0)
        }
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let size = Point(Float(width), Float(height))
        func add<Component: FixedWidthInteger>(_ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer) {
            let scale = 1 / Float(Component.max)
            memory.sums.withUnsafeMutableBufferPointer { sums in
                memory.counts.withUnsafeMutableBufferPointer { counts in
                    for sample in samples.all {
                        let place = sample.position(vertices)
                        guard place.x >= 0, place.y >= 0, place.x < size.x, place.y < size.y else { continue }
                        if let matte, matte.value(at: place) > covered { continue }
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
    }

    /// The vertices' light as `LayerGeometry.light` holds it.
    /// - Parameters:
    ///   - canonicalUV: of the vertices.
    ///   - weight: of the shading, 0…1.
    ///   - exposure: the factor of all brightness.
    ///   - giver: the light that the layer's picture was taken in: it is taken out; nil: none is in it.
    ///   - isMirrored: whether the giver's picture is.
    ///   - light: gets the light; empty before.
    func vertexLight(
        at canonicalUV: [Point], weight: Float, exposure: Float = 1, inPlaceOf giver: FaceLight? = nil,
        isMirrored: Bool = false,
        into light: inout [Point]
    ) {
        for place in canonicalUV {
            let cell = Float(Self.side) * place
            let brightness = shading.value(at: cell)
            var factor = brightness
            if let giver {
                let other =
                    giver.shading.value(at: isMirrored ? Point(Float(Self.side) - cell.x, cell.y) : cell)
                    / giver.middleShading
                factor = min(Self.limits.most, max(Self.limits.least, brightness / middleShading / other))
            }
            light.append(Point(exposure * (1 + weight * (factor - 1)), brightness))
        }
    }
}
