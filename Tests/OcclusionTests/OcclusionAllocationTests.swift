import AllocationCounter
import FaceGeometry
import Occlusion
import TestSupport
import Testing

/// A frame in which nothing begins or ends allocates nothing, with and without an occluder.
@Suite struct OcclusionAllocationTests {
    @Test func followingAllocatesNothing() throws {
        var follower = OcclusionFollower(reference: try Repository.referenceFace(), mesh: try Repository.mesh())
        var free: [UInt64] = []
        var covered: [UInt64] = []
        // The list that a frame is given is not counted.
        var instances: [FaceInstance] = []
        // The sequence twice: the second time, all memory has been as large as it has to be.
        for round in 0..<2 {
            try DrawnFrames.handAtChin.get().forEach { frame, picture in
                instances.removeAll(keepingCapacity: true)
                instances.append(frame.instance)
                let before = allocation_count()
                let isCovered = try !follower.follow(instances, in: picture, at: frame.seconds + 10 * Double(round))
                    .isEmpty
                let count = allocation_count() - before
                guard round == 1 else { return }
                if isCovered { covered.append(count) } else { free.append(count) }
            }
        }
        #expect(free.count > 20 && covered.count > 20, "\(free.count) \(covered.count)")
        #expect(free.allSatisfy { $0 == 0 }, "\(free)")
        #expect(covered.allSatisfy { $0 == 0 }, "\(covered)")
    }
}
