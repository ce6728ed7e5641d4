/// Where the parts of the editor's window are, in window units.
struct EditLayout {
    struct Part {
        var x: Float
        var y: Float
        var width: Float
        var height: Float
        /// The area inside the padding.
        var innerWidth: Float { max(1, width - 16) }
        var innerHeight: Float { max(1, height - 16) }
    }

    let layers: Part
    let texture: Part
    let face: Part

    private static let side: Float = 320
    /// In narrower windows, texture and face are above each other instead of side by side.
    private static let narrow: Float = 920

    init(width: Float, height: Float) {
        layers = Part(x: 0, y: 0, width: Self.side, height: height)
        let rest = max(120, width - Self.side)
        if width < Self.narrow {
            let upper = 0.45 * height
            texture = Part(x: Self.side, y: 0, width: rest, height: upper)
            face = Part(x: Self.side, y: upper, width: rest, height: height - upper)
        } else {
            texture = Part(x: Self.side, y: 0, width: rest / 2, height: height)
            face = Part(x: Self.side + rest / 2, y: 0, width: rest / 2, height: height)
        }
    }

    /// The heights of the face's picture and of the controls below it; nil: the controls need no scrolling.
    /// - Parameter controls: what they would need.
    func faceRows(aboveControls controls: Float) -> (face: Float, scrolled: Float?) {
        let least = min(140, face.innerHeight / 2)
        let room = face.innerHeight - controls
        return room >= least ? (room, nil) : (least, face.innerHeight - least - 12)
    }
}
