import FaceGeometry
import Glibc
import MaskComposition
import PersonSegmentation
import Pixels

/// Where the hair of a head is, in the cells about it: what of the person lies about the upper face, is no skin, and hangs down
/// from there. Kept from picture to picture, it moves with the head.
struct HairGrid {
    private static let (side, count) = (HairPlaces.side, HairPlaces.count)
    private static let cell = HairPlaces.cell

    private(set) var places = HairPlaces()
    /// How far each cell is hair, 0…1, steadied from picture to picture.
    private(set) var hair = [Float](repeating: 0, count: count)
    /// How far each cell is dyed, 0…1, steadied: where what is beside hair looks like it, nobody sees where hair ends, and the dye
    /// fades out. Hair of which a part is not found is dyed at its roots alone: its dye would end in mid-length.
    private(set) var certainty = [Float](repeating: 1, count: count)
    /// The colours of hair, and of what is beside it, in each cell.
    private(set) var (inside, beside) = (BackgroundFill(side: side), BackgroundFill(side: side))
    /// The mean lightness of hair and of skin, in Oklab, steadied; nil: there is no hair.
    private(set) var lightness: (hair: Float, skin: Float)?

    /// Beyond the face's outline, where hair is learnt, and where least else is, in heights of the face.
    private static let ring: (near: Float, typical: Float, far: Float) = (0.03, 0.11, 0.2)
    /// How much of the ring must be hair: none of it is coloured below the first, all above the second.
    private static let enough: (none: Float, all: Float) = (0.06, 0.2)
    /// Below the chin, what looks like hair and spreads more than hair does is clothes. How much of it: hair hangs as far as it is
    /// seen up to the first, and is cut short from the second on.
    private static let spread: (hair: Float, clothes: Float) = (0.12, 0.35)
    /// The same, of all that is below the shoulders and not aside.
    private static let cover: (hair: Float, clothes: Float) = (0.36, 0.52)
    /// The same, of what is below the neck.
    private static let chest: (hair: Float, clothes: Float) = (0.06, 0.2)
    /// How far hair hangs beside what of it is beside the face: at the chin, and one height of the face below it.
    private static let wider: (top: Float, more: Float) = (0.12, 0.35)
    /// The same, of what is dyed: the outer edge of hair goes on downwards.
    private static let strip: (top: Float, more: Float) = (0.06, 0.13)

    /// Differences in lightness between hair and what is behind it, within so many cells: its edge is not seen up to the first,
    /// and clearly from the second on.
    private static let contrast: (none: Float, clear: Float) = (0.07, 0.2)
    private static let around = 16
    /// Where it is not seen, all is dyed up to the first beyond the face's outline, above and below the eyes, and the least from
    /// where it ends.
    private static let sure: (upper: Float, lower: Float, end: Float, least: Float) = (0.02, -0.02, 0.10, 0.04)

    /// How much of hair lies where it does not count, and how far what hangs down beside the face may be clothes: all of the hair
    /// is known up to the first, and too little from the second on.
    private static let cut: (whole: Float, none: Float) = (0.04, 0.1)
    private static let doubtful: (whole: Float, none: Float) = (0.3, 0.8)
    /// So far beyond the face's outline roots go: fully, and at most. They fade out from the eyes to so far down to the chin.
    private static let roots: (full: Float, most: Float, down: Float) = (0.02, 0.2, 0.5)

    /// How far cells below a fringe are hair, up to so many cells above the brows.
    private static let strands: Float = 0.14
    private static let aboveBrows: Float = 4

    /// So many cells, one below the other, are more than the temples of glasses are thick.
    private static let bar = 7
    /// Where those are, above and below the eyes and beside the face, in heights of the face; below, hair as wide as so many cells
    /// hangs down.
    private static let temple: (up: Float, down: Float, beside: Float, hair: Float) = (0.14, 0.16, 0.16, 0.3)

    /// So many cells below the chin are long hair.
    private static let long = 24

    // MARK: Memory

    private var labs = [SIMD3<Float>](repeating: .zero, count: count)
    private var (person, found) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    private var blurred = [Float](repeating: 0, count: count)
    private var column = [Float](repeating: 0, count: side)
    private var isReached = [Bool](repeating: false, count: count)
    private var (looks, typical, stack) = ([HairLook.Look](), [Float](), [Int]())
    private var lower: [(look: HairLook.Look, isAside: Bool)] = []
    private var look = HairLook()
    private var outline = HairOutline()
    /// How far hair hangs down, 0…1, steadied.
    private var hanging: Float = 0
    /// How far what hangs down beside the face may be clothes, 0…1.
    private var clothing: Float = 0

