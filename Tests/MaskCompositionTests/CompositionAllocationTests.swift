import AllocationCounter
import FaceGeometry
import MaskComposition
import Masks
import Pixels
import TestSupport
import Testing

/// How many memory allocations the composition of a frame makes once everything has been created that is created once.
/// A draw list is made of arrays, so the number is not 0, but it must not grow from frame to frame. The limits are those of
/// debug builds, where generic arithmetic over the mesh's vertices allocates, too: 2,296 and 10,271 were measured.
@Suite struct CompositionAllocationTests {
    @Test(arguments: [(LightMatching(), 2_500), (LightMatching(shading: 0.6, detail: 0.2, color: 0.5), 11_000)])
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
