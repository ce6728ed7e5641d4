import FaceGeometry
import Glibc
import Occlusion
import Pixels

/// Where a face is looked at before it is swapped: on the reference face.
struct SwapSamples {
    /// On the cheeks, on the upper lip, and right above the brows.
    let (cheeks, lip, forehead): ([FaceTexels.Texel], [FaceTexels.Texel], [FaceTexels.Texel])
    /// All over the part that is swapped.
    let region: [FaceTexels.Texel]
    /// From one texel to the next, in face widths.
    let spacing: Float

    init(_ texels: FaceTexels, _ reference: ReferenceFace) {
        let (topology, marks, width) = (Landmarks.topology, reference.landmarks, reference.width)
        let center = marks[topology.noseBase].x
        func texelsWithin(_ across: ClosedRange<Float>, _ down: ClosedRange<Float>) -> [FaceTexels.Texel] {
            texels.texels.filter { across.contains(abs($0.place.x - center) / width) && down.contains($0.place.y) }
        }
        let (nose, lipTop) = (marks[topology.noseBase].y, marks[topology.upperLipCenter].y)
        let brows = topology.brows.map { marks[$0].y }.min() ?? 0
        cheeks = texelsWithin(0.2...0.3, (marks[topology.rightEyeInnerCorner].y + nose) / 2...nose)
        // Below the shadow of the nose.
        lip = texelsWithin(0...0.14, nose + 0.3 * (lipTop - nose)...nose + 0.9 * (lipTop - nose))
        forehead = texelsWithin(0...0.28, brows - 0.09 * width...brows - 0.025 * width)
        let swapped = SwapRegion(reference, openings: [])
        region = texels.texels.filter { texel in
            (texel.index / texels.width + texel.index % texels.width) % 5 == 0 && swapped.share(at: texel.place) > 0.5
        }
        spacing = texels.spacing / texels.faceWidth
    }
}

/// What of a face decides whether it is swapped. Differences of logarithmic luminance do not depend on the light.
struct SwapLook {
    /// From ear to ear, in pixels.
    private(set) var width: Float
    /// Of the head, in radians.
    private(set) var (yaw, pitch): (Float, Float)
    /// How much of the part that is swapped is in the picture, and has nothing in front of it that is known of, 0…1.
    private(set) var free: Float
    /// How far the bridge of the nose is covered by what is known of, 0…1: by glasses, a hand, or a fringe.
    private(set) var bridgeCover: Float
    /// How much darker the upper lip is than the cheeks, as a logarithm: a moustache.
    private(set) var lip: Float
    /// How much of the forehead, right above the brows, is much darker than the cheeks, 0…1: a fringe.
    private(set) var fringe: Float
    /// The contrast of the strongest dark line over the bridge of the nose; and the sum of the strongest lines there and below
    /// both eyes, of frames that shine or are thin. As logarithms.
    private(set) var (frame, rims): (Float, Float)
    /// The logarithmic colour of the cheeks (`SkinColors`).
    private(set) var skin: SIMD4<Float>

    private static let dark: Float = 0.35
    /// In face widths: from row to row and column to column of a line's surroundings, and how far the rows go.
    private static let (step, reach): (Float, Float) = (0.01, 0.13)
    private static let columns = 9

    /// What measuring needs, kept from one face to the next.
    struct Memory {
        fileprivate var places: [Point] = []
        fileprivate var colors: [SIMD4<Float>] = []
        fileprivate var rows: [Float] = []
    }

    /// - Parameters:
    ///   - vertices: of the plain mesh in the picture, pixels.
    ///   - matte: the occluders of the face.
    init(
        _ face: Face, _ samples: SwapSamples, vertices: [Point], matte: OcclusionMatte?,
        in picture: borrowing PixelBuffer, _ memory: inout Memory
    ) {
        width = Landmarks.topology.faceWidth(vertices)
        (yaw, pitch) = (face.pose.yaw, face.pose.pitch)
        let size = Point(Float(picture.width), Float(picture.height))
        func cover(_ place: Point) -> Float {
            guard place.x >= 0, place.y >= 0, place.x < size.x, place.y < size.y else { return 1 }
            return matte.map { Float($0.interpolated(at: place)) / 255 } ?? 0
        }
        free =
            1 - samples.region.reduce(0) { $0 + cover($1.interpolate(vertices)) } / Float(max(1, samples.region.count))
        let reader = SkinColors(spacing: samples.spacing * FaceBox(around: vertices).width)
        func read(_ texels: [FaceTexels.Texel], _ picture: borrowing PixelBuffer, _ memory: inout Memory) {
            memory.places.removeAll(keepingCapacity: true)
            for texel in texels { memory.places.append(texel.interpolate(vertices)) }
            reader.read(picture, at: memory.places, into: &memory.colors)
        }
        read(samples.cheeks, picture, &memory)
        let skin = memory.colors.reduce(.zero, +) / Float(max(1, memory.colors.count))
        self.skin = skin
        read(samples.lip, picture, &memory)
        lip = skin.x - memory.colors.reduce(.zero, +).x / Float(max(1, memory.colors.count))
        read(samples.forehead, picture, &memory)
        fringe = Float(memory.colors.count { $0.x < skin.x - Self.dark }) / Float(max(1, memory.colors.count))
        let topology = Landmarks.topology
        let inner = (vertices[topology.rightEyeInnerCorner], vertices[topology.leftEyeInnerCorner])
        let across = (inner.1 - inner.0) / max(1e-3, (inner.1 - inner.0).length) * width
        let bridge = (inner.0 + inner.1) / 2
        let dark = Self.line(at: bridge, across, columns: 0.05, 0, margin: 5, in: picture, &memory)
        bridgeCover = memory.places.indices.reduce(0) { most, index in
            guard index % Self.columns == 0 else { return most }
            let row = memory.places[index..<index + Self.columns]
            return max(most, row.reduce(0) { $0 + cover($1) } / Float(Self.columns))
        }
        frame = dark.dark
        var rims = Self.line(at: bridge, across, columns: 0.03, 0, margin: 4, in: picture, &memory).any
        for eye in [topology.rightEye, topology.leftEye] {
            let lid = eye.lower.reduce(.zero) { $0 + vertices[$1] } / Float(max(1, eye.lower.count))
            rims += max(0, Self.line(at: lid, across, columns: 0.06, 0.135, margin: 5, in: picture, &memory).any)
        }
        self.rims = rims
    }