    /// Moves the cells to the head.
    /// - Returns: false if there is nothing to see.
    mutating func place(_ instance: FaceInstance) -> Bool { places.place(instance) }

    /// Finds hair in the square.
    /// - Parameters:
    ///   - others: the faces beside it.
    ///   - picture: `rgba8`.
    ///   - matte: of the square.
    ///   - rate: 0…1: how fast what was found before is replaced.
    mutating func find(
        _ instance: FaceInstance, beside others: [OrientedBox], in picture: borrowing PixelBuffer, _ matte: PersonMatte,
        rate: Float
    ) {
        places.lay(instance, beside: others, hanging: rate == 1 ? 1 : hanging)
        let square = places.square
        read(picture, matte)
        let share = learn()
        let confidence = smoothstep(Self.enough.none, Self.enough.all, share)
        if confidence > 0 {
            let hanging = classify(isAlone: others.isEmpty)
            self.hanging += rate * (hanging - self.hanging)
            if rate == 1 { places.lay(instance, beside: others, hanging: hanging) }
            refine()
        } else {
            for index in found.indices { found[index] = 0 }
        }
        let whole = confidence > 0 ? wholeness() : 1
        var (sum, weight): (Float, Float) = (0, 0)
        for index in hair.indices {
            // Nobody is there any more: it is not waited for.
            let pace = person[index] < 0.2 ? 1 : rate
            hair[index] += pace * (found[index] * confidence - hair[index])
            if hair[index] > 0.9, places.reach[index] > 0.9 {
                sum += labs[index].x
                weight += 1
            }
        }
        if weight > 8 {
            let new = (hair: sum / weight, skin: look.skin.x)
            let old = lightness ?? new
            lightness = (old.hair + rate * (new.hair - old.hair), old.skin + rate * (new.skin - old.skin))
        } else if rate == 1 {
            lightness = nil
        }
        inside.read(picture, square) { hair[$0] > 0.85 ? 1 : 0 }
        beside.read(picture, square) { hair[$0] < 0.08 ? 1 : 0 }
        doubt(in: picture, whole: whole, rate)
    }

    /// How far all of the hair has been found, 0…1.
    private func wholeness() -> Float {
        var (all, lost): (Float, Float) = (0, 0)
        for index in found.indices where found[index] > 0.3 {
            all += found[index]
            lost += found[index] * (1 - places.reach[index])
        }
        return (1 - smoothstep(Self.cut.whole, Self.cut.none, lost / max(1, all)))
            * (1 - smoothstep(Self.doubtful.whole, Self.doubtful.none, clothing))
    }

    /// How far a cell is dyed if only the roots are, 0…1.
    private func root(_ index: Int) -> Float {
        let y = Float(index / Self.side)
        let outside = Self.cell / 3 * Float(places.fromFace[index])
        return (1 - smoothstep(Self.roots.full, Self.roots.most, outside))
            * (1 - smoothstep(places.eyes, places.eyes + Self.roots.down * (places.chin - places.eyes), y))
    }

    /// Compares hair with what is behind the person, and finds how far each cell is dyed.
    /// - Parameter whole: how far all of the hair is known, 0…1.
    private mutating func doubt(in picture: borrowing PixelBuffer, whole: Float, _ rate: Float) {
        guard let mean = lightness?.hair else { return }
        let (square, size) = (places.square, Point(Float(picture.width), Float(picture.height)))
        let (across, down) = (square.across / Float(Self.side), square.down / Float(Self.side))
        for index in found.indices {
            let (x, y) = (Float(index % Self.side) + 0.5, Float(index / Self.side) + 0.5)
            let place = square.origin + x * across + y * down
            let isInside = all(place .>= .zero) && all(place .< size)
            person[index] = isInside && person[index] < 0.3 && hair[index] < 0.08 ? 1 : 0
            found[index] = person[index] * labs[index].x
        }
        CellRegions.mean(person, side: Self.side, reach: Self.around, into: &blurred, &column)
        CellRegions.mean(found, side: Self.side, reach: Self.around, into: &person, &column)
        for index in certainty.indices {
            let around = blurred[index]
            let difference = around < 0.01 ? 1 : abs(person[index] / around - mean)
            let seen = smoothstep(Self.contrast.none, Self.contrast.clear, difference)
            let outside = Self.cell / 3 * Float(places.fromFace[index])
            let near = places.isUpper[index] ? Self.sure.upper : Self.sure.lower
            let least = 1 - (1 - Self.sure.least) * smoothstep(near, near + Self.sure.end, outside)
            let known = whole < 1 ? whole + (1 - whole) * root(index) : 1
            certainty[index] += rate * (known * max(seen, least) - certainty[index])
        }
    }

