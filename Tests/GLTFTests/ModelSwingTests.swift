import AllocationCounter
import FaceGeometry
import GLTF
import Glibc
import ModelBuilder
import Testing

/// A pendulum on a head: the square of `ModelBuilder`, whose lower vertices follow node 1 at the origin, and whose upper ones
/// follow node 2, its child, one unit above. Node 1 swings, so that the upper vertices show where it points.
@Suite struct ModelSwingTests {
    private let model: Model

    init() throws { model = try Self.model(swinging: "root") }

    private static func model(swinging name: String) throws -> Model {
        var builder = ModelBuilder.moving([.init(1, "scale", .translations)], skinned: true)
        builder.document = builder.document
            .replacing("{$children$:[2]}", with: "{$name$:$root$,$children$:[2]}")
        return try GLTFReader.read(builder.file, path: "test.glb", swinging: [name]).model
    }

    private func swing(_ settings: SwingSettings) throws -> ModelSwing {
        let nodes = try #require(model.rig).nodes(named: "root").map { SwingingNode($0, settings) }
        return try #require(ModelSwing(model, nodes))
    }

    /// A head in front of a camera; models have y up. A unit of the model is 0.3 face widths.
    private func head(
        at place: SIMD3<Float> = SIMD3(0, 0, -3), roll: Float = 0
    ) -> AffineTransform3D {
        var matrix = AffineTransform3D(Pose(yaw: 0, pitch: 0, roll: roll))
        matrix.translation = place
        return matrix.after(
            AffineTransform3D(columns: (SIMD3(0.3, 0, 0), SIMD3(0, -0.3, 0), SIMD3(0, 0, 0.3)), translation: .zero))
    }

    /// From the lower edge to the upper one, in the coordinates of the camera, per unit of the model.
    private func direction(
        _ pose: inout ModelPose, _ swing: inout ModelSwing?, _ head: AffineTransform3D, at seconds: Double?
    ) -> SIMD3<Float> {
        pose.set(count: 0, shapes: BlendShapes(), swing: &swing, modelToCamera: head, at: seconds) {
            ModelPose.Moment(animation: $0, seconds: 0)
        }
        // The triangles share no vertices: the upper ones are the last of the first triangle, and the last of the second.
        let above = (pose.vertices[2].position + pose.vertices[5].position) / 2
        return head.turned(above) / 0.3
    }

