import FaceGeometry
import Masks
import Pixels

/// The colours of a face on a grid over the reference face, and what its make-up derives from them. A class, so that its
/// memory is kept from picture to picture.
final class FaceColors {
    private enum Constant {
        /// Of the guided filter: its reach in texels, and the square of the contrast that it keeps, sRGB-encoded.
        static let reach = 5
        static let edge: Float = 0.045 * 0.045
        /// Most is changed by this, sRGB-encoded.
        static let most: Float = 0.12
    }

    private let grid: FaceTexels
    /// Red, green, blue: of each texel of the grid, sRGB-encoded, as wide an average as a texel; 0 where nothing is known.
    private var planes: [CoarseMap]
    /// 1 where a colour is known.
    private var known: CoarseMap
    /// What the filter adds to them.
    private var changes: [CoarseMap] = []
    private var areChangesCurrent = false
    /// Of the filter, kept from picture to picture: the share of known texels, the constant and the linear part.
    private var (share, mean, slope): (CoarseMap, CoarseMap, CoarseMap)
    private var blurring = CoarseMap.Memory()
    private var labs: [SIMD3<Float>] = []

    /// Of a layer of make-up, by its number.
    private struct Region {
        var colors: ColorStatistics
        var table: ColorTable
        var seconds: Double?
        /// What the table was made for: another mask's layers have the same numbers.
        var makeup: Makeup
        var haze: Haze
        var coverage: [Float]
    }
    private var regions: [Int: Region] = [:]
    private var maps: [Int: RetouchMap] = [:]

    init(_ grid: FaceTexels) {
        self.grid = grid
        let empty = CoarseMap(width: grid.width, height: grid.height, filledWith: 0)
        planes = [empty, empty, empty]
        known = empty
        (share, mean, slope) = (empty, empty, empty)
    }

    // MARK: Reading

    /// - Parameter vertices: of the plain mesh in the picture, pixels.
    func read(_ picture: borrowing PixelBuffer, vertices: [Point]) {
        areChangesCurrent = false
        // How many pixels a texel is wide, on average.
        let box = FaceBox(around: vertices)
        let side = (box.width * box.height / (grid.size.x * grid.size.y)).squareRoot() * grid.spacing
        guard side.isFinite else {
            for index in known.values.indices { known.values[index] = 0 }
            return
        }
        let steps = Int(max(1, min(4, side.rounded(.up))))
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        func read<Component: FixedWidthInteger>(_ format: SIMD4<Component>.Type, _ pixels: UnsafeRawBufferPointer) {
            let scale = 1 / (Float(Component.max) * Float(steps * steps))
            for texel in grid.texels {
                let triangle = texel.triangle
                let center =
                    texel.weights.x * vertices[triangle.a] + texel.weights.y * vertices[triangle.b]
                    + texel.weights.z * vertices[triangle.c]
                guard center.x >= 0, center.y >= 0, center.x < Float(width), center.y < Float(height) else {
                    for plane in 0..<3 { planes[plane].values[texel.index] = 0 }
                    known.values[texel.index] = 0
                    continue
                }
                var sum = SIMD3<Float>.zero
                let first = center - side * (0.5 - 0.5 / Float(steps))
                for row in 0..<steps {
                    let y = max(0, min(height - 1, Int(first.y + side * Float(row) / Float(steps))))
                    for column in 0..<steps {
                        let x = max(0, min(width - 1, Int(first.x + side * Float(column) / Float(steps))))
                        let pixel = pixels.load(
                            fromByteOffset: y * stride + x * MemoryLayout<SIMD4<Component>>.size,
                            as: SIMD4<Component>.self)
                        sum += SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
                    }
                }
                for plane in 0..<3 { planes[plane].values[texel.index] = scale * sum[plane] }
                known.values[texel.index] = 1
            }
        }
        picture.withUnsafeBytes { pixels in
            picture.format == .rgba16 ? read(SIMD4<UInt16>.self, pixels) : read(SIMD4<UInt8>.self, pixels)
        }
    }

    // MARK: Colours

