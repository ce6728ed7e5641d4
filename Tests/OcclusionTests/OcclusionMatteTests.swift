import FaceGeometry
import Occlusion
import TestSupport
import Testing

@Suite struct OcclusionMatteTests {
    @Test func valuesLieInTheirCells() {
        let matte = OcclusionMatte(
            box: FaceBox(x: 10, y: 20, width: 40, height: 20), width: 2, height: 1, alpha: [0, 255])
        #expect(matte.value(at: Point(12, 30)) == 0)
        #expect(matte.value(at: Point(45, 30)) == 1)
        for outside in [Point(9, 30), Point(51, 30), Point(45, 19), Point(45, 41)] {
            #expect(matte.value(at: outside) == 0)
        }
    }

    /// A hand in front of the left face of two that overlap, and of a third one elsewhere.
    @Test func aMatteSparesTheMasksOfNeighbours() throws {
        let reference = try Repository.referenceFace()
        func face(_ trackID: Int, x: Float) -> FaceInstance {
            let landmarks = reference.landmarks.mapped { 100 * $0 + Point(x, 0) }
            return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
        }
        let faces = [face(1, x: 0), face(2, x: 60), face(3, x: 400)]
        let whole = OcclusionMatte(
            box: FaceBox(x: 0, y: 0, width: 200, height: 100), width: 100, height: 50,
            alpha: [UInt8](repeating: 255, count: 5000))
        let (left, both) = (Point(50, 60), Point(110, 60))
        var mattes = [1: whole]
        OcclusionMatte.spareNeighbours(&mattes, faces)
        #expect(mattes[1]?.value(at: left) == 1 && mattes[1]?.value(at: both) == 0 && mattes[2] == nil)
        // It is in front of the second face, too, but only half.
        mattes = [
            1: whole, 2: OcclusionMatte(box: whole.box, width: 100, height: 50, alpha: whole.alpha.map { $0 / 2 }),
        ]
        OcclusionMatte.spareNeighbours(&mattes, faces)
        #expect(mattes[1]?.value(at: left) == 1)
        #expect(abs((mattes[1]?.value(at: both) ?? 0) - 0.5) < 0.01)
        mattes = [1: whole]
        OcclusionMatte.spareNeighbours(&mattes, [faces[0], faces[2]])
        #expect(mattes[1]?.alpha == whole.alpha)
    }

    /// Light over the whole face is found although a third of the face is covered by something else.
    @Test func lightIsToldFromOccluders() {
        var samples: [LightFit.Sample] = []
        for index in 0..<900 {
            let (u, v) = (Float(index % 30) / 15 - 1, Float(index / 30) / 15 - 1)
            let basis = SIMD8<Float>(1, u, v, u * u, u * v, v * v, 0, 0)
            let isCovered = u > 0.35
            let difference = isCovered ? SIMD4<Float>(-0.9, 0.3, 0.2, 0) : SIMD4(0.3 + 0.2 * v, 0.05, -0.04, 0)
            samples.append(
                LightFit.Sample(
                    basis: basis, difference: difference, precision: SIMD4(277, 816, 816, 1), weight: 1))
        }
        let before = LightFit.fit(samples.filter { $0.basis[1] < 0 }, start: nil, iterations: 3)
        let fit = LightFit.fit(samples, start: before, iterations: 2)
        let value = fit.value(SIMD8(1, -0.5, 0.5, 0.25, -0.25, 0.25, 0, 0))
        #expect(abs(value.x - 0.4) < 0.02 && abs(value.y - 0.05) < 0.005 && abs(value.z + 0.04) < 0.005, "\(value)")
        #expect(abs(fit.agreement(samples) - 0.7) < 0.05)
    }

    @Test func holesAreClosed() {
        var mask = [Bool](repeating: false, count: TexelGrid.width * TexelGrid.height)
        func index(_ x: Int, _ y: Int) -> Int { y * TexelGrid.width + x }
        // A frame of 10 × 10 around a hole.
        for place in 10..<20 {
            for (x, y) in [(place, 10), (place, 19), (10, place), (19, place)] { mask[index(x, y)] = true }
        }
        let closed = TexelGrid.closed(mask)
        #expect(closed.count(where: \.self) == 100)
        #expect(TexelGrid.regions(mask).count == 1)
        mask[index(50, 50)] = true
        #expect(TexelGrid.regions(mask).map(\.count).sorted() == [1, 36])
    }
}
