import FaceGeometry
import Hands
import Pixels

/// Carries what is covered from the learnt face's texels into the picture, and moves its outline to the picture's edges: a
/// guided filter (He, Sun and Tang, "Guided Image Filtering", ECCV 2010) with confidences, at a reduced resolution. Its
/// guide is not the brightness but how far each colour is on the way from the face's colours to those of the occluder.
struct MatteRefinement {
    private let texels: CanonicalTexels
    private let confidence: [Float]
    private let hands: [Hand]
    private let evidence: OcclusionRegions.Evidence?
    private let cells: PictureCells
    private let half: Float
    /// From ear to ear, in pixels.
    private let width: Float

    /// Cells of a face's width.
    private static let cellsPerFace: Float = 72
    /// How far hands are shown beyond the face, in its widths: paint reaches a little farther, helmets and capes do much.
    private static let reach: (ofPaint: Float, ofProps: Float) = (0.25, 1)
    /// Of the filter's window, in cells.
    private static let radius = 3
    /// How much of the guide's variance is noise: from the face to the occluder, the guide goes from 0 to 1.
    private static let noise: Float = 0.02

    /// - Parameters:
    ///   - coverage: of the texels, 0…1.
    ///   - confidence: of the texels: how much is known of whether they are covered, 0…1.
    ///   - hands: that are in front of the face.
    ///   - evidence: how the face differs from the learnt one; nil: none has been learnt.
    ///   - half: the filtered coverage, 0…1, at which a place counts as half covered. Above a half, the face is given the
    ///     benefit of the doubt along the edge.
    ///   - hasProps: whether the face wears props.
    ///   - vertices: of the mesh, in pixels.
    ///   - memory: is kept from one matte to the next.
    /// - Returns: nil if nothing is covered.
    static func matte(
        _ coverage: [Float], confidence: [Float], half: Float = 0.5, hands: [Hand] = [],
        evidence: OcclusionRegions.Evidence? = nil, hasProps: Bool = false, _ texels: CanonicalTexels,
        vertices: [Point], in picture: borrowing PixelBuffer, _ memory: inout MatteMemory
    ) -> OcclusionMatte? {
        let reach = hasProps ? Self.reach.ofProps : Self.reach.ofPaint
        let refinement = MatteRefinement(coverage, confidence, half, hands, reach, evidence, texels, vertices)
        return refinement?.matte(coverage, vertices, picture, &memory)
    }

    private init?(
        _ coverage: [Float], _ confidence: [Float], _ half: Float, _ hands: [Hand], _ reach: Float,
        _ evidence: OcclusionRegions.Evidence?, _ texels: CanonicalTexels, _ vertices: [Point]
    ) {
        (self.texels, self.confidence, self.half) = (texels, confidence, half)
        (self.hands, self.evidence) = (hands, evidence)
        let face = FaceBox(around: vertices)
        width = face.width
        var covered: FaceBox?
        for texel in texels.inside where coverage[texel.index] > 0.02 {
            let place = texel.interpolate(vertices)
            covered = covered?.with(place) ?? FaceBox(x: place.x, y: place.y, width: 0, height: 0)
        }
        let surroundings = face.grown(by: reach * face.width)
        // What a hand holds may reach beyond it.
        let margin = evidence == nil ? 0 : 0.2 * width
        for hand in hands {
            guard let part = hand.box.grown(by: margin).intersection(surroundings) else { continue }
            covered = covered?.union(part) ?? part
        }
        guard let covered, vertices.allSatisfy({ abs($0.x) < 1e5 && abs($0.y) < 1e5 }) else { return nil }
        let step = max(1, face.width / Self.cellsPerFace)
        guard let cells = PictureCells(around: covered, margin: 2 * Float(Self.radius), step: step) else { return nil }
        self.cells = cells
    }

    private func matte(
        _ coverage: [Float], _ vertices: [Point], _ picture: borrowing PixelBuffer, _ memory: inout MatteMemory
    ) -> OcclusionMatte? {
        draw(coverage, vertices, into: &memory.known)
        memory.places.removeAll(keepingCapacity: true)
        for y in 0..<cells.height { for x in 0..<cells.width { memory.places.append(cells.place(x, y)) } }
        SkinColors(spacing: cells.step).read(picture, at: memory.places, into: &memory.colors)
        guard findGuide(&memory) else { return nil }
        filter(&memory)
        let (half, filtered) = (half, memory.guide)
        let alpha = memory.alphas.make { alpha in
            for value in filtered {
                let share = ((value - half) / 0.4 + 0.5).limitedToUnit
                alpha.append(UInt8(255 * share * share * (3 - 2 * share) + 0.5))
            }
        }
        guard alpha.contains(where: { $0 > 0 }) else { return nil }
        return OcclusionMatte(box: cells.box, width: cells.width, height: cells.height, alpha: alpha)
    }

