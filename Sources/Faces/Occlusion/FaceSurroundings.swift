import FaceGeometry
import Pixels

/// The picture just outside the outline of a face, as it usually is. Occluders come from there, so it changes there,
/// too; a smile, a shadow, or a turn of the head changes nothing there.
struct FaceSurroundings {
    /// Place by place (see `FaceOutline.places`), as `SkinColors`.
    private var mean: [SIMD4<Float>] = []
    private var variance: [SIMD4<Float>] = []
    private var frames = 0
    /// Of the frame that was read last.
    private(set) var colors: [SIMD4<Float>] = []
    /// Whether the picture shows the place.
    private(set) var isInside: [Bool] = []
    /// Sector by sector: by how many variances the colours differ from the usual ones, summed over the places; nil where the
    /// picture ends.
    private var changes: [Float?] = []
    /// The same without their neighbours.
    private var singleChanges: [Float?] = []
    /// Place by place: the usual colours, in the light of this frame where that explains more.
    private var expected: [SIMD4<Float>] = []
    /// In which the usual colours were seen, and that of this frame (see `compare`).
    private var (usualLight, light) = (SIMD4<Float>.zero, SIMD4<Float>.zero)

    /// Colours change in this time, in seconds.
    private static let memory: Float = 4
    private static let noise = SIMD4<Float>(0.0036, 0.0012, 0.0012, 1)
    private static let firstVariance = SIMD4<Float>(0.01, 0.01, 0.01, 0)
    /// A sector that changes so much may be one over which something comes in; one over which something has come, so much.
    private static let (least, leastStaying): (Float, Float) = (8, 5)
    /// Of the sectors that a region touches, such a share has changed.
    private static let (share, shareStaying): (Float, Float) = (0.4, 0.24)
    /// Colours whose `unlikeness` is less are those of one thing.
    static let alike: Float = 3
    private static let tolerance = SIMD4<Float>(0.15, 0.06, 0.06, 1)
    /// Sectors on both sides of what is covered are not learnt.
    private static let margin = 4

    init() {}

    /// - Parameters:
    ///   - width: of the face, in pixels.
    mutating func read(_ picture: borrowing PixelBuffer, at places: [Point], width: Float) {
        SkinColors(spacing: max(1, 0.03 * width)).read(picture, at: places, into: &colors)
        let (right, bottom) = (Float(picture.width) - 1, Float(picture.height) - 1)
        isInside.removeAll(keepingCapacity: true)
        for place in places { isInside.append(place.x >= 1 && place.y >= 1 && place.x <= right && place.y <= bottom) }
        if mean.isEmpty {
            (mean, frames) = (colors, 1)
            variance = [SIMD4<Float>](repeating: Self.firstVariance, count: colors.count)
        }
    }

    /// Compares what has been read with what is usual. Call it before `letIn`.
    /// - Parameter light: how the light on the face differs from the one that the face is known in: what changes with it, such
    ///   as all of a room whose lamp is switched on, has not come in.
    mutating func compare(light: SIMD4<Float>) {
        self.light = light
        let noise = Self.noise
        func difference(_ place: Int, _ color: SIMD4<Float>) -> Float {
            let difference = colors[place] - color
            return (difference * difference / (variance[place] + noise)).sum()
        }
        expected.removeAll(keepingCapacity: true)
        for place in mean.indices {
            let lit = mean[place] + light - usualLight
            expected.append(difference(place, lit) < difference(place, mean[place]) ? lit : mean[place])
        }
        let (depth, count) = (FaceOutline.depth, FaceOutline.sectorCount)
        singleChanges.removeAll(keepingCapacity: true)
        for sector in 0..<count {
            guard isInside[sector * depth] else {
                singleChanges.append(nil)
                continue
            }
            var sum: Float = 0
            for place in sector * depth..<(sector + 1) * depth { sum += difference(place, expected[place]) }
            singleChanges.append(sum)
        }
        changes.removeAll(keepingCapacity: true)
        for sector in 0..<count {
            guard let change = singleChanges[sector] else {
                changes.append(nil)
                continue
            }
            let before = singleChanges[(sector + count - 1) % count] ?? change
            let after = singleChanges[(sector + 1) % count] ?? change
            changes.append((before + change + after) / 3)
        }
    }

    /// Whether something may have come in over these sectors: most of them have changed and look now more like what it
    /// looks like inside the outline, or too few of them are in the picture.
    /// - Parameters:
    ///   - inside: the colour just inside the outline, by sector; nil for those that the region does not touch.
    ///   - isThere: whether it was there in the frame before.
    func letIn(_ inside: PerSector<SIMD4<Float>?>, isThere: Bool) -> Bool {
        var (touched, known, changed) = (0, 0, 0)
        for sector in inside.indices {
            guard let color = inside[sector] else { continue }
            touched += 1
            guard let change = changes[sector] else { continue }
            known += 1
            guard change > (isThere ? Self.leastStaying : Self.least) else { continue }
            let place = sector * FaceOutline.depth
            let now = Self.unlikeness(color, colors[place])
            if now < max(Self.unlikeness(color, expected[place]), Self.alike) { changed += 1 }
        }
        guard known >= 2 else { return touched > 0 }
        return Float(changed) >= (isThere ? Self.shareStaying : Self.share) * Float(known)
    }

    /// The squared difference of two colours, in units of `tolerance`.
    static func unlikeness(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
        let difference = (a - b) / tolerance
        return (difference * difference).sum()
    }

    /// Call it after `compare`.
    /// - Parameters:
    ///   - covered: whether something has come in over a sector.
    ///   - elapsed: since the last frame, in seconds.
    mutating func learn(except covered: PerSector<Bool>, elapsed: Float) {
        let rate = min(1, max(1 / Float(frames + 1), elapsed / Self.memory))
        let depth = FaceOutline.depth
        var isNear = PerSector(repeating: false)
        for sector in covered.indices where covered[sector] {
            for offset in -Self.margin...Self.margin {
                isNear[(sector + offset + isNear.count) % isNear.count] = true
            }
        }
        for place in mean.indices where isInside[place] && !isNear[place / depth] {
            let difference = colors[place] - expected[place]
            variance[place] = (1 - rate) * (variance[place] + rate * difference * difference)
            mean[place] += rate * (colors[place] - mean[place])
        }
        usualLight += rate * (light - usualLight)
        frames += 1
    }
}

extension SIMD4<Float> {
    /// Of each of the first three components by itself.
    static func median(_ values: [SIMD4<Float>]) -> SIMD4<Float> {
        var result = SIMD4<Float>.zero
        for component in 0..<3 { result[component] = values.map { $0[component] }.sorted()[values.count / 2] }
        return result
    }
}