    // MARK: Colours

    private mutating func read(_ picture: borrowing PixelBuffer, _ matte: PersonMatte) {
        let square = places.square
        let (across, down) = (square.across / Float(Self.side), square.down / Float(Self.side))
        let (width, height) = (Float(picture.width), Float(picture.height))
        let origin = square.origin
        picture.withUnsafeBytes { bytes in
            for y in 0..<Self.side {
                for x in 0..<Self.side {
                    var (sum, count) = (SIMD4<Float>.zero, Float(0))
                    for sample in 0..<4 {
                        let place =
                            origin + (Float(x) + (sample & 1 == 0 ? 0.25 : 0.75)) * across
                            + (Float(y) + (sample & 2 == 0 ? 0.25 : 0.75)) * down
                        guard place.x >= 0, place.y >= 0, place.x < width, place.y < height else { continue }
                        sum += SIMD4<Float>(
                            bytes.loadUnaligned(
                                fromByteOffset: Int(place.y) * picture.bytesPerRow + 4 * Int(place.x),
                                as: SIMD4<UInt8>.self))
                        count += 1
                    }
                    let index = y * Self.side + x
                    person[index] =
                        count == 0 ? 0 : matte.value(at: (Point(Float(x), Float(y)) + 0.5) / Float(Self.side))
                    labs[index] = SIMD3(sum.x, sum.y, sum.z) / (255 * max(1, count))
                }
            }
        }
        OklabColor.convertToLab(&labs)
    }

    /// Learns skin and hair.
    /// - Returns: how much of the ring around the upper face is hair, 0…1.
    private mutating func learn() -> Float {
        let aboveBrows = Self.side * Int(max(0, min(Float(Self.side), places.brows)))
        looks.removeAll(keepingCapacity: true)
        for index in labs.indices where places.isSkin[index] {
            looks.append(HairLook.look(labs[index]))
        }
        guard look.learnSkin(&looks) else { return 0 }
        looks.removeAll(keepingCapacity: true)
        let (near, far) = (Int32(3 * Self.ring.near / Self.cell), Int32(3 * Self.ring.far / Self.cell))
        let nearest = Int32(3 * Self.ring.typical / Self.cell)
        typical.removeAll(keepingCapacity: true)
        look.mayShine = true
        var (all, others, shining): (Float, Float, Float) = (0, 0, 0)
        for index in labs.indices
        where !places.isFace[index] && places.isUpper[index] && places.fromFace[index] >= near
            && places.fromFace[index] <= far && person[index] > 0.7 && places.reach[index] > 0.5
        {
            all += 1
            let value = HairLook.look(labs[index])
            guard look.fromSkin(value) > 4.5 else { continue }
            if look.fromShine(value) > 4.5 { others += 1 } else { shining += 1 }
            looks.append(value)
            if index < aboveBrows, places.fromFace[index] <= nearest { typical.append(value.x) }
        }
        // Whose hair is seen beside what may shine is not bald.
        look.mayShine = others < Self.enough.all * all
        if look.mayShine, shining > 0 { looks.removeAll { look.fromShine($0) <= 4.5 } }
        let share = Float(looks.count) / max(1, all)
        guard all >= 12, look.learnHair(&looks, typical: &typical) else { return 0 }
        return share
    }

