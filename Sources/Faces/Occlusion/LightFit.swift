/// How the light on a face differs from the light it was learnt in: smooth over the face, and of nearly one colour.
package struct LightFit {
    /// For each function of `CanonicalTexels.Texel.lightBasis`, those of the three components of a colour.
    private var coefficients = InlineArray<6, SIMD4<Float>>(repeating: .zero)

    package func value(_ basis: SIMD8<Float>) -> SIMD4<Float> {
        let linear = coefficients[0] * basis[0] + coefficients[1] * basis[1] + coefficients[2] * basis[2]
        return linear + coefficients[3] * basis[3] + coefficients[4] * basis[4] + coefficients[5] * basis[5]
    }

    /// In the middle of the face.
    package var middle: SIMD4<Float> { value(SIMD8(1, 0, 0, 0, 0, 0, 0, 0)) }

    /// The evidence of a texel.
    package struct Sample {
        package let basis: SIMD8<Float>
        /// The colour less the learnt one.
        package let difference: SIMD4<Float>
        /// 1 / variance.
        package let precision: SIMD4<Float>
        /// 0…1.
        package let weight: Float

        package init(
            basis: SIMD8<Float>, difference: SIMD4<Float>, precision: SIMD4<Float>, weight: Float
        ) {
            (self.basis, self.difference, self.precision, self.weight) = (basis, difference, precision, weight)
        }
    }

    /// A robust fit: iteratively reweighted least squares, in which texels that differ have little say.
    /// - Parameters:
    ///   - start: where to begin; nil: all texels count alike at first.
    package static func fit(_ samples: [Sample], start: LightFit?, iterations: Int) -> LightFit {
        var fit = start ?? LightFit()
        for iteration in 0..<iterations {
            var sums = NormalEquations()
            for sample in samples {
                var weight = sample.weight
                if start != nil || iteration > 0 {
                    let rest = sample.difference - fit.value(sample.basis)
                    let doubt = 1 + (rest * rest * sample.precision).sum() / 4
                    weight /= doubt * doubt
                }
                sums.add(sample, weight: weight)
            }
            fit = sums.solved()
        }
        return fit
    }

    /// The share of the weight on texels that agree, 0…1.
    package func agreement(_ samples: [Sample]) -> Float {
        var (agreeing, all) = (Float(0), Float(0))
        for sample in samples {
            let rest = sample.difference - value(sample.basis)
            all += sample.weight
            if (rest * rest * sample.precision).sum() < 3 { agreeing += sample.weight }
        }
        return agreeing / max(all, 1e-6)
    }
}

/// For the luminance six equations, with the right side in the last lane but one; for each of the two ratios of colours the
/// first three, with the right side in the last lane: light of several colours is hardly ever curved.
private struct NormalEquations {
    private var luminance = InlineArray<6, SIMD8<Float>>(repeating: .zero)
    private var (red, blue) = (
        InlineArray<3, SIMD4<Float>>(repeating: .zero), InlineArray<3, SIMD4<Float>>(repeating: .zero)
    )

    /// In shares of the weight: curved light is rare, light of several colours is rarer.
    private static let (ofLuminance, ofRatios) = (
        SIMD8<Float>(1e-6, 0.01, 0.01, 0.1, 0.1, 0.1, 0, 0), SIMD4<Float>(1e-6, 0.5, 0.5, 0)
    )

    @inline(__always)
    mutating func add(_ sample: LightFit.Sample, weight: Float) {
        var basis = sample.basis
        let precision = weight * sample.precision
        basis[6] = sample.difference.x
        let scaled = precision.x * basis
        for row in 0..<6 { luminance[row] += scaled[row] * basis }
        var linear = SIMD4(basis[0], basis[1], basis[2], sample.difference.y)
        let forRed = precision.y * linear
        for row in 0..<3 { red[row] += forRed[row] * linear }
        linear.w = sample.difference.z
        let forBlue = precision.z * linear
        for row in 0..<3 { blue[row] += forBlue[row] * linear }
    }

    func solved() -> LightFit {
        var fit = LightFit()
        fit.set(solvedLuminance(), Self.solved(red), Self.solved(blue))
        return fit
    }

    private func solvedLuminance() -> SIMD8<Float> {
        var rows = luminance
        let weight = rows[0][0]
        guard weight > 0 else { return .zero }
        for row in 0..<6 { rows[row][row] += Self.ofLuminance[row] * weight }
        // Positive definite, so no pivoting is needed.
        for pivot in 0..<6 {
            rows[pivot] /= max(rows[pivot][pivot], 1e-12)
            for row in 0..<6 where row != pivot { rows[row] -= rows[row][pivot] * rows[pivot] }
        }
        return SIMD8(rows[0][6], rows[1][6], rows[2][6], rows[3][6], rows[4][6], rows[5][6], 0, 0)
    }

    private static func solved(_ equations: InlineArray<3, SIMD4<Float>>) -> SIMD4<Float> {
        var rows = equations
        let weight = rows[0][0]
        guard weight > 0 else { return .zero }
        for row in 0..<3 { rows[row][row] += ofRatios[row] * weight }
        for pivot in 0..<3 {
            rows[pivot] /= max(rows[pivot][pivot], 1e-12)
            for row in 0..<3 where row != pivot { rows[row] -= rows[row][pivot] * rows[pivot] }
        }
        return SIMD4(rows[0].w, rows[1].w, rows[2].w, 0)
    }
}

extension LightFit {
    fileprivate mutating func set(_ luminance: SIMD8<Float>, _ red: SIMD4<Float>, _ blue: SIMD4<Float>) {
        for index in 0..<6 {
            coefficients[index] = SIMD4(luminance[index], index < 3 ? red[index] : 0, index < 3 ? blue[index] : 0, 0)
        }
    }
}
