import FaceGeometry
import Occlusion
import Pixels

/// A face as another one shows it: as it is in the picture, or mirrored.
struct GivenFace {
    /// Of the mesh, in the picture, pixels: each takes the place of the receiver's vertex with the same index.
    let vertices: [Point]
    /// The same of the refined mesh.
    let refined: [Point]
    /// How much the giver turns each vertex of the refined mesh to the viewer, 0…1.
    let seen: [Float]
}

/// What traded faces keep from picture to picture: who swaps with whom, which receivers show their giver mirrored, and memory.
/// From one thread at a time.
final class FaceSwaps {
    /// A mirrored giver must agree with the turn of the receiver better by the first, in radians, and keeps its place until
    /// it does by less than the second.
    private static let (enough, tooLittle): (Float, Float) = (0.1, 0.04)

    private struct Key: Hashable {
        let trackID: Int
        let number: Int
        let isFill: Bool
    }

    private var mirrored: Set<Int> = []
    private var maps: [Key: ShareMap] = [:]
    private var used: Set<Key> = []
    var memory = SwapShares.Memory()
    var looking = SwapLook.Memory()
    var pairs = SwapPairs()

    /// Gives the memory back that the last picture had no use for.
    func beginPicture() {
        if maps.count > used.count { maps = maps.filter { used.contains($0.key) } }
        used.removeAll(keepingCapacity: true)
    }

    /// Another scene follows.
    func forget() {
        mirrored.removeAll(keepingCapacity: true)
        pairs.forget()
    }

    /// Whether the giver's mirror image is turned as the receiver is, and the giver is not: two people who look at each other,
    /// for example.
    /// - Parameter seconds: of the picture; nil: a single one, which leaves no trace.
    func isMirrored(_ giver: Face, on receiver: Face, trackID: Int, at seconds: Double?) -> Bool {
        let gain = abs(receiver.pose.yaw - giver.pose.yaw) - abs(receiver.pose.yaw + giver.pose.yaw)
        guard seconds != nil else { return gain > Self.enough }
        if gain > Self.enough { mirrored.insert(trackID) }
        if !(gain > Self.tooLittle) { mirrored.remove(trackID) }
        return mirrored.contains(trackID)
    }

    /// The map of a layer of a face; nil: no memory is available.
    /// - Parameters:
    ///   - number: of the layer.
    ///   - isFill: whether it is for what the giver itself does not show.
    func map(_ trackID: Int, _ number: Int, isFill: Bool, of texels: FaceTexels) -> ShareMap? {
        let key = Key(trackID: trackID, number: number, isFill: isFill)
        used.insert(key)
        if let known = maps[key] { return known }
        let map = try? ShareMap(width: texels.width, height: texels.height)
        maps[key] = map
        return map
    }
}

/// How much of a captured face is shown: a small picture over a part of canonical UV, in all four components. Unchecked: the
/// threads that draw a list only read it, and it is changed only between two lists.
package final class ShareMap: @unchecked Sendable {
    package private(set) var pixels: PixelBuffer

    init(width: Int, height: Int) throws(OutOfMemory) {
        pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
    }

    /// - Parameter shares: of the texels on the face, 0…1.
    func fill(_ shares: [Float], at texels: [FaceTexels.Texel]) {
        let width = pixels.width
        var next = 0
        for y in 0..<pixels.height {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = .zero
                    guard next < texels.count, texels[next].index == y * width + x else { continue }
                    row[x] = SIMD4(repeating: UInt8(255 * min(1, max(0, shares[next])) + 0.5))
                    next += 1
                }
            }
        }
    }
}
