import Pixels

/// The coarse look of a picture: the local contrast of its brightness in 32 × 18 cells. Light that becomes brighter
/// or darker everywhere changes it only by a factor.
package struct SceneSignature: Sendable {
    private static let (width, height) = (32, 18)
    private typealias Cells = InlineArray<576, Float>

    /// The brightness of each cell, less the mean of the cells around it, in grey values; row by row.
    private var cells: Cells
    /// The root mean square of `cells`, in grey values.
    package let contrast: Float
    /// The mean of each of 4 × 2 parts of the picture, in grey values; row by row.
    private let brightness: SIMD8<Float>

    /// A picture with less contrast shows nothing that could be compared: it is black, white, or fog.
    private static let leastContrast: Float = 0.35
    /// A nearer match without a shift is not worth a search.
    private static let near: Float = 0.08
    /// How far a picture is shifted at most to be compared with another, in cells: a quarter of the width or height.
    private static let reach = (across: 8, down: 4)
    /// The part of the contrast that must be in the common part of two shifted pictures.
    private static let commonContrast: Float = 0.5

    /// - Parameter picture: grey or RGBA with 8 bits.
    package init(_ picture: borrowing PixelBuffer) {
        let grey = Self.brightness(of: picture)
        let mean = Self.mean(of: grey)
        var sums = SIMD8<Float>.zero
        for index in grey.indices {
            let (column, row) = (index % Self.width, index / Self.width)
            sums[4 * (2 * row / Self.height) + 4 * column / Self.width] += grey[index]
        }
        brightness = sums * 8 / Float(grey.count)
        var (square, values) = (Float(0), Cells(repeating: 0))
        for index in values.indices {
            let value = grey[index] - mean[index]
            square += value * value
            values[index] = value
        }
        cells = values
        contrast = (square / Float(grey.count)).squareRoot()
    }

    /// Whether the picture is brighter than another one by about as much as a flash makes it: everywhere. Another scene is
    /// hardly ever brighter in every part, and then it has other contents. A flash leaves the contents, unless it makes all
    /// of the picture white.
    package func isFlash(after other: SceneSignature) -> Bool {
        let (more, rise) = (Self.flash, brightness - other.brightness)
        // White does not become brighter.
        let isBrighter = (rise .>= more.everywhere) .| (brightness .>= more.white)
        guard isBrighter == SIMDMask(repeating: true), rise.sum() >= 8 * more.onAverage else { return false }
        let isWhite = brightness.sum() >= 8 * more.whiteOnAverage
        return isWhite || distance(to: other).map { $0 < more.other } ?? true
    }

    /// In grey values; `other` is a distance.
    private static let flash: (everywhere: Float, onAverage: Float, white: Float, whiteOnAverage: Float, other: Float) =
        (
            5, 15, 245, 225, 0.6
        )

    package var showsSomething: Bool { contrast >= Self.leastContrast }

    /// How little of one picture is in the other: 0 for the same, about 1 for two that have nothing in common, whatever their
    /// brightness, and wherever the camera points after a turn by less than a quarter of the picture. Nil if one of them
    /// shows nothing.
    package func distance(to other: SceneSignature) -> Float? {
        guard showsSomething, other.showsSomething else { return nil }
        var best = correlation(with: other, across: 0, down: 0)
        if 1 - best < Self.near { return max(0, 1 - best) }
        // Correlation changes little from cell to cell: every other shift, then those beside the best one.
        var place = (across: 0, down: 0)
        for down in stride(from: -Self.reach.down, through: Self.reach.down, by: 2) {
            for across in stride(from: -Self.reach.across, through: Self.reach.across, by: 2) {
                let found = correlation(with: other, across: across, down: down)
                if found > best { (best, place) = (found, (across, down)) }
            }
        }
        for down in place.down - 1...place.down + 1 {
            for across in place.across - 1...place.across + 1 {
                best = max(best, correlation(with: other, across: across, down: down))
            }
        }
        return max(0, 1 - best)
    }

    /// Whether the picture mixes two others: a converter of frame rates blends them, and the two fields of an interlaced
    /// picture may be of different scenes. A quick movement is no mixture: each place shows what was there before or what
    /// comes. A slow one may be.
    package func isMixture(of earlier: SceneSignature, and later: SceneSignature) -> Bool {
        var (product, square, rest) = (Float(0), Float(0), Float(0))
        for index in cells.indices {
            let (change, whole) = (cells[index] - earlier.cells[index], later.cells[index] - earlier.cells[index])
            product += change * whole
            square += whole * whole
        }
        guard square > 0 else { return false }
        let share = product / square
        for index in cells.indices {
            let (change, whole) = (cells[index] - earlier.cells[index], later.cells[index] - earlier.cells[index])
            rest += (change - share * whole) * (change - share * whole)
        }
        // If each cell were of one scene or the other, the rest would be share · (1 - share).
        return (0.1...0.9).contains(share) && rest < 0.06 * square
    }

    /// The normalised correlation of the part that both show if the other one is shifted; -1 if that part shows too little.
    private func correlation(with other: SceneSignature, across: Int, down: Int) -> Float {
        var (product, square, otherSquare) = (Float(0), Float(0), Float(0))
        let columns = max(0, across)..<Self.width + min(0, across)
        for row in max(0, down)..<Self.height + min(0, down) {
            for column in columns {
                let value = cells[row * Self.width + column]
                let otherValue = other.cells[(row - down) * Self.width + column - across]
                product += value * otherValue
                square += value * value
                otherSquare += otherValue * otherValue
            }
        }
        let count = Float(columns.count * (Self.height - abs(down)))
        guard square >= count * (Self.commonContrast * contrast) * (Self.commonContrast * contrast),
            otherSquare >= count * (Self.commonContrast * other.contrast) * (Self.commonContrast * other.contrast)
        else { return -1 }
        return product / (square * otherSquare).squareRoot()
    }

    // MARK: Reduction

    /// The mean of samples on a grid in each cell, at most 8 × 8 of them: noise averages out.
    private static func brightness(of picture: borrowing PixelBuffer) -> Cells {
        let (pictureWidth, pictureHeight, bytesPerRow) = (picture.width, picture.height, picture.bytesPerRow)
        let channels = picture.format.bytesPerPixel
        let samples = (
            across: max(1, min(8, pictureWidth / width)), down: max(1, min(8, pictureHeight / height))
        )
        var columns = InlineArray<256, Int>(repeating: 0)
        for column in 0..<width * samples.across {
            columns[column] = (2 * column + 1) * pictureWidth / (2 * width * samples.across) * channels
        }
        return picture.withUnsafeBytes { bytes in
            var cells = Cells(repeating: 0)
            let columns = columns.span
            for index in cells.indices {
                let first = index % width * samples.across
                var sum = 0
                for sampleRow in 0..<samples.down {
                    let row: Int = (index / width) * samples.down + sampleRow
                    let y: Int = (2 * row + 1) * pictureHeight / (2 * height * samples.down)
                    for column in first..<first + samples.across {
                        let place = y * bytesPerRow + columns[column]
                        sum +=
                            channels == 1
                            ? 4 * Int(bytes[place])
                            : Int(bytes[place]) + 2 * Int(bytes[place + 1]) + Int(bytes[place + 2])
                    }
                }
                cells[index] = Float(sum) / Float(4 * samples.across * samples.down)
            }
            return cells
        }
    }

    /// The mean of 9 × 9 cells around each one; cells at the edge stand for those beyond it.
    private static func mean(of cells: Cells) -> Cells {
        let radius = 4
        // As spans, because an array that is passed on is copied for each of its cells.
        func mean(_ cells: Span<Float>, _ index: Int, step: Int, place: Int, count: Int) -> Float {
            var sum: Float = 0
            for offset in -radius...radius {
                sum += cells[index + (max(0, min(count - 1, place + offset)) - place) * step]
            }
            return sum / Float(2 * radius + 1)
        }
        var (rows, result) = (Cells(repeating: 0), Cells(repeating: 0))
        for index in rows.indices {
            rows[index] = mean(cells.span, index, step: 1, place: index % width, count: width)
        }
        for index in result.indices {
            result[index] = mean(rows.span, index, step: width, place: index / width, count: height)
        }
        return result
    }
}
