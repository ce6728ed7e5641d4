import CLandmarkCascade

/// The layout of a landmark cascade in memory and in its cache file: a header of 256 bytes, then the parts in order, each
/// at a multiple of 64 bytes. Numbers are in the machine's byte order: the file is a cache, not an exchange format.
struct CascadeLayout: Equatable {
    /// The last digit is the version. Raise it with every change to the layout or the conversion, so that old caches are
    /// ignored.
    static let magic: UInt64 = 0x3144_4143_4155_4142  // "BAUACAD1", as letters
    static let headerSize = 256

    var cascadeCount: Int
    var treeCount: Int
    var depth: Int
    var featureCount: Int

    static let coordinateCount = Int(CLANDMARKCASCADE_COORDINATES)

    var splitCount: Int { (1 << depth) - 1 }
    var leafCount: Int { 1 << depth }

    /// Whether the sizes are within the limits of the evaluation.
    var isSound: Bool {
        (1...64).contains(cascadeCount) && (1...CLANDMARKCASCADE_TREES).contains(treeCount)
            && (1...8).contains(depth) && (1...CLANDMARKCASCADE_FEATURES).contains(featureCount)
    }

    private static func aligned(_ offset: Int) -> Int { (offset + 63) / 64 * 64 }

    var meanShape: Int { Self.headerSize }
    var anchors: Int { Self.aligned(meanShape + 4 * Self.coordinateCount) }
    var deltas: Int { Self.aligned(anchors + 2 * cascadeCount * featureCount) }
    var splits: Int { Self.aligned(deltas + 8 * cascadeCount * featureCount) }
    var leaves: Int {
        Self.aligned(splits + MemoryLayout<clandmarkcascade_split>.stride * cascadeCount * treeCount * splitCount)
    }
    var size: Int { leaves + 4 * cascadeCount * treeCount * leafCount * Self.coordinateCount }
}
