import FaceGeometry
import SyntheticFaces
import TestSupport
import Testing

/// Expressions by ARKit's names, of landmarks that are moved.
@Suite struct BlendShapesTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    /// The reference face with moved points, as somebody turned sees them.
    private func shapes(yaw: Float = 0, roll: Float = 0, _ move: (Int, Point) -> Point) -> BlendShapes {
        let camera = AffineTransform3D(Pose(yaw: yaw, pitch: 0.1, roll: roll))
        let moved = reference.landmarks.mappedWithIndex { index, point in
            let place = camera(SIMD3(move(index, point), reference.depths[index]))
            return Point(500, 500) + 400 * Point(place.x, place.y)
        }
        return FaceInstance(face: Face(landmarks: moved, reference: reference), trackID: 1).shapes
    }

    /// Those above 0.25.
    private func shown(_ shapes: BlendShapes) -> Set<BlendShape> {
        Set(BlendShape.allCases.filter { shapes[$0] > 0.25 })
    }

    @Test func namesAreARKits() {
        #expect(BlendShape.allCases.count == 52 && BlendShape.allCases.count(where: \.isMeasured) == 28)
        #expect(BlendShape.mouthSmileLeft.name == "mouthSmileLeft" && BlendShape.allCases.count(where: \.isGaze) == 8)
        #expect(BlendShape(name: "jawOpen") == .jawOpen && BlendShape(name: "JawOpen") == .jawOpen)
        #expect(BlendShape(name: "JAWOPEN") == nil && BlendShape(name: "") == nil && BlendShape(name: "Ärger") == nil)
    }

    @Test(arguments: [(Float(0), Float(0)), (0.35, 0), (-0.35, 0.4)])
    func aFaceAtRestShowsNothing(_ yaw: Float, _ roll: Float) {
        #expect(shown(shapes(yaw: yaw, roll: roll) { $1 }).isEmpty)
    }

    /// The subject's left is at the right of the template, and each side moves by itself, in any pose.
    @Test(arguments: [(Float(0), Float(0)), (0.35, 0), (-0.35, 0.4)])
    func sidesAreTheSubjects(_ yaw: Float, _ roll: Float) {
        let topology = Landmarks.topology
        let smile = shapes(yaw: yaw, roll: roll) { index, point in
            index == topology.outerLips.left || index == topology.innerLips.left ? point + Point(0.025, -0.03) : point
        }
        #expect(smile[.mouthSmileLeft] > 0.4 && smile[.mouthSmileRight] < 0.2 && smile[.mouthFrownLeft] == 0)
        let frown = shapes(yaw: yaw, roll: roll) { index, point in
            index == topology.outerLips.right || index == topology.innerLips.right ? point + Point(0, 0.03) : point
        }
        #expect(frown[.mouthFrownRight] > 0.4 && frown[.mouthFrownLeft] < 0.2 && frown[.mouthSmileRight] == 0)
        let brow = shapes(yaw: yaw, roll: roll) { index, point in
            topology.leftBrow.contains(index) ? point - Point(0, 0.05) : point
        }
        #expect(brow[.browOuterUpLeft] > 0.4 && brow[.browOuterUpRight] < 0.2 && brow[.browDownLeft] == 0)
        let angry = shapes(yaw: yaw, roll: roll) { index, point in
            topology.rightBrow.suffix(3).contains(index) ? point + Point(0, 0.035) : point
        }
        #expect(angry[.browDownRight] > 0.4 && angry[.browDownLeft] < 0.2 && angry[.browInnerUp] == 0)
    }

    @Test func lipsAreRoundOrAside() {
        let topology = Landmarks.topology
        let middle = reference.landmarks[topology.upperLipCenter].x
        let pucker = shapes { index, point in
            topology.lips.contains(index) ? Point(middle + 0.72 * (point.x - middle), point.y) : point
        }
        #expect(pucker[.mouthPucker] > 0.4 && pucker[.mouthFunnel] < 0.2 && pucker[.mouthSmileLeft] == 0)
        let aside = shapes { index, point in topology.lips.contains(index) ? point + Point(0.04, 0) : point }
        #expect(aside[.mouthLeft] > 0.4 && aside[.mouthRight] == 0)
    }

    /// A person whose brows are high is at rest with high brows.
    @Test func restIsThePersons() {
        let topology = Landmarks.topology
        let high = reference.landmarks.mappedWithIndex { index, point in
            topology.brows.contains(index) ? point - Point(0, 0.04) : point
        }
        let face = Face(landmarks: high, reference: reference)
        var expression = Expression(face.landmarks)
        expression.shape = face.shape
        var events = ExpressionEvents()
        for _ in 0..<30 { events.update(expression, yaw: 0, seconds: 1 / 30) }
        let signals = ExpressionSignals(expression, rest: events.rest ?? expression, pose: face.pose)
        let own = BlendShapes(expression, rest: events.rest ?? expression, signals: signals)
        #expect(own[.browInnerUp] < 0.05)
        #expect(FaceInstance(face: face, trackID: 1).shapes[.browInnerUp] > 0.3)
    }

    @Test func theGazeIsSet() throws {
        var instance = FaceInstance(face: Face(landmarks: reference.landmarks, reference: reference), trackID: 1)
        let offset = EyeOffset(Point(0.1, 0.1))
        instance.look(right: offset, left: offset, reference: reference)
        let shapes = instance.shapes
        #expect(abs(shapes[.eyeLookOutLeft] - 0.5) < 1e-4 && shapes[.eyeLookOutLeft] == shapes[.eyeLookInRight])
        #expect(
            abs(shapes[.eyeLookDownRight] - 0.5) < 1e-4 && shapes[.eyeLookUpLeft] == 0 && shapes[.eyeLookInLeft] == 0)
    }
}
