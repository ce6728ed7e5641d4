import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// What a prop covers of other faces.
@Suite struct ClearanceTests {
    let scene: CompositionScene

    init() throws { scene = try CompositionScene() }

    private func scenes(_ instances: [FaceInstance], _ mask: String = "diver") throws
        -> [(trackID: Int, geometry: LayerGeometry)]
    {
        let mask = try Repository.mask(mask)
        let picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        let list = scene.composer.drawList(mask, on: instances, in: picture)
        return try list.faces.map { face in
            let call = face.calls.first { if case .scene = $0.source { true } else { false } }
            return (face.trackID, try #require(call).geometry)
        }
    }

    private func visibility(_ geometry: LayerGeometry, at place: Point) -> Float? {
        let nearest = geometry.positions.indices.min {
            (geometry.positions[$0] - place).length < (geometry.positions[$1] - place).length
        }
        return nearest.map { geometry.visibility[$0] }
    }

    @Test func whoIsNearerHidesTheOtherHelmetAndNotTheOtherWayRound() throws {
        let topology = Landmarks.topology
        let far = scene.instance(1, scale: 140, offset: Point(60, 100))
        let near = scene.instance(2, scale: 150, offset: Point(170, 100))
        for instances in [[far, near], [near, far]] {
            let scenes = try scenes(instances)
            #expect(scenes.map(\.trackID) == [1, 2])
            #expect(scenes[1].geometry.triangles.count == 2)
            for landmark in [topology.noseTip, topology.rightEyeInnerCorner, topology.upperLipCenter] {
                #expect(visibility(scenes[0].geometry, at: near.face.landmarks[landmark]) == 0)
            }
            // Through the window of the near helmet, hair is seen and not the other helmet.
            #expect(visibility(scenes[0].geometry, at: near.face.landmarks[topology.rightEar] - Point(6, 0)) == 0)
            #expect(visibility(scenes[0].geometry, at: far.face.landmarks[topology.noseTip]) == 1)
        }
    }

    /// A hat may hide the mouth of somebody behind, but no eye.
    @Test func hatsLeaveTheEyesBehindThemFree() throws {
        let topology = Landmarks.topology
        let far = scene.instance(1, scale: 140, offset: Point(150, 125))
        let near = scene.instance(2, scale: 150, offset: Point(155, 200))
        let hat = try #require(try scenes([far, near], "top-hat").last { $0.trackID == 2 }?.geometry)
        let (eyes, own) = (
            ConvexOutline(
                around: (topology.rightEye.outline + topology.leftEye.outline).map { far.face.landmarks[$0] }),
            ConvexOutline(around: near.face.vertices)
        )
        let between = hat.positions.indices.filter {
            eyes.distance(of: hat.positions[$0]) < 0 && own.distance(of: hat.positions[$0]) > 18
        }
        #expect(between.count > 5)
        #expect(between.allSatisfy { hat.visibility[$0] == 0 })
        #expect(visibility(hat, at: far.face.landmarks[topology.chin]) == 1)
    }

    private func order(_ instances: [FaceInstance], at seconds: Double?) throws -> [Int] {
        let mask = scene.mask([try scene.warp()])
        let picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        return scene.composer.drawList(mask, on: instances, at: seconds, in: picture).faces.map(\.trackID)
    }

    @Test func ofEquallyLargeFacesTheLowerOneIsNearer() throws {
        let (upper, lower) = (
            scene.instance(2, scale: 101, offset: Point(20, 20)), scene.instance(1, scale: 100, offset: Point(90, 120))
        )
        for instances in [[upper, lower], [lower, upper]] { #expect(try order(instances, at: nil) == [2, 1]) }
    }

    /// Measured sizes tremble.
    @Test func facesOfAStreamChangePlacesOnlyIfSizesDifferMuch() throws {
        let one = scene.instance(1, scale: 100, offset: Point(20, 100))
        func two(_ scale: Float) -> FaceInstance { scene.instance(2, scale: scale, offset: Point(150, 100)) }
        #expect(try order([one, two(104)], at: 0) == [1, 2])
        #expect(try order([one, two(96)], at: 0.04) == [1, 2])
        #expect(try order([one, two(80)], at: 0.08) == [2, 1])
        #expect(try order([one, two(104)], at: 0.12) == [2, 1])
        // A new face does not change the places of others.
        let three = scene.instance(3, scale: 102, offset: Point(320, 100))
        #expect(try order([one, two(104), three], at: 0.16).filter { $0 != 3 } == [2, 1])
        // Who was lost a moment ago may be gone.
        var lost = one
        lost.isSeen = false
        #expect(try order([two(104), three, lost], at: 0.2) == [1, 2, 3])
        scene.composer.interrupt()
        #expect(try order([one, two(104)], at: 0.24) == [1, 2])
    }

    /// Interpolated over the cell that the place is in.
    private func visibility(_ geometry: LayerGeometry, inTrianglesAt place: Point) -> Float? {
        for triangle in geometry.triangles {
            let (a, b, c) = (
                geometry.positions[triangle.a], geometry.positions[triangle.b], geometry.positions[triangle.c]
            )
            func area(_ p: Point, _ q: Point, _ r: Point) -> Float {
                (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
            }
            let whole = area(a, b, c)
            let weights = [area(place, b, c) / whole, area(a, place, c) / whole, area(a, b, place) / whole]
            guard weights.allSatisfy({ $0 >= -1e-4 }) else { continue }
            let values = [triangle.a, triangle.b, triangle.c].map { geometry.visibility[$0] }
            return zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 }
        }
        return nil
    }

    /// A prop does not uncover its wearer, however large the face beside is.
    @Test(arguments: [Float(1.1), 3, 14]) func theWearerStaysCovered(ratio: Float) throws {
        let wearer = scene.instance(1, scale: 50, offset: Point(200, 150))
        // Its left cheek is beside the wearer's right one.
        let box = FaceBox(around: (0..<Landmarks.count).map { wearer.face.landmarks[$0] })
        let own = FaceBox(around: (0..<Landmarks.count).map { scene.reference.landmarks[$0] })
        let neighbour = scene.instance(
            2, scale: ratio * 50,
            offset: Point(box.x + box.width - 50 * ratio * own.x, box.center.y - 50 * ratio * own.center.y))
        let geometry = try #require(try scenes([wearer, neighbour]).first { $0.trackID == 1 }?.geometry)
        #expect(geometry.triangles.count > 2)
        #expect(geometry.visibility.contains { $0 < 0.5 })
        for landmark in 0..<Landmarks.count {
            let seen = visibility(geometry, inTrianglesAt: wearer.face.landmarks[landmark])
            #expect(try #require(seen) > 0.999, "\(landmark)")
        }
    }

    /// And a face that was found twice is covered by both.
    @Test func facesApartChangeNothing() throws {
        let alone = scene.instance(1, scale: 100, offset: Point(20, 150))
        for (scale, offset) in [(Float(100), Point(380, 150)), (110, Point(18, 148))] {
            let other = scene.instance(2, scale: scale, offset: offset)
            for (_, geometry) in try scenes([alone, other]) { #expect(geometry.triangles.count == 2) }
        }
    }
}