    /// Draws the texels with the mesh.
    private func draw(_ coverage: [Float], _ vertices: [Point], into known: inout [MatteMemory.Cell]) {
        known.removeAll(keepingCapacity: true)
        known.append(contentsOf: repeatElement(MatteMemory.Cell(), count: cells.width * cells.height))
        let grid = CanonicalTexels.grid
        known.withUnsafeMutableBufferPointer { known in
            coverage.withUnsafeBufferPointer { coverage in
                confidence.withUnsafeBufferPointer { confidence in
                    grid.forEachCell(texels.meshTriangles, texels.vertices, vertices: vertices, of: cells) {
                        index, place in
                        let covered = grid.interpolated(coverage, at: place)
                        // What has been filled in counts, even where nothing is known of the face.
                        known[index] = MatteMemory.Cell(
                            coverage: covered,
                            confidence: max(0.03, grid.interpolated(confidence, at: place), covered))
                        if let evidence, !hands.isEmpty { look(at: place, evidence, &known[index]) }
                    }
                }
            }
        }
        if !hands.isEmpty { drawHands(into: &known) }
    }

    /// - Parameter place: in the grid of texels.
    private func look(at place: Point, _ evidence: OcclusionRegions.Evidence, _ cell: inout MatteMemory.Cell) {
        let grid = CanonicalTexels.grid
        cell.isRim = grid.interpolated(texels.depth, at: place) < Self.rimDepth
        guard grid.interpolated(evidence.weight, at: place) > Self.leastWeight else { return }
        cell.difference = grid.interpolated(evidence.difference, at: place)
        // The shadow of a hand is not the hand.
        if grid.interpolated(evidence.shadow, at: place) > 0.5 {
            cell.coverage = 0
            cell.difference = min(cell.difference, Self.shadowDifference)
        }
    }

    private func drawHands(into known: inout [MatteMemory.Cell]) {
        var distances = [Float](repeating: .infinity, count: known.count)
        for hand in hands {
            hand.forEachBone { bone, radius in
                cells.forEachCell(near: bone, within: radius + 2 * Self.edge * width) {
                    index, place in
                    distances[index] = min(distances[index], bone.distance(of: place) - radius)
                }
            }
            let palm = hand.palm
            let box = FaceBox(around: palm.corners)
            let diagonal = Segment(from: Point(box.x, box.y), to: Point(box.x + box.width, box.y + box.height))
            cells.forEachCell(near: diagonal, within: 0) { index, place in
                let distance = palm.distance(of: place)
                if distance < 0 { distances[index] = min(distances[index], distance - Self.edge * width) }
            }
        }
        for index in known.indices {
            let distance = distances[index] / (Self.edge * width)
            let covered = (0.5 - distance).limitedToUnit
            known[index].coverage = max(Self.learntShare * known[index].coverage, covered)
            // Along its edge, the colours decide. Beside the face, there is something else.
            let least: Float = abs(distance) < 1 ? Self.edgeConfidence : covered
            known[index].confidence = max(known[index].confidence, least, Self.besideConfidence)
        }
        if evidence != nil { compareWithLearntFace(distances, into: &known) }
    }

    /// Along its edge, a hand reaches less far where the face looks as always. What differs and touches a hand belongs to it: a
    /// finger that the network puts elsewhere, the arm, what the hand holds.
    /// - Parameter distances: of the cells from the hands' outlines, in pixels.
    private func compareWithLearntFace(_ distances: [Float], into known: inout [MatteMemory.Cell]) {
        for index in known.indices where known[index].difference >= 0 && distances[index] > -Self.likeness.depth * width
        {
            let likeness = max(0, 1 - known[index].difference / Self.likeness.difference)
            known[index].coverage = max(0, known[index].coverage - Self.likeness.share * likeness)
        }
        var isOpen = known.indices.map {
            known[$0].difference > Self.unlike.least && distances[$0] < Self.unlike.reach * width
        }
        var region: [Int] = []
        for start in isOpen.indices where isOpen[start] {
            isOpen[start] = false
            region.removeAll(keepingCapacity: true)
            region.append(start)
            var (next, touching, sure) = (0, 0, 0)
            while next < region.count {
                let index = region[next]
                next += 1
                if distances[index] < 0 { touching += 1 }
                if known[index].difference > Self.unlike.sure { sure += 1 }
                TexelGrid.forEachNeighbour(of: index, width: cells.width, height: cells.height, diagonal: false) {
                    guard isOpen[$0] else { return }
                    isOpen[$0] = false
                    region.append($0)
                }
            }
            guard touching >= Self.fewestTouching, sure >= Self.fewestSure else { continue }
            for index in region {
                known[index].coverage = 1
                known[index].confidence = max(known[index].confidence, Self.unlikeConfidence)
            }
        }
        goOnBeyondRim(&known, &region)
    }

