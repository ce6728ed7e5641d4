import AllocationCounter
import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// The number of memory allocations for composing a frame, once all caches are filled. A draw list consists of arrays, so
/// it is not 0, but it must be small and must not grow from frame to frame. In release builds 16 and 44 were measured. In
/// debug builds, generic arithmetic over the vertices of the mesh allocates, too: 2,296 and 10,271.
@Suite struct CompositionAllocationTests {
    #if DEBUG
        private static let limits = [2_500, 11_000]
    #else
        private static let limits = [20, 50]
    #endif

    @Test(arguments: zip([LightMatching(), LightMatching(shading: 0.6, detail: 0.2, color: 0.5)], limits))
    func aFrameMakesFewAllocations(_ light: LightMatching, _ limit: Int) throws {
        let scene = try CompositionScene()
        var layer = try scene.warp()
        layer.light = light
        let mask = scene.mask([layer])
        let picture = try plain(500, 400, SIMD4(180, 140, 120, 255))
        let instances = [scene.instance()]
        var counts: [Int] = []
        for frame in 0..<40 {
            let before = allocation_count()
            let list = scene.composer.drawList(mask, on: instances, at: Double(frame) / 30, in: picture)
            counts.append(Int(allocation_count() - before))
            #expect(list.faces.count == 1)
        }
        let steady = counts.suffix(20)
        #expect(Set(steady).count == 1, "\(steady)")
        #expect(steady.allSatisfy { $0 <= limit }, "\(steady)")
    }
}
