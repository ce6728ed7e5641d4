import FaceGeometry
import Glibc

/// Many people, each of whom moves on their own, as slowly as people who listen: for measuring speed.
extension DrawnSequence {
    static let twelve = crowd("twelve", columns: 4, rows: 3, faceWidth: 100)
    static let sixteen = crowd("sixteen", columns: 4, rows: 4, faceWidth: 84)

    /// - Parameter faceWidth: from ear to ear, in pixels.
    private static func crowd(_ name: String, columns: Int, rows: Int, faceWidth: Float) -> DrawnSequence {
        let size = (width: 1280, height: 720)
        return DrawnSequence(name, frames: 100, size: size) { time in
            (0..<columns * rows).map { index in
                let cell = Point(Float(size.width / columns), Float(size.height / rows))
                let middle = cell * (Point(Float(index % columns), Float(index / columns)) + Point(0.5, 0.47))
                return person(index, at: middle, width: faceWidth, time: time)
            }
        }
    }

    private static func person(_ index: Int, at middle: Point, width: Float, time: Float) -> Actor {
        // No two have the same period.
        func wave(_ period: Float, _ phase: Float = 0) -> Float {
            sin(2 * .pi * time / (period + 0.17 * Float(index)) + phase + Float(index))
        }
        var face = Sample.all[index % Sample.all.count].face
        face.expression = DrawnFace.Expression()
        face.expression.smile = 0.2 + 0.2 * wave(3.1)
        face.pose = Pose(yaw: 0.12 * wave(3.6), pitch: 0.05 * wave(2.9, 1), roll: 0.06 * wave(4.2, 2))
        let center = middle + width * Point(0.12 * wave(3), 0.06 * wave(2.3, 1))
        return Actor(face: face, placement: DrawnFacePlacement(center: center, faceWidth: width))
    }
}
