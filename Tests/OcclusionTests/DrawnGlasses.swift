import FaceGeometry
import Glibc
import Pixels
import SyntheticFaces

/// Drawn faces with round glasses.
enum DrawnGlasses {
    private static let placement = DrawnFacePlacement(center: Point(120, 120), faceWidth: 150)

    static func portrait(_ face: DrawnFace, samples: Int = 2, reference: ReferenceFace) throws -> SyntheticPortrait {
        try SyntheticPortrait(
            face, width: 240, height: 260, placement: placement, quality: .samples(samples), reference: reference)
    }

    /// Paints round glasses.
    /// - Parameter bridge: whether there is one.
    /// - Returns: the pixels of the frame.
    static func wear(
        _ portrait: inout SyntheticPortrait, _ face: DrawnFace, bridge: Bool = true, reference: ReferenceFace
    ) -> Set<Int> {
        let drawing = FaceDrawing(face, placement: placement, reference: reference)
        let topology = Landmarks.topology
        let eyes = [topology.rightEye, topology.leftEye].map { eye -> Point in
            let outline = eye.outline.map { reference.vertices[$0] }
            return outline.reduce(Point.zero, +) / Float(outline.count)
        }
        var line: [Point] = []
        for (index, eye) in eyes.enumerated() {
            for step in 0..<400 {
                let angle = 2 * Float.pi * Float(step) / 400
                line.append(drawing.position(ofCanonicalPoint: eye + Point(0.085 * cos(angle), 0.075 * sin(angle))))
            }
            let inner = eye + Point(index == 0 ? 0.085 : -0.085, 0)
            let middle = (eyes[0] + eyes[1]) / 2
            for step in 0..<60 where bridge {
                line.append(drawing.position(ofCanonicalPoint: inner + Float(step) / 59 * (middle - inner)))
            }
        }
        var frame: Set<Int> = []
        for point in line {
            for y in Int(point.y) - 2...Int(point.y) + 2 {
                portrait.pixels.withMutableRow(y) { row in
                    for x in Int(point.x) - 2...Int(point.x) + 2
                    where (point - Point(Float(x) + 0.5, Float(y) + 0.5)).length < 2 {
                        row[x] = SIMD4(24, 22, 20, 255)
                        frame.insert(y * 240 + x)
                    }
                }
            }
        }
        return frame
    }
}
