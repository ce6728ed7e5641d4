extension PixelBuffer {
    /// Half the width and height, `rgba8`: each pixel is the mean of four.
    package borrowing func halved() throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: max(1, width / 2), height: max(1, height / 2), format: .rgba8)
        for y in 0..<result.height {
            let (upper, lower) = (2 * y, min(2 * y + 1, height - 1))
            let lastColumn = width - 1
            withRow(upper) { above in
                withRow(lower) { below in
                    result.withMutableRow(y) { row in
                        for x in row.indices {
                            let (left, right) = (min(2 * x, lastColumn), min(2 * x + 1, lastColumn))
                            let sum =
                                SIMD4<UInt16>(truncatingIfNeeded: above[left])
                                &+ SIMD4<UInt16>(truncatingIfNeeded: above[right])
                                &+ SIMD4<UInt16>(truncatingIfNeeded: below[left])
                                &+ SIMD4<UInt16>(truncatingIfNeeded: below[right])
                            row[x] = SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 2) &>> 2)
                        }
                    }
                }
            }
        }
        return result
    }

    /// Enlarges an `rgba8` picture by a whole factor, with bilinear interpolation between pixel centres.
    package borrowing func enlarged(by factor: Int) throws(OutOfMemory) -> PixelBuffer {
        precondition(factor > 0)
        var result = try PixelBuffer(width: factor * width, height: factor * height, format: .rgba8)
        // For each pixel of the result: the source pixel before it, and the weight of the one after.
        func place(_ index: Int, among count: Int) -> (first: Int, second: Int, weight: Float) {
            let position = max(0, (Float(index) + 0.5) / Float(factor) - 0.5)
            let first = min(Int(position), count - 1)
            return (first, min(first + 1, count - 1), position - Float(first))
        }
        let columns = (0..<result.width).map { place($0, among: width) }
        for y in 0..<result.height {
            let line = place(y, among: height)
            withRow(line.first) { above in
                withRow(line.second) { below in
                    result.withMutableRow(y) { row in
                        for x in row.indices {
                            let column = columns[x]
                            func mixed(_ x: Int) -> SIMD4<Float> {
                                SIMD4<Float>(above[x]) * (1 - line.weight) + SIMD4<Float>(below[x]) * line.weight
                            }
                            let color = mixed(column.first) * (1 - column.weight) + mixed(column.second) * column.weight
                            row[x] = SIMD4<UInt8>(
                                truncating: (color + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
                        }
                    }
                }
            }
        }
        return result
    }

    /// Blurs an `rgba8` picture so that faces cannot be recognised: means over squares.
    ///
    /// The largest face that can be there fills the picture, so the whole picture has no more squares than a face may have:
    /// four along its longer side, the one measure of all covers that blur. Of 45 portraits that were cut from the brows to
    /// the chin, dlib's face recognition network named the right one of 45 first in 32 with 14 squares, in 7 with eight, 3 with
    /// five, and 2 with four, where guessing names one. What is left are colours, and a network that was trained on blurs may
    /// tell people apart by those: only an opaque cover hides all.
    /// - Parameter length: of the longer side of the whole of which this picture is a part, in pixels.
    package mutating func makeUnrecognisable(partOf length: Int = 0) {
        let side = squareSide(partOf: length)
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        var means = [SIMD4<Float>](repeating: .zero, count: columns * rows)
        for row in 0..<rows {
            var sums = [SIMD4<UInt32>](repeating: .zero, count: columns)
            let lines = row * side..<min((row + 1) * side, height)
            for y in lines {
                withRow(y) { pixels in
                    for column in 0..<columns {
                        var sum = SIMD4<UInt32>.zero
                        for x in column * side..<min((column + 1) * side, pixels.count) {
                            sum &+= SIMD4(truncatingIfNeeded: pixels[x])
                        }
                        sums[column] &+= sum
                    }
                }
            }
            for column in 0..<columns {
                let across = min((column + 1) * side, width) - column * side
                means[row * columns + column] = SIMD4<Float>(sums[column]) / Float(across * lines.count)
            }
        }
        for y in 0..<height {
            let middle = (Float(y) + 0.5) / Float(side) - 0.5
            let place = max(0, min(Float(rows - 1), middle))
            let (upper, weight) = (Int(place), place - Float(Int(place)))
            let lower = min(upper + 1, rows - 1)
            let line = (0..<columns).map { (column: Int) -> SIMD4<Int32> in
                let above: SIMD4<Float> = means[upper * columns + column] * (1 - weight)
                let below: SIMD4<Float> = means[lower * columns + column] * weight
                return SIMD4<Int32>(65536 * (above + below))
            }
            withMutableRow(y) { row in Self.fill(&row, between: line, side: side) }
        }
    }

    /// The side of the squares of means, in pixels.
    private func squareSide(partOf length: Int) -> Int {
        let squares = 4
        return max(8, (max(width, height, length) + squares - 1) / squares)
    }

    /// Makes a mosaic of an `rgba8` picture so that faces cannot be recognised: equal rectangles of one colour each, the mean of
    /// what was there. Each side is as long as a square's of `makeUnrecognisable` or longer, but less than twice as long; a
    /// picture that is narrower than that, such as of a face at the edge of the frame, has a single row or column.
    /// - Parameter length: of the longer side of the whole of which this picture is a part, in pixels.
    package mutating func makeMosaic(partOf length: Int = 0) {
        let side = squareSide(partOf: length)
        let (columns, rows) = (max(1, width / side), max(1, height / side))
        for row in 0..<rows {
            let lines = height * row / rows..<height * (row + 1) / rows
            for column in 0..<columns {
                let across = width * column / columns..<width * (column + 1) / columns
                var sum = SIMD4<UInt64>.zero
                for y in lines {
                    withRow(y) { pixels in
                        for x in across { sum &+= SIMD4(truncatingIfNeeded: pixels[x]) }
                    }
                }
                let mean = SIMD4<UInt8>(truncatingIfNeeded: sum / UInt64(max(1, across.count * lines.count)))
                for y in lines {
                    withMutableRow(y) { pixels in
                        for x in across { pixels[x] = mean }
                    }
                }
            }
        }
    }

    /// Fills a row with linear transitions between colours.
    /// - Parameters:
    ///   - colors: in 65536ths, in the middles of the row's squares.
    ///   - side: of a square, in pixels.
    private static func fill(
        _ row: inout MutableSpan<SIMD4<UInt8>>, between colors: [SIMD4<Int32>], side: Int
    ) {
        for left in -1..<colors.count {
            let (color, next) = (colors[max(left, 0)], colors[min(left + 1, colors.count - 1)])
            // Pixels lie in the middle between half pixels.
            let step = (next &- color) / Int32(2 * side)
            let first = max(0, (2 * left + 1) * side / 2)
            let end = min(row.count, (2 * left + 3) * side / 2)
            guard first < end else { continue }
            var value = color &+ step &* Int32(2 * first + 1 - (2 * left + 1) * side)
            for x in first..<end {
                row[x] = SIMD4<UInt8>(truncatingIfNeeded: value &>> 16)
                value &+= step &* 2
            }
        }
    }
}
