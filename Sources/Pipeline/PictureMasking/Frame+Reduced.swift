import Compositing
import FaceGeometry
import Pixels

extension Frame {
    /// A copy with its faces, reduced to a longest side where it is larger, in pixels.
    borrowing func reduced(to longestSide: Int, reference: ReferenceFace) throws -> Frame {
        let scale = min(1, Float(longestSide) / Float(max(pixels.width, pixels.height)))
        if scale == 1 { return try copy() }
        let small = try pixels.reducedOrCopied(to: longestSide)
        var reduced = Frame(small, seconds: seconds, number: number, captured: captured, encoding: encoding)
        reduced.faces = faces.map { instance in
            var instance = instance
            let face = instance.face
            instance.face = Face(
                landmarks: face.landmarks.mapped { scale * $0 }, reference: reference, box: face.box.scaled(by: scale),
                detectorScore: face.detectorScore, uncertainty: face.uncertainty,
                headPoints: HeadPoints { scale * face.headPoints[$0] })
            return instance
        }
        reduced.unsureFaces = unsureFaces.map {
            UnsureFace(
                box: OrientedBox(center: scale * $0.box.center, side: scale * $0.box.side, roll: $0.box.roll),
                score: $0.score)
        }
        reduced.timings = timings
        return reduced
    }
}
