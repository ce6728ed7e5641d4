/// Where the parts of the editor's window are, in window units.
package struct EditLayout {
    package struct Part {
        package var x: Float
        package var y: Float
        package var width: Float
        package var height: Float
        /// The area inside the padding.
        var innerWidth: Float { max(1, width - 16) }
        var innerHeight: Float { max(1, height - 16) }
    }

    let layers: Part
    package let texture: Part
    package let face: Part

    private static let side: Float = 320
    /// In a small window, its share of the width, and what it needs at least.
    private static let (sideShare, leastSide): (Float, Float) = (0.55, 230)
    /// What texture and face need at least to be side by side, and the height of the texture's controls.
    private static let (leastWidth, controls): (Float, Float) = (250, 150)

    package init(width: Float, height: Float) {
        let side = min(Self.side, max(Self.leastSide, Self.sideShare * width))
        layers = Part(x: 0, y: 0, width: side, height: height)
        let rest = max(120, width - side)
        // The controls below the texture leave it little of a low window.
        let upper = (height < 480 ? 0.55 : 0.45) * height
        let (beside, above) = (min(rest / 2, height - Self.controls), min(rest, upper - Self.controls))
        if rest / 2 < Self.leastWidth || above > beside {
            texture = Part(x: side, y: 0, width: rest, height: upper)
            face = Part(x: side, y: upper, width: rest, height: height - upper)
        } else {
            texture = Part(x: side, y: 0, width: rest / 2, height: height)
            face = Part(x: side + rest / 2, y: 0, width: rest / 2, height: height)
        }
    }

    /// Where the controls of the face are.
    enum Controls: Equatable {
        /// Below its picture; all of them are seen.
        case below
        /// Below its picture; they have this height, and scroll.
        case scrolledBelow(Float)
        /// Beside its picture; they have this width, and scroll.
        case scrolledBeside(Float)
    }

    /// The size of the face's picture, and the place of its controls.
    /// - Parameter height: what the controls would need.
    func faceParts(controls height: Float) -> (width: Float, height: Float, controls: Controls) {
        let (least, wide) = (Float(200), Float(420))
        let (width, all) = (face.innerWidth, face.innerHeight)
        if all - height >= min(least, all / 2) { return (width, all - height, .below) }
        if width >= wide { return (width - 238, all - 12, .scrolledBeside(230)) }
        let low = min(max(140, 0.4 * all), width, all / 2)
        return (width, low, .scrolledBelow(all - low - 12))
    }
}