    /// Along its outline, nothing is known of the face, and beside it, neither: what covers it just within goes on there.
    /// - Parameter region: memory.
    private func goOnBeyondRim(_ known: inout [MatteMemory.Cell], _ region: inout [Int]) {
        region.removeAll(keepingCapacity: true)
        for index in known.indices
        where known[index].coverage >= Self.rim.coverage && known[index].difference > Self.rim.difference {
            region.append(index)
        }
        var start = 0
        for _ in 0..<Self.rim.steps {
            let end = region.count
            while start < end {
                TexelGrid.forEachNeighbour(of: region[start], width: cells.width, height: cells.height, diagonal: false)
                {
                    guard known[$0].isRim, known[$0].difference < 0, known[$0].coverage < 1 else { return }
                    known[$0].coverage = 1
                    known[$0].confidence = max(known[$0].confidence, Self.rimConfidence)
                    region.append($0)
                }
                start += 1
            }
        }
    }

    /// Where a texel counts so little, nothing is known of its difference.
    private static let leastWeight: Float = 0.1
    /// How much less is covered where nothing differs, up to which difference, and how deep in a hand, in widths of the face.
    private static let likeness: (share: Float, difference: Float, depth: Float) = (0.6, 2.5, 0.03)
    /// What belongs to a hand differs at least so much, in some of its cells surely, and is not farther from it, in widths of the
    /// face.
    private static let unlike: (least: Float, sure: Float, reach: Float) = (5, 8, 0.25)
    private static let (fewestTouching, fewestSure) = (4, 10)
    private static let unlikeConfidence: Float = 0.6
    /// No more than this differs what is in the shadow of a hand.
    private static let shadowDifference: Float = 2.5
    /// Nearer to its outline than this, in widths of the face, it may be that nothing is known of the face.
    private static let rimDepth: Float = 0.07
    /// What is covered and differs so much goes on beyond the rim, by so many cells.
    private static let rim: (coverage: Float, difference: Float, steps: Int) = (0.85, 3, 5)
    private static let rimConfidence: Float = 0.3

    /// How exact the outline of a hand is, in widths of the face.
    private static let edge: Float = 0.04
    /// Beside a hand, what differs from the learnt face counts a little less.
    private static let learntShare: Float = 0.9
    /// How much it is worth there, and beside the face: too little for the colours of the face.
    private static let (edgeConfidence, besideConfidence): (Float, Float) = (0.35, 0.29)

    /// `memory.guide`: how far each cell's colour is on the way from the colours of the face, 0, to those of the
    /// occluder, 1.
    /// - Returns: false if nothing is covered.
    private func findGuide(_ memory: inout MatteMemory) -> Bool {
        var sums = (covered: SIMD4<Float>.zero, free: SIMD4<Float>.zero)
        var squares = SIMD4<Float>.zero
        var weights = (covered: Float(0), free: Float(0))
        for (color, cell) in zip(memory.colors, memory.known) where cell.confidence > 0.3 {
            sums.covered += cell.coverage * color
            sums.free += (1 - cell.coverage) * color
            squares += color * color
            weights.covered += cell.coverage
            weights.free += 1 - cell.coverage
        }
        guard weights.covered > 1 else { return false }
        memory.guide.removeAll(keepingCapacity: true)
        // Nothing is left of the face: there is no edge to look for.
        guard weights.free > 1 else {
            for _ in memory.colors { memory.guide.append(0.5) }
            return true
        }
        let (covered, free) = (sums.covered / weights.covered, sums.free / weights.free)
        let mean = (sums.covered + sums.free) / (weights.covered + weights.free)
        let variance = squares / (weights.covered + weights.free) - mean * mean
        let axis = (covered - free) / (variance + SIMD4(1e-3, 2e-4, 2e-4, 1))
        let length = max((axis * (covered - free)).sum(), 1e-6)
        for color in memory.colors {
            memory.guide.append(max(-0.5, min(1.5, (axis * (color - free)).sum() / length)))
        }
        return true
    }