    /// The contrast of the strongest line across a place.
    /// - Parameters:
    ///   - across: from the right to the left of the face, a face width long.
    ///   - half: of the line's length, in face widths.
    ///   - down: where the middle of the rows is, below the place, in face widths.
    ///   - margin: to both sides of the line, in rows.
    private static func line(
        at place: Point, _ across: Point, columns half: Float, _ down: Float, margin: Int,
        in picture: borrowing PixelBuffer, _ memory: inout Memory
    ) -> (dark: Float, any: Float) {
        let (below, reach) = (Point(-across.y, across.x), Int(Self.reach / (down > 0 ? 1.5 : 1) / step) + margin)
        memory.places.removeAll(keepingCapacity: true)
        for row in -reach...reach {
            for column in 0..<columns {
                let right = half * (2 * Float(column) / Float(columns - 1) - 1)
                memory.places.append(place + right * across + (down + step * Float(row)) * below)
            }
        }
        SkinColors(spacing: step * across.length).read(picture, at: memory.places, into: &memory.colors)
        memory.rows.removeAll(keepingCapacity: true)
        for first in stride(from: 0, to: memory.colors.count, by: columns) {
            memory.rows.append(
                memory.colors[first..<first + columns].reduce(0) { $0 + $1.x } / Float(columns))
        }
        var (dark, bright): (Float, Float) = (-1, -1)
        for row in margin..<memory.rows.count - margin {
            let (above, here, under) = (memory.rows[row - margin], memory.rows[row], memory.rows[row + margin])
            dark = max(dark, min(above, under) - here)
            bright = max(bright, here - max(above, under))
        }
        return (dark, max(dark, bright))
    }

    /// Moves towards another look by a weight of 0…1.
    mutating func approach(_ other: SwapLook, by weight: Float) {
        func mix(_ a: Float, _ b: Float) -> Float { a + weight * (b - a) }
        (width, yaw, pitch) = (mix(width, other.width), mix(yaw, other.yaw), mix(pitch, other.pitch))
        (free, bridgeCover) = (mix(free, other.free), mix(bridgeCover, other.bridgeCover))
        (lip, fringe) = (mix(lip, other.lip), mix(fringe, other.fringe))
        (frame, rims) = (mix(frame, other.frame), mix(rims, other.rims))
        skin += weight * (other.skin - skin)
    }

    // MARK: Suiting

    /// Within which faces are swapped.
    struct Limits {
        let (smallest, smallestRatio): (Float, Float)
        let (yaw, yawGap, pitchGap): (Float, Float, Float)
        let (free, bridgeCover): (Float, Float)
        let (lip, fringe, frame, rims): (Float, Float, Float, Float)

        /// Of faces that begin to swap.
        static let first = Limits(
            smallest: 36, smallestRatio: 0.7, yaw: 0.42, yawGap: 0.28, pitchGap: 0.3, free: 0.8, bridgeCover: 0.4,
            lip: 0.3, fringe: 0.18, frame: 0.12, rims: 0.3)
        /// Of faces that swap already.
        static let later = Limits(
            smallest: 31, smallestRatio: 0.6, yaw: 0.52, yawGap: 0.4, pitchGap: 0.45, free: 0.65, bridgeCover: 0.6,
            lip: 0.42, fringe: 0.3, frame: 0.19, rims: 0.42)
    }

    /// Whether the face can be given to others, and get another.
    func suits(_ limits: Limits) -> Bool {
        width >= limits.smallest && abs(yaw) <= limits.yaw && free >= limits.free && bridgeCover <= limits.bridgeCover
            && lip <= limits.lip && fringe <= limits.fringe && frame <= limits.frame && rims <= limits.rims
    }

    /// How badly two faces that can be swapped suit each other, from 0; nil: not at all.
    func distance(to other: SwapLook, _ limits: Limits) -> Float? {
        let ratio = min(width, other.width) / max(1, max(width, other.width))
        // As it is, or mirrored.
        let yawGap = min(abs(yaw - other.yaw), abs(yaw + other.yaw))
        let pitchGap = abs(pitch - other.pitch)
        guard ratio >= limits.smallestRatio, yawGap <= limits.yawGap, pitchGap <= limits.pitchGap else { return nil }
        let color = skin - other.skin
        let most = Limits.first
        return (1 - ratio) / (1 - most.smallestRatio) + yawGap / most.yawGap + pitchGap / most.pitchGap
            + (color * color).sum().squareRoot()
    }
}
