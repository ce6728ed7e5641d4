import AllocationCounter
import FaceGeometry
import GLTF
import ModelBuilder
import Testing

/// Where animations put the vertices of a model. The square's corners are (−1, −1), (1, −1), (1, 1) and (−1, 1); its two
/// triangles begin with the first three.
@Suite struct ModelPoseTests {
    private func model(
        _ channels: [ModelBuilder.Channel], skinned: Bool = false, morphed: Bool = false
    ) throws -> Model {
        let builder = ModelBuilder.moving(channels, skinned: skinned, morphed: morphed)
        let result = try GLTFReader.read(builder.file, path: "test.glb")
        #expect(result.notices.isEmpty)
        return result.model
    }

    private func vertices(_ model: Model, at seconds: Float) throws -> [ModelVertex] {
        var pose = try #require(ModelPose(model))
        pose.set(count: 1) { _ in ModelPose.Moment(animation: 0, seconds: seconds) }
        return pose.vertices
    }

    private func expect(
        _ vertex: ModelVertex, at place: SIMD3<Float>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect((vertex.position - place).length < 1e-5, "\(vertex.position)", sourceLocation: sourceLocation)
    }

    @Test func aNodeMovesBetweenKeys() throws {
        let linear = try model([.init(0, "translation", .translations)])
        #expect(linear.rig?.animations.map(\.name) == ["move"] && linear.rig?.animations.first?.length == 2)
        expect(linear.vertices[0], at: SIMD3(-1, -1, 0))
        expect(try vertices(linear, at: 0.25)[0], at: SIMD3(-1, -0.75, 0))
        expect(try vertices(linear, at: 1.5)[0], at: SIMD3(-1, 0, 2))
        // Before the first key and after the last, it rests.
        expect(try vertices(linear, at: -1)[0], at: SIMD3(-1, -1, 0))
        expect(try vertices(linear, at: 9)[0], at: SIMD3(-1, 0, 4))
        let step = try model([.init(0, "translation", .translations, "STEP")])
        expect(try vertices(step, at: 1.9)[0], at: SIMD3(-1, 0, 0))
        let spline = try model([.init(0, "translation", .spline, "CUBICSPLINE")])
        // 3 t² − 2 t³
        expect(try vertices(spline, at: 0.25)[0], at: SIMD3(-1 + 0.15625, -1, 0))
        expect(try vertices(spline, at: 1)[0], at: SIMD3(0, -1, 0))
    }

    @Test func rotationsTurnAroundTheSphere() throws {
        let model = try model([.init(0, "rotation", .rotations)])
        let half = Float(0.5).squareRoot()
        let turned = try vertices(model, at: 0.5)
        expect(turned[1], at: SIMD3(half, -1, -half))
        #expect((turned[1].normal - SIMD3(half, 0, half)).length < 1e-5)
        expect(try vertices(model, at: 2)[1], at: SIMD3(-1, -1, 0))
    }

    /// The upper vertices turn about the joint at (0, 1, 0).
    @Test func jointsMoveTheirVertices() throws {
        let model = try model([.init(2, "rotation", .rotations)], skinned: true)
        expect(model.vertices[0], at: SIMD3(-1, -1, 0))
        expect(model.vertices[2], at: SIMD3(1, 1, 0))
        let turned = try vertices(model, at: 1)
        expect(turned[0], at: SIMD3(-1, -1, 0))
        expect(turned[2], at: SIMD3(0, 1, -1))
        // What moves the parent moves the joints below it.
        let both = try self.model([.init(1, "translation", .translations)], skinned: true)
        expect(try vertices(both, at: 1)[0], at: SIMD3(-1, 0, 0))
        expect(try vertices(both, at: 1)[2], at: SIMD3(1, 2, 0))
    }

    @Test func morphTargetsAreAdded() throws {
        let model = try model([.init(0, "weights", .morphWeights)], morphed: true)
        expect(model.vertices[0], at: SIMD3(-1, -1, 0))
        expect(try vertices(model, at: 0.75)[0], at: SIMD3(-1, -1, 0.75))
    }