    // MARK: The guided filter

    /// Replaces the guide by the filtered coverage.
    private func filter(_ memory: inout MatteMemory) {
        memory.sums.removeAll(keepingCapacity: true)
        for (guide, cell) in zip(memory.guide, memory.known) {
            let weight = cell.confidence
            memory.sums.append(
                SIMD8(
                    weight, weight * guide, weight * cell.coverage, weight * guide * guide,
                    weight * guide * cell.coverage, 0, 0, 0))
        }
        sumWindows(&memory.sums, &memory.across)
        for index in memory.sums.indices {
            let sums = memory.sums[index]
            let weight = sums[0]
            guard weight > 1e-3 else {
                memory.sums[index] = .zero
                continue
            }
            let (guide, coverage) = (sums[1] / weight, sums[2] / weight)
            let slope =
                (sums[4] / weight - guide * coverage) / (max(0, sums[3] / weight - guide * guide) + Self.noise)
            let share = min(1, weight)
            memory.sums[index] = SIMD8(share, share * slope, share * (coverage - slope * guide), 0, 0, 0, 0, 0)
        }
        sumWindows(&memory.sums, &memory.across)
        for index in memory.sums.indices {
            let sums = memory.sums[index]
            memory.guide[index] = sums[0] > 1e-3 ? (sums[1] * memory.guide[index] + sums[2]) / sums[0] : 0
        }
    }

    /// Replaces values by their sums over square windows, smaller at the border.
    /// - Parameter across: memory.
    private func sumWindows(_ values: inout [SIMD8<Float>], _ across: inout [SIMD8<Float>]) {
        let (width, height, radius) = (cells.width, cells.height, Self.radius)
        across.removeAll(keepingCapacity: true)
        for y in 0..<height {
            var sum = SIMD8<Float>.zero
            for x in 0..<min(radius, width) { sum += values[y * width + x] }
            for x in 0..<width {
                if x + radius < width { sum += values[y * width + x + radius] }
                if x - radius > 0 { sum -= values[y * width + x - radius - 1] }
                across.append(sum)
            }
        }
        for x in 0..<width {
            var sum = SIMD8<Float>.zero
            for y in 0..<min(radius, height) { sum += across[y * width + x] }
            for y in 0..<height {
                if y + radius < height { sum += across[(y + radius) * width + x] }
                if y - radius > 0 { sum -= across[(y - radius - 1) * width + x] }
                values[y * width + x] = sum
            }
        }
    }
}

/// The memory for making mattes, kept from one to the next.
struct MatteMemory {
    /// The state of a cell before the filter.
    fileprivate struct Cell {
        /// 0…1.
        var coverage: Float = 0
        /// How much that is worth; 0 outside the face.
        var confidence: Float = 0
        /// From the learnt face, in variances; negative: nobody knows.
        var difference: Float = -1
        /// Whether it is beside the face, or along its outline.
        var isRim = true
    }

    // MARK: One value for each cell

    fileprivate var places: [Point] = []
    fileprivate var colors: [SIMD4<Float>] = []
    fileprivate var known: [Cell] = []
    /// Then what comes out of the filter.
    fileprivate var guide: [Float] = []
    fileprivate var (sums, across): ([SIMD8<Float>], [SIMD8<Float>]) = ([], [])
    fileprivate var alphas = ReusedArrays<UInt8>()

    init() {}

    /// Mattes made so far are no longer needed.
    mutating func beginPicture() { alphas.beginPicture() }
}

extension Hand {
    /// The smallest box around the hand, in pixels.
    var box: FaceBox { FaceBox(around: points).grown(by: 0.2 * size) }
}

extension FaceBox {
    func grown(by margin: Float) -> FaceBox {
        FaceBox(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// - Returns: nil if the boxes do not overlap.
    func intersection(_ other: FaceBox) -> FaceBox? {
        let low = Point(max(x, other.x), max(y, other.y))
        let high = Point(min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard high.x > low.x, high.y > low.y else { return nil }
        return FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    fileprivate func union(_ other: FaceBox) -> FaceBox {
        with(Point(other.x, other.y)).with(Point(other.x + other.width, other.y + other.height))
    }

    /// The smallest box around this one and a point.
    fileprivate func with(_ point: Point) -> FaceBox {
        let low = pointwiseMin(Point(x, y), point)
        let high = pointwiseMax(Point(x + width, y + height), point)
        return FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}