    private func directions(
        _ settings: SwingSettings, _ times: [Double], _ head: (Double) -> AffineTransform3D
    ) throws -> [SIMD3<Float>] {
        var (pose, swing) = (try #require(ModelPose(model)), Optional(try swing(settings)))
        return times.map { direction(&pose, &swing, head($0), at: $0) }
    }

    @Test func lengthsAreKept() throws {
        let moving = try directions(
            SwingSettings(stiffness: 0.2, gravity: 0.5, drag: 0.2), (0..<60).map { Double($0) / 30 }
        ) {
            head(at: SIMD3(Float(sin(9 * $0)), Float(cos(7 * $0)), -3), roll: Float(sin(5 * $0)))
        }
        #expect(moving.allSatisfy { abs($0.length - 1) < 1e-3 })
        // It swings.
        #expect(moving.map(\.x).max() ?? 0 > 0.3 && moving.map(\.x).min() ?? 0 < -0.3)
    }

    /// The size of a face, which gives its distance, jumps with what covers it.
    @Test func distancesThrowNothing() throws {
        let (stiff, times) = (SwingSettings(stiffness: 0.4, gravity: 0, drag: 0.3), (0..<40).map { Double($0) / 25 })
        let still = try directions(stiff, times) { _ in head() }
        let jumping = try directions(stiff, times) { head(at: SIMD3(0, 0, $0 > 0.5 ? -3 : -3.5)) }
        #expect(zip(still, jumping).allSatisfy { ($0 - $1).length < 1e-3 })
    }

    /// What hangs, hangs down in the picture, also on a tilted head; what is stiff keeps its place on the head.
    @Test(arguments: [Float(0), 0.6, -1.2, 3])
    func aPhotographIsInBalance(_ roll: Float) throws {
        var (pose, hanging) = (
            try #require(ModelPose(model)), Optional(try swing(SwingSettings(stiffness: 0, gravity: 1)))
        )
        let down = direction(&pose, &hanging, head(roll: roll), at: nil)
        #expect((down - SIMD3(0, 1, 0)).length < 1e-3)
        var stiff = Optional(try swing(SwingSettings(stiffness: 1, gravity: 0)))
        let up = direction(&pose, &stiff, head(roll: roll), at: nil)
        #expect((up - head(roll: roll).turned(SIMD3(0, 1, 0)) / 0.3).length < 1e-3)
    }

    /// The balance of a photograph is where a stream comes to rest.
    @Test func streamsComeToRestInBalance() throws {
        let settings = SwingSettings(stiffness: 0.4, gravity: 0.5, drag: 0.3)
        var (pose, swing) = (try #require(ModelPose(model)), Optional(try swing(settings)))
        let rest = direction(&pose, &swing, head(roll: 1), at: nil)
        let stream = try directions(settings, (0..<120).map { Double($0) / 30 }) { head(roll: $0 < 0.2 ? 0 : 1) }
        #expect((try #require(stream.last) - rest).length < 0.01)
        #expect((stream[5] - rest).length > 0.2)
    }

    /// The same motion at other frame rates.
    @Test(arguments: [12.0, 15, 24, 25, 29.97, 50, 60])
    func theFrameRateHardlyMatters(_ rate: Double) throws {
        let settings = SwingSettings(stiffness: 0.3, gravity: 0.4, drag: 0.2)
        func motion(_ seconds: Double) -> AffineTransform3D {
            head(at: SIMD3(Float(0.4 * sin(4 * seconds)), 0, -3), roll: Float(0.5 * sin(3 * seconds)))
        }
        let fine = try directions(settings, (0...480).map { Double($0) / 120 }, motion)
        let times = (0..<Int(4 * rate)).map { Double($0) / rate }
        for (time, found) in zip(times, try directions(settings, times, motion)) where time > 0.5 {
            let place = 120 * time
            let low = fine[Int(place)], high = fine[min(480, Int(place) + 1)]
            let expected = low + Float(place - place.rounded(.down)) * (high - low)
            #expect((found - expected).length < 0.06, "\(time)")
        }
    }

    @Test(arguments: [Float(0), 1e-3, 0.1, 1, 30, 1000], [Float(0), 0.01, 1])
    func itIsStableHoweverStiff(_ stiffness: Float, _ drag: Float) throws {
        let settings = SwingSettings(stiffness: stiffness, gravity: 0.2, drag: drag)
        let found = try directions(settings, (0..<400).map { Double($0) / 30 }) {
            // Jumps by half a face in the first second, then it rests.
            head(at: SIMD3($0 < 1 ? Float(Int($0 * 30) % 2) / 2 : 0, 0, -3))
        }
        #expect(found.allSatisfy { abs($0.length - 1) < 1e-3 })
        guard stiffness >= 0.1 else { return }
        let late = found.suffix(10)
        #expect(late.allSatisfy { ($0 - late[late.startIndex]).length < 0.01 })
    }

    /// After a cut, a pause or a jump back in time it is where it would be in a photograph.
    @Test func itBeginsAnewWithoutSwinging() throws {
        let settings = SwingSettings(stiffness: 0.1, gravity: 0.5, drag: 0.1)
        var (pose, swing) = (try #require(ModelPose(model)), Optional(try swing(settings)))
        let rest = direction(&pose, &swing, head(roll: 0.5), at: nil)
        for (pause, cut) in [(0.6, false), (-0.2, false), (1.0 / 30, true)] {
            for frame in 0..<10 {
                _ = direction(&pose, &swing, head(at: SIMD3(Float(frame), 0, -3)), at: Double(frame) / 30)
            }
            if cut { swing?.interrupt() }
            let first = direction(&pose, &swing, head(roll: 0.5), at: 0.3 + pause)
            #expect((first - rest).length < 1e-3)
            let next = direction(&pose, &swing, head(roll: 0.5), at: 0.3 + pause + 0.2)
            #expect((next - rest).length < 1e-2)
            swing?.interrupt()
        }
        // A photograph in between leaves no trace.
        let before = direction(&pose, &swing, head(), at: 9)
        _ = direction(&pose, &swing, head(at: SIMD3(5, 0, -3), roll: 2), at: nil)
        #expect((direction(&pose, &swing, head(), at: 9) - before).length < 1e-5)
    }

    @Test func hostileNumbersDoNoHarm() throws {
        var (pose, swing) = (try #require(ModelPose(model)), Optional(try swing(SwingSettings(gravity: 1))))
        for seconds in [0, .infinity, .nan, 1e300, -1e300, 0.1, 0.2] {
            for x in [0, Float.nan, .infinity, 1e30] {
                _ = direction(&pose, &swing, head(at: SIMD3(x, 0, -3)), at: seconds)
                #expect(pose.vertices.allSatisfy { $0.position.length.isFinite })
            }
        }
        #expect(abs(direction(&pose, &swing, head(), at: 0.21).length - 1) < 1e-3)
    }

    /// A leaf swings its own vertices, and what moves none does not swing.
    @Test func whatSwings() throws {
        let rig = try #require(model.rig)
        #expect(rig.nodes(named: "root").count == 1 && rig.nodes(named: "none").isEmpty)
        // Node 2 has no child: its own vertices swing.
        #expect(try swing(SwingSettings()).jointCount == 2)
        #expect(ModelSwing(model, [SwingingNode(2, SwingSettings())])?.jointCount == 1)
        #expect(ModelSwing(model, [SwingingNode(0, SwingSettings())]) == nil)
        #expect(ModelSwing(model, []) == nil)
        #expect(ModelSwing(model, [SwingingNode(99, SwingSettings())]) == nil)
    }

    @Test func followingAllocatesNothing() throws {
        var (pose, swing) = (try #require(ModelPose(model)), Optional(try swing(SwingSettings(gravity: 1))))
        var counts: [UInt64] = []
        for frame in 0..<6 {
            let head = head(roll: Float(frame) / 10)
            let before = allocation_count()
            pose.set(
                count: 0, shapes: BlendShapes(), swing: &swing, modelToCamera: head, at: Double(frame) / 30
            ) { ModelPose.Moment(animation: $0, seconds: 0) }
            counts.append(allocation_count() - before)
        }
        #if !DEBUG
            #expect(counts.suffix(4) == [0, 0, 0, 0], "\(counts)")
        #endif
    }
}