    /// A mesh that is mirrored keeps its front while it moves.
    @Test func mirroredMeshesKeepTheirFront() throws {
        var builder = ModelBuilder.moving([.init(0, "translation", .translations)])
        builder.document = builder.document.replacing("{$mesh$:0}", with: "{$mesh$:0,$scale$:[-1,1,1]}")
        let model = try GLTFReader.read(builder.file, path: "test.glb").model
        let corners = try vertices(model, at: 1)
        let triangle = (0..<3).map { corners[Int(model.indices[$0])] }
        let across = (triangle[1].position - triangle[0].position).cross(triangle[2].position - triangle[0].position)
        #expect(across.z > 0 && triangle.allSatisfy { $0.normal == SIMD3(0, 0, 1) })
    }

    /// Morph targets named like ARKit's follow the face, unless an animation moves them.
    @Test func namedTargetsFollowTheFace() throws {
        var shapes = BlendShapes()
        shapes[.jawOpen] = 0.25
        for (name, height) in [("jawOpen", Float(0.25)), ("JawOpen", 0.25), ("jawLeft", 0), ("jaw", 0)] {
            let model = try GLTFReader.read(ModelBuilder.expressive(name).file, path: "test.glb").model
            #expect((model.rig == nil) == (height == 0), "\(name)")
            guard var pose = ModelPose(model) else { continue }
            pose.set(count: 0, shapes: shapes) { ModelPose.Moment(animation: $0, seconds: 0) }
            expect(pose.vertices[0], at: SIMD3(-1, -1, height))
            pose.set(count: 0) { ModelPose.Moment(animation: $0, seconds: 0) }
            expect(pose.vertices[0], at: SIMD3(-1, -1, 0))
        }
        var builder = ModelBuilder.moving([.init(0, "weights", .morphWeights)], morphed: true)
        builder.document = builder.document.replacing(
            "]}],$accessors$", with: "],$extras$:{$targetNames$:[$jawOpen$]}}],$accessors$")
        let model = try GLTFReader.read(builder.file, path: "test.glb").model
        var pose = try #require(ModelPose(model))
        pose.set(count: 1, shapes: shapes) { ModelPose.Moment(animation: $0, seconds: 0.75) }
        expect(pose.vertices[0], at: SIMD3(-1, -1, 0.75))
        // Extras may be anything.
        for extras in ["7", "{$targetNames$:{}}", "{$targetNames$:[1,[],$jawOpen$]}"] {
            var odd = ModelBuilder.expressive("x")
            odd.document = odd.document.replacing("{$targetNames$:[$x$]}", with: extras)
            #expect(try GLTFReader.read(odd.file, path: "test.glb").model.rig == nil)
        }
    }

    @Test func boundsHoldThePose() throws {
        let model = try model([.init(0, "translation", .translations)])
        var pose = try #require(ModelPose(model))
        pose.set(count: 1) { _ in ModelPose.Moment(animation: 0, seconds: 2) }
        #expect(pose.bounds.high == SIMD3(1, 2, 4) && pose.bounds.low == SIMD3(-1, -1, 0))
    }

    @Test func placesAndLoops() throws {
        let animation = try #require(try model([.init(0, "translation", .translations)]).rig?.animations.first)
        #expect(
            animation.seconds(at: 0.5) == 1 && animation.seconds(at: 7) == 2 && animation.seconds(at: -.infinity) == 0)
        #expect(animation.seconds(looping: 4.5) == 0.5 && animation.seconds(looping: -0.5) == 1.5)
    }

    /// A model that does not move has no rig, whatever its file has.
    @Test func aRigidModelHasNoRig() throws {
        #expect(try GLTFReader.read(ModelBuilder().file, path: "test.glb").model.rig == nil)
        // The animation moves joints that no mesh uses.
        let result = try GLTFReader.read(
            ModelBuilder.moving([.init(1, "translation", .translations)]).file, path: "test.glb")
        #expect(result.model.rig == nil && result.notices.map(\.pointer) == ["/animations"])
    }

    @Test func posingAgainAllocatesNothing() throws {
        let model = try model([.init(2, "rotation", .rotations)], skinned: true)
        var pose = try #require(ModelPose(model))
        var counts: [UInt64] = []
        for frame in 0..<6 {
            let before = allocation_count()
            pose.set(count: 1) { _ in ModelPose.Moment(animation: 0, seconds: Float(frame) / 4) }
            counts.append(allocation_count() - before)
        }
        #if !DEBUG
            #expect(counts.suffix(4) == [0, 0, 0, 0], "\(counts)")
        #endif
    }
}
