/// A look-up table over the RGB cube that moves colours from one distribution to another: mean and standard deviation are
/// matched (Reinhard et al., "Color Transfer between Images", 2001) in Oklab. Immutable; renderers may cache uploads by
/// identity.
package final class ColorTable: Sendable {
    /// Entries per side of the cube.
    package static let side = 16

    /// `side`³ × RGBA, sRGB-encoded; red varies fastest, alpha is 255.
    package let bytes: [UInt8]
    package let from: ColorStatistics
    package let to: ColorStatistics

    /// The colours of the entries, in Oklab.
    private static let lattice: [SIMD3<Float>] = (0..<(side * side * side)).map { index in
        let last = Float(side - 1)
        return OklabColor.lab(
            SIMD3(Float(index % side), Float(index / side % side), Float(index / side / side)) / last)
    }

    convenience init(from: ColorStatistics, to: ColorStatistics) {
        // A texture of one colour must not take on the patches of the skin, and a colourful one must not become flat.
        let ratio = (to.deviation / pointwiseMax(from.deviation, SIMD3(repeating: 0.004)))
            .clamped(lowerBound: SIMD3(repeating: 0.6), upperBound: SIMD3(repeating: 1.4))
        self.init(from: from, to: to) { to.mean + ratio * ($0 - from.mean) }
    }

    /// Between two faces, one of which is shown in the light of the other: Oklab is proportional to the cube root of light, so
    /// a factor is another exposure. Black stays black, and highlights stand out no more than they did.
    static func relighting(from: ColorStatistics, to: ColorStatistics) -> ColorTable {
        let exposure = min(1.8, max(0.4, to.mean.x / max(0.02, from.mean.x)))
        var tint = to.mean - exposure * from.mean
        tint.x = 0
        return ColorTable(from: from, to: to) { lab in
            let lightness =
                lab.x < from.mean.x
                ? exposure * lab.x : exposure * from.mean.x + min(1, exposure) * (lab.x - from.mean.x)
            let exposed = lightness / max(1e-4, lab.x) * lab
            return exposed + min(1, max(0, exposed.x / max(0.02, to.mean.x))) * tint
        }
    }

    /// - Parameter map: from a colour to another, in Oklab.
    init(from: ColorStatistics, to: ColorStatistics, _ map: (_ lab: SIMD3<Float>) -> SIMD3<Float>) {
        (self.from, self.to) = (from, to)
        var bytes = [UInt8](repeating: 255, count: 4 * Self.lattice.count)
        for (index, lab) in Self.lattice.enumerated() {
            let rgb = OklabColor.rgb(map(lab))
            for component in 0..<3 {
                bytes[4 * index + component] = UInt8(min(255, max(0, (255 * rgb[component]).rounded())))
            }
        }
        self.bytes = bytes
    }
}

/// The colour tables of one face, one per source of colours. At most `capacity` are kept; the least recently used one is
/// dropped first. A table stays in use until the statistics have changed visibly.
struct ColorTableCache {
    /// The source of a layer's colours.
    enum Source: Hashable {
        case texture(ObjectIdentifier)
        case face(trackID: Int)
        /// A source without statistics of its own.
        case other
    }

    /// 16 KiB each. More than the frames of the longest animation (`MaskLoader.maximumFrames`): with fewer entries than
    /// frames, an animation that repeats would never find its tables again.
    static let capacity = 256

    /// A class, so that noting a use allocates nothing.
    private final class Entry {
        let table: ColorTable
        var lastUse: Int

        init(_ table: ColorTable, lastUse: Int) { (self.table, self.lastUse) = (table, lastUse) }
    }

    private var entries: [Source: Entry] = [:]
    private var uses = 0

    var count: Int { entries.count }

    mutating func table(for source: Source, from: ColorStatistics, to: ColorStatistics) -> ColorTable {
        uses += 1
        if let entry = entries[source], entry.table.from.isNear(from), entry.table.to.isNear(to) {
            entry.lastUse = uses
            return entry.table
        }
        if entries[source] == nil, entries.count >= Self.capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            entries[oldest] = nil
        }
        let table =
            if case .face = source { ColorTable.relighting(from: from, to: to) } else { ColorTable(from: from, to: to) }
        entries[source] = Entry(table, lastUse: uses)
        return table
    }
}