    /// How much each of some rows of cells looks like hair.
    /// - Parameters:
    ///   - rows: from top to bottom.
    ///   - isOver: whether what is behind hair, seen from the face, is compared alone.
    private mutating func compare(_ rows: Range<Int>, isOver: Bool = false) {
        let near = Int32(3 * 0.3 / Self.cell)
        for y in rows {
            let depth = Self.cell * (Float(y) - places.chin)
            for x in 0..<Self.side {
                let index = y * Self.side + x
                guard places.reach[index] > 0, person[index] > 0.1 else {
                    found[index] = 0
                    continue
                }
                if isOver, found[index] > 0.9 || !isBehindHair(index) { continue }
                let value = HairLook.look(labs[index])
                let isUpper = places.isUpper[index]
                let low = depth < 0 ? 0 : max(0.01, smoothstep(0.1, 0.4, depth + 0.1 * HairPlaces.strand(x)))
                let isSure = isUpper || depth < 0 && places.fromFace[index] < near
                let isShaded = !isUpper && !places.isStrict[index]
                let old = isOver ? found[index] : 0
                found[index] =
                    smoothstep(0.4, 0.7, person[index])
                    * look.hair(value, isSure: isSure, isShaded: isShaded, isOver: isOver, low: low)
                if isOver { found[index] *= smoothstep(0.8, 2.2, look.fromSkin(value)) }
                if isUpper { found[index] *= look.isNoShine(value) }
                defer { found[index] = max(old, found[index]) }
                if places.isSocket[index] { found[index] *= smoothstep(3.5, 8, look.fromSkin(value, isShaded: true)) }
                // Shadows on the face and the neck are dark, too.
                guard places.isStrict[index] else { continue }
                found[index] *= smoothstep(0.4, 0.9, found[index])
                if !isUpper { found[index] *= smoothstep(6, 14, look.fromSkin(value)) }
            }
        }
    }

    /// Whether hair is between a cell beside the face and the middle of the face.
    private func isBehindHair(_ index: Int) -> Bool {
        guard places.fromFace[index] > Int32(3 * 0.06 / Self.cell) else { return false }
        let place = Point(Float(index % Self.side), Float(index / Self.side))
        let step = (places.center - place) / max(1, (places.center - place).length)
        var hair: Float = 0
        for count in 1..<Self.side {
            let next = place + Float(count) * step
            let cell = Int(next.y) * Self.side + Int(next.x)
            // The forehead may begin lower than it is taken for.
            guard found.indices.contains(cell), places.toRim[cell] < Int32(3 * 0.15 / Self.cell) else { break }
            hair += found[cell]
            if hair > 1.5 { return true }
        }
        return false
    }

    /// Temples of glasses are as dark as hair, but lie across the sides of the face: beside the eyes, what is connected over fewer
    /// cells downwards is none, unless hair is beside the jaw, too.
    private mutating func removeBars() {
        let (side, reach) = (Self.side, Self.bar / 2)
        // Landmarks from a file may lie anywhere.
        func row(_ height: Float) -> Int { Int(max(0, min(Float(side), height))) }
        let top = row(places.eyes - Self.temple.up / Self.cell)
        let bottom = row(places.eyes + Self.temple.down / Self.cell)
        let chin = row(places.chin)
        guard top - 2 * reach >= 0, bottom + 2 * reach < side, top < bottom, bottom < chin, chin < side else { return }
        let jaw = (bottom + chin) / 2
        let middle = row(places.center.x)
        let nearest = Int32(3 * Self.temple.beside / Self.cell)
        for columns in [0..<middle, middle..<side] {
            var low: Float = 0
            for y in jaw..<chin {
                for index in y * side + columns.lowerBound..<y * side + columns.upperBound
                where places.fromFace[index] < nearest { low += found[index] }
            }
            guard low < Self.temple.hair * Float(chin - jaw) else { continue }
            for x in columns {
                for y in top - reach...bottom + reach {
                    column[y] = (y - reach...y + reach).reduce(1) { min($0, found[$1 * side + x]) }
                }
                for y in top...bottom where places.fromFace[y * side + x] < nearest {
                    found[y * side + x] = (y - reach...y + reach).reduce(0) { max($0, column[$1]) }
                }
            }
        }
    }