    /// The table that maps the colours of a region of the face to those under make-up. Nil where the region is not seen.
    /// - Parameters:
    ///   - layer: its number.
    ///   - coverage: of the layer, for each texel of the grid on the face.
    ///   - skin: of the whole face.
    ///   - haze: that lies over it.
    ///   - seconds: of the picture; nil: a single one.
    func table(
        _ makeup: Makeup, layer: Int, coverage: [Float], skin: ColorStatistics, haze: Haze, at seconds: Double?
    ) -> ColorTable? {
        let known = regions[layer].flatMap { $0.makeup == makeup && $0.coverage == coverage ? $0 : nil }
        guard var colors = colors(where: coverage) else { return known?.table }
        let weight = TemporalSmoothing.weight(after: seconds.flatMap { now in known?.seconds.map { now - $0 } })
        if var region = known, weight < 1 {
            region.colors.approach(colors, by: weight)
            region.seconds = seconds
            colors = region.colors
            let isNear =
                region.table.from.isNear(colors, 0.006) && region.table.to.isNear(skin, 0.006)
                && region.haze.isNear(haze, 0.01)
            if isNear {
                regions[layer] = region
                return region.table
            }
        }
        let table = ColorTable(makeup, on: colors, skin: skin, haze: haze)
        regions[layer] = Region(
            colors: colors, table: table, seconds: seconds, makeup: makeup, haze: haze, coverage: coverage)
        return table
    }

    private func colors(where coverage: [Float]) -> ColorStatistics? {
        labs.removeAll(keepingCapacity: true)
        for (texel, weight) in zip(grid.texels, coverage) where weight > 0.3 && known.values[texel.index] > 0 {
            labs.append(
                SIMD3(planes[0].values[texel.index], planes[1].values[texel.index], planes[2].values[texel.index]))
        }
        guard labs.count >= 4 else { return nil }
        OklabColor.convertToLab(&labs)
        return ColorStatistics(labs)
    }

    // MARK: Smoothing

    /// Nil without memory.
    /// - Parameters: as above.
    func map(_ makeup: Makeup, layer: Int, coverage: [Float]) -> RetouchMap? {
        if !areChangesCurrent { smooth() }
        let map: RetouchMap
        if let known = maps[layer] {
            map = known
        } else {
            guard let new = try? RetouchMap(width: grid.width, height: grid.height) else { return nil }
            new.fill { _ in .zero }
            maps[layer] = new
            map = new
        }
        // Of the texels outside of the face, nothing changes.
        var next = 0
        map.fill { index in
            guard next < grid.texels.count, grid.texels[next].index == index else { return .zero }
            let weight = makeup.smoothing * coverage[next]
            next += 1
            return weight * SIMD3(changes[0].values[index], changes[1].values[index], changes[2].values[index])
        }
        return map
    }

    /// A guided filter that is its own guide, component by component (He, Sun and Tang, "Guided Image Filtering", 2013):
    /// patches of small contrast become their mean, edges stay. What is finer than a texel, such as pores, is not touched,
    /// because only the difference between a texel and its filtered value is added to the picture.
    private func smooth() {
        areChangesCurrent = true
        if changes.isEmpty { changes = planes }
        share.overwrite(with: known)
        share.blur(reach: Constant.reach, times: 1, &blurring)
        for plane in planes.indices {
            mean.overwrite(with: planes[plane])
            for index in slope.values.indices {
                slope.values[index] = planes[plane].values[index] * planes[plane].values[index]
            }
            mean.blur(reach: Constant.reach, times: 1, &blurring)
            slope.blur(reach: Constant.reach, times: 1, &blurring)
            for index in slope.values.indices {
                let divisor = max(share.values[index], 1e-3)
                let average = mean.values[index] / divisor
                let variance = max(0, slope.values[index] / divisor - average * average)
                let kept = variance / (variance + Constant.edge)
                slope.values[index] = kept * known.values[index]
                mean.values[index] = (1 - kept) * average * known.values[index]
            }
            mean.blur(reach: Constant.reach, times: 1, &blurring)
            slope.blur(reach: Constant.reach, times: 1, &blurring)
            for index in slope.values.indices {
                let value = planes[plane].values[index]
                let filtered =
                    (slope.values[index] * value + mean.values[index]) / max(share.values[index], 1e-3)
                changes[plane].values[index] = max(-Constant.most, min(Constant.most, filtered - value))
            }
        }
    }
}

extension CoarseMap {
    /// Takes over the values of a map of the same size, in its own memory.
    mutating func overwrite(with other: CoarseMap) {
        for index in values.indices { values[index] = other.values[index] }
    }
}
