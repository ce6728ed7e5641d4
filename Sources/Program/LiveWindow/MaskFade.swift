import Masks

/// Fades from one mask over to another. The new mask appears over the old one, and only then the old one disappears, so
/// that no unmasked face shines through where both cover it.
package struct MaskFade {
    package static let defaultSeconds = 0.3

    private let old: Mask
    private let new: Mask
    private let start: ContinuousClock.Instant
    private let seconds: Double

    /// - Returns: nil if there is no time for it.
    package init?(from old: Mask, to new: Mask, seconds: Double, at start: ContinuousClock.Instant = .now) {
        guard seconds > 0 else { return nil }
        (self.old, self.new, self.start, self.seconds) = (old, new, start, seconds)
    }

    /// Layers that take back what the old mask deforms: it would also move the new one.
    private var restoring: [Layer] {
        old.layers.compactMap { layer in
            guard case .deform(var deformation) = layer.content else { return nil }
            deformation.isTakenBack.toggle()
            var layer = layer
            layer.content = .deform(deformation)
            return layer
        }
    }

    /// 0 at the start, 1 at the end or later.
    package func progress(at time: ContinuousClock.Instant) -> Double {
        max(0, min(1, (time - start) / .seconds(seconds)))
    }

    /// Both masks as one.
    /// - Parameter progress: 0 to 1.
    package func mask(at progress: Double) -> Mask {
        let appearing = progress < 0.5 ? new.faded(to: Float(2 * progress)) : new
        let disappearing = progress < 0.5 ? old : old.faded(to: Float(2 - 2 * progress))
        return Mask(
            name: new.name, author: new.author, license: new.license,
            layers: disappearing.layers + restoring + appearing.layers, background: new.background,
            occluders: new.occluders, folder: new.folder)
    }
}
