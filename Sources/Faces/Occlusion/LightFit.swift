/// How the light on a face differs from the light it was learnt in: smooth over the face, and of nearly one colour.
package struct LightFit {
    /// For each of the three components of a colour, the coefficients of `CanonicalTexels.Texel.lightBasis`.
    private var coefficients = InlineArray<3, SIMD8<Float>>(repeating: .zero)

    package func value(_ basis: SIMD8<Float>) -> SIMD4<Float> {
        SIMD4((coefficients[0] * basis).sum(), (coefficients[1] * basis).sum(), (coefficients[2] * basis).sum(), 0)
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

/// Six equations for each component of a colour, with the right side in the last lane but one.
private struct NormalEquations {
    private var components = InlineArray<3, InlineArray<6, SIMD8<Float>>>(repeating: .init(repeating: .zero))

    /// In shares of the weight: curved light is rare, light of several colours is rarer.
    private static let regularisation = [
        SIMD8<Float>(1e-6, 0.01, 0.01, 0.1, 0.1, 0.1, 0, 0), SIMD8<Float>(1e-6, 0.5, 0.5, 1e3, 1e3, 1e3, 0, 0),
        SIMD8<Float>(1e-6, 0.5, 0.5, 1e3, 1e3, 1e3, 0, 0),
    ]

    mutating func add(_ sample: LightFit.Sample, weight: Float) {
        var basis = sample.basis
        for component in 0..<3 {
            basis[6] = sample.difference[component]
            let scaled = weight * sample.precision[component] * basis
            for row in 0..<6 { components[component][row] += scaled[row] * basis }
        }
    }

    func solved() -> LightFit {
        var fit = LightFit()
        for component in 0..<3 { fit.set(component, solved(component)) }
        return fit
    }

    private func solved(_ component: Int) -> SIMD8<Float> {
        var rows = components[component]
        let weight = rows[0][0]
        guard weight > 0 else { return .zero }
        for row in 0..<6 { rows[row][row] += Self.regularisation[component][row] * weight }
        // Positive definite, so no pivoting is needed.
        for pivot in 0..<6 {
            rows[pivot] /= max(rows[pivot][pivot], 1e-12)
            for row in 0..<6 where row != pivot { rows[row] -= rows[row][pivot] * rows[pivot] }
        }
        return SIMD8(rows[0][6], rows[1][6], rows[2][6], rows[3][6], rows[4][6], rows[5][6], 0, 0)
    }
}

extension LightFit {
    fileprivate mutating func set(_ component: Int, _ values: SIMD8<Float>) { coefficients[component] = values }
}