    /// What looks like hair and is connected with what lies around the face.
    /// - Parameter isAlone: whether nobody is beside it who could be taken for its hair.
    /// - Returns: how far hair hangs down, 0…1.
    private mutating func classify(isAlone: Bool) -> Float {
        let chin = Int(max(0, min(Float(Self.side), places.chin)))
        compare(0..<chin)
        compare(0..<chin, isOver: true)
        removeBars()
        for index in chin * Self.side..<Self.count { found[index] = 0 }
        reachFromAbove()
        if !isAlone {
            outline.limit(&found, isReached, places, above: chin)
            reachFromAbove()
        }
        let extent = HairOutline.extent(isReached, places, above: chin)
        let fullness = HairOutline.fullness(isReached, places, above: chin)
        /// How far a cell below the chin is beside the columns of hair, which become wider, in heights of the face.
        func aside(_ index: Int, _ wider: (top: Float, more: Float)) -> Float {
            let x = Float(index % Self.side)
            let most = wider.top + wider.more * Self.cell * Float(index / Self.side - chin)
            return Self.cell * max(extent.low - x, x - extent.high) - most
        }
        lower.removeAll(keepingCapacity: true)
        for index in chin * Self.side..<Self.count where person[index] > 0.7 && !places.isStrict[index] {
            lower.append((HairLook.look(labs[index]), aside(index, Self.wider) > 0 || places.isChest[index]))
        }
        look.learnClothes(&lower)
        compare(chin..<Self.side)
        var (inside, outside, chest, allChest): (Float, Float, Float, Float) = (20, 0, 0, 20)
        var (covered, all): (Float, Float) = (0, 100)
        let belowShoulders = Self.side * (chin + Int(0.5 / Self.cell))
        for index in chin * Self.side..<Self.count {
            if places.isChest[index], person[index] > 0.5 {
                allChest += 1
                chest += found[index]
            }
            let beyond = aside(index, Self.wider)
            if beyond < 0, person[index] > 0.5, index > belowShoulders {
                all += 1
                covered += found[index]
            }
            if beyond > 0 { outside += found[index] } else { inside += found[index] }
            found[index] *= 1 - smoothstep(-0.04, 0.06, aside(index, Self.strip))
        }
        connect()
        let clothes = max(
            smoothstep(Self.spread.hair, Self.spread.clothes, outside / inside),
            smoothstep(Self.cover.hair, Self.cover.clothes, covered / all),
            smoothstep(Self.chest.hair, Self.chest.clothes, chest / allChest))
        clothing = fullness * clothes
        return fullness - clothing
    }

    /// Leaves what is connected with what lies around the upper face.
    private mutating func connect() {
        let side = Self.side
        reachFromAbove()
        // Where some of it is long, what hangs down beside the jaw belongs to it, too: on the far side of a head that is turned,
        // or behind an ear.
        let low = Int(max(0, min(Float(side), places.chin + 0.05 / Self.cell)))
        let lowest = min(side, low + Int(Self.ring.far / Self.cell))
        guard isReached[low * side..<lowest * side].count(where: { $0 }) > Self.long else { return keepReached() }
        let near = Int32(3 * Self.ring.typical / Self.cell)
        for index in 0..<lowest * side
        where !isReached[index] && found[index] > 0.8 && !places.isFace[index] && places.fromFace[index] <= near {
            isReached[index] = true
            stack.append(index)
        }
        CellRegions.spread(&stack, side: side, &isReached) { [found] in found[$0] > 0.35 }
        keepReached()
    }

    private mutating func reachFromAbove() {
        stack.removeAll(keepingCapacity: true)
        let far = Int32(3 * Self.ring.far / Self.cell)
        for index in found.indices {
            isReached[index] =
                found[index] > 0.5 && places.isUpper[index] && !places.isFace[index] && places.fromFace[index] <= far
            if isReached[index] { stack.append(index) }
        }
        CellRegions.spread(&stack, side: Self.side, &isReached) { [found] in found[$0] > 0.35 }
    }

    private mutating func keepReached() {
        for index in found.indices where !isReached[index] { found[index] = 0 }
    }

    /// Highlights between strands are hair, single cells are not.
    private mutating func refine() {
        CellRegions.mean(found, side: Self.side, reach: 3, into: &blurred, &column)
        for index in found.indices {
            found[index] =
                person[index] > 0.3
                ? max(
                    found[index] * smoothstep(0.1, 0.3, blurred[index]),
                    smoothstep(0.5, 0.8, blurred[index]) * smoothstep(0.3, 0.6, person[index])) : 0
        }
        CellRegions.mean(found, side: Self.side, reach: 1, into: &blurred, &column)
        swap(&found, &blurred)
        // Strands that end on the forehead are thinner than cells: there, pixels are told by their colours.
        CellRegions.mean(found, side: Self.side, reach: 4, into: &blurred, &column)
        let brows = Self.side * Int(max(0, min(Float(Self.side), places.brows - Self.aboveBrows)))
        for index in 0..<brows where places.isFace[index] {
            found[index] = max(found[index], Self.strands * smoothstep(0.02, 0.3, blurred[index]))
        }
    }
}
