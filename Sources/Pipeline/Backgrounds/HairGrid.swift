import FaceGeometry
import Glibc
import MaskComposition
import PersonSegmentation
import Pixels

/// Where the hair of a head is, in a square of cells that stands upright with it. It is what of the person lies about the
/// upper face, is no skin, and is connected; it fades out farther away. Kept from picture to picture, it moves with the head.
struct HairGrid {
    /// Cells of a side.
    static let side = 112
    private static let count = side * side
    /// Lengths below are in heights of the face, from the hairline to the chin. That of the square:
    private static let width: Float = 2.5
    private static let cell = width / Float(side)
    /// Smaller faces have no hair that could be told from skin, in pixels.
    private static let smallestFace: Float = 20

    /// In pixels of the picture.
    private(set) var square = OrientedBox(center: .zero, side: 1, roll: 0)
    /// How far each cell is hair, 0…1, steadied from picture to picture; how far that counts where it is.
    private(set) var (hair, reach) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    /// The colours of hair, and of what is beside it, in each cell.
    private(set) var (inside, beside) = (BackgroundFill(side: side), BackgroundFill(side: side))
    /// The mean lightness of hair and of skin, in Oklab, steadied; nil: there is no hair.
    private(set) var lightness: (hair: Float, skin: Float)?

    /// Beyond the face's outline, where hair is learnt.
    private static let ring: (near: Float, far: Float) = (0.03, 0.2)
    /// How much of the ring must be hair: none of it is coloured below the first, all above the second.
    private static let enough: (none: Float, all: Float) = (0.06, 0.2)
    /// How far hair counts: from the face's outline above the eyes and beside the chin, from the middle of the head, below the chin;
    /// over the face, from its outline inward. Up to the first length it does, from the second on it does not.
    private static let above: Limits = (0.36, 0.6)
    private static let beside: Limits = (0.27, 0.48)
    private static let around: Limits = (0.85, 1.2)
    private static let below: Limits = (0.05, 0.5)
    private static let over: Limits = (0.05, 0.2)
    private typealias Limits = (whole: Float, none: Float)
    /// How much farther beside a head in profile.
    private static let turned: Float = 0.5
    /// Below the jaw, in halves of the face's width from its middle: outside of the first, hair counts, inside of the second not.
    private static let narrowest: Float = 0.24
    private static let neck: Limits = (0.85, 0.25)
    /// Of the head's middle, from between the eyes, in canonical UV: up, and behind the face.
    private static let middle: (up: Float, depth: Float) = (0.12, -0.26)

    // MARK: Memory

    private var outline: [Point] = []
    private var (isFace, isUpper) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))
    private var fromFace = [Int32](repeating: 0, count: count)
    private var toRim = [Int32](repeating: 0, count: count)
    private var labs = [SIMD3<Float>](repeating: .zero, count: count)
    private var (person, found) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    private var blurred = [Float](repeating: 0, count: count)
    private var (isReached, isStrict) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))
    private var (looks, stack) = ([HairLook.Look](), [Int]())
    private var look = HairLook()

    /// Moves the square to the head.
    /// - Returns: false if there is nothing to see.
    mutating func place(_ instance: FaceInstance) -> Bool {
        guard let square = Self.square(around: instance) else { return false }
        self.square = square
        return true
    }

    /// Nil if there is nothing to see.
    static func square(around instance: FaceInstance) -> OrientedBox? {
        let topology = Landmarks.topology
        let landmarks = instance.face.landmarks
        let (chin, top) = (landmarks[topology.chin], instance.face.headPoints[.hairlineCenter])
        let across = landmarks[topology.leftEar] - landmarks[topology.rightEar]
        let height = max((chin - top).length, 1.3 * across.length)
        let center = (chin + top) / 2
        guard height >= smallestFace, height < 2e4, abs(center.x) < 1e5, abs(center.y) < 1e5 else { return nil }
        let roll = OrientedBox.roll(tilt: atan2(across.y, across.x), uprightRoll: 0)
        return roll.isFinite ? OrientedBox(center: center, side: width * height, roll: roll) : nil
    }

    /// Finds hair in the square.
    /// - Parameters:
    ///   - others: the squares around other heads.
    ///   - picture: `rgba8`.
    ///   - matte: of the square.
    ///   - rate: 0…1: how fast what was found before is replaced.
    mutating func find(
        _ instance: FaceInstance, beside others: [OrientedBox], in picture: borrowing PixelBuffer, _ matte: PersonMatte,
        rate: Float
    ) {
        let brows = layOut(instance, others, matte)
        read(picture)
        let share = learn(above: brows)
        let confidence = smoothstep(Self.enough.none, Self.enough.all, share)
        if confidence > 0 { classify() } else { for index in found.indices { found[index] = 0 } }
        var (sum, weight): (Float, Float) = (0, 0)
        for index in hair.indices {
            hair[index] += rate * (found[index] * confidence - hair[index])
            if hair[index] > 0.9 {
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
    }

    /// A place of the picture, in cells from the centre of the first one.
    func place(_ pixel: Point) -> Point {
        let offset = pixel - square.origin
        let scale = Float(Self.side) / (square.side * square.side)
        return scale * Point((offset * square.across).sum(), (offset * square.down).sum()) - 0.5
    }

    /// The value between the four nearest cells; 0 outside the square.
    static func value(_ cells: [Float], at place: Point) -> Float {
        let last = Float(side - 1)
        guard place.x >= 0, place.y >= 0, place.x < last, place.y < last else { return 0 }
        let (left, top) = (Int(place.x), Int(place.y))
        let (fx, fy) = (place.x - Float(left), place.y - Float(top))
        let index = top * side + left
        let above = (1 - fx) * cells[index] + fx * cells[index + 1]
        return (1 - fy) * above + fy * ((1 - fx) * cells[index + side] + fx * cells[index + side + 1])
    }

    // MARK: Places

    /// The face in the cells, how far hair counts in each, and what of them is a person.
    /// - Returns: the height of the brows, in cells.
    private mutating func layOut(_ instance: FaceInstance, _ others: [OrientedBox], _ matte: PersonMatte) -> Float {
        let topology = Landmarks.topology
        instance.face.vertices(into: &outline)
        let eyes = (outline[topology.rightEyeOuterCorner] + outline[topology.leftEyeOuterCorner]) / 2
        let head = place(eyes + instance.face.camera.direction(Point(0, -Self.middle.up), depth: Self.middle.depth))
        for index in outline.indices { outline[index] = place(outline[index]) }
        let brows = topology.brows.reduce(Float(0)) { $0 + outline[$1].y } / Float(topology.brows.count)
        let (chin, eyeLevel) = (outline[topology.chin].y, place(eyes).y)
        // Clockwise from the right ear: along the jaw, and back over the forehead.
        let rim = topology.jaw + HeadPoint.allCases.reversed().map(\.vertex)
        let (right, left) = (outline[topology.jaw[0]].x, outline[topology.jaw[topology.jaw.count - 1]].x)
        let (middle, half) = ((right + left) / 2, max(abs(left - right) / 2, Self.narrowest / Self.cell))
        let center = place(square.center)
        let jaw = (outline[topology.jaw[4]].y + outline[topology.jaw[topology.jaw.count - 5]].y) / 2
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let (index, place) = (y * Self.side + x, Point(Float(x), Float(y)))
                person[index] = matte.value(at: (place + 0.5) / Float(Self.side))
                isFace[index] = Self.contains(place, rim, outline)
                isUpper[index] = place.y < eyeLevel
            }
        }
        CellDistances.measure(isFace, side: Self.side, into: &fromFace)
        for index in isReached.indices { isReached[index] = !isFace[index] }
        CellDistances.measure(isReached, side: Self.side, into: &toRim)
        // Behind a turned head there is more of it.
        let turn = Self.turned * abs(sin(instance.face.pose.yaw))
        let heads = others.map { (place: self.place($0.center), size: $0.side) }
        for index in reach.indices {
            let place = Point(Float(index % Self.side), Float(index / Self.side))
            let outside = Self.cell / 3 * Float(fromFace[index])
            let low = smoothstep(eyeLevel, chin, place.y)
            let whole = turn + (1 - low) * Self.above.whole + low * Self.beside.whole
            let none = turn + (1 - low) * Self.above.none + low * Self.beside.none
            var share = 1 - smoothstep(whole, none, outside)
            share *= 1 - smoothstep(Self.around.whole, Self.around.none, Self.cell * (place - head).length)
            share *= 1 - smoothstep(Self.below.whole, Self.below.none, Self.cell * (place.y - chin))
            // Hair hangs in from the side over the face below the brows, and beside the neck.
            if isFace[index], place.y > brows {
                share *= 1 - smoothstep(Self.over.whole, Self.over.none, Self.cell / 3 * Float(toRim[index]))
            }
            if place.y > jaw { share *= smoothstep(Self.neck.none, Self.neck.whole, abs(place.x - middle) / half) }
            // What is nearer to another head is not this one's.
            for other in heads {
                let ratio = (place - other.place).length / other.size / max(1e-3, (place - center).length / square.side)
                share *= smoothstep(0.85, 1.1, ratio)
            }
            isStrict[index] = isFace[index] || place.y > jaw && abs(place.x - middle) < half
            reach[index] = share
        }
        return brows
    }

    private static func contains(_ place: Point, _ rim: [Int], _ points: [Point]) -> Bool {
        var isInside = false
        var a = points[rim[rim.count - 1]]
        for vertex in rim {
            let b = points[vertex]
            if (a.y > place.y) != (b.y > place.y), place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y) {
                isInside.toggle()
            }
            a = b
        }
        return isInside
    }

    // MARK: Colours

    private mutating func read(_ picture: borrowing PixelBuffer) {
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
                    if count == 0 { person[index] = 0 }
                    labs[index] = SIMD3(sum.x, sum.y, sum.z) / (255 * max(1, count))
                }
            }
        }
        OklabColor.convertToLab(&labs)
    }

    /// Learns skin and hair.
    /// - Parameter brows: their height, in cells.
    /// - Returns: how much of the ring around the upper face is hair, 0…1.
    private mutating func learn(above brows: Float) -> Float {
        let aboveBrows = Self.side * Int(max(0, min(Float(Self.side), brows)))
        looks.removeAll(keepingCapacity: true)
        let deep = Int32(3 * 0.06 / Self.cell)
        for index in labs.indices where isFace[index] && toRim[index] > deep && reach[index] == 0 {
            looks.append(HairLook.look(labs[index]))
        }
        guard look.learnSkin(&looks) else { return 0 }
        looks.removeAll(keepingCapacity: true)
        let (near, far) = (Int32(3 * Self.ring.near / Self.cell), Int32(3 * Self.ring.far / Self.cell))
        var (all, high): (Float, Int) = (0, 0)
        for index in labs.indices
        where !isFace[index] && isUpper[index] && fromFace[index] >= near && fromFace[index] <= far
            && person[index] > 0.7 && reach[index] > 0.5
        {
            all += 1
            let value = HairLook.look(labs[index])
            guard look.fromSkin(value) > 4.5 else { continue }
            looks.append(value)
            // From top to bottom.
            if index < aboveBrows { high = looks.count }
        }
        let share = Float(looks.count) / max(1, all)
        return all >= 12 && look.learnHair(&looks, high: high) ? share : 0
    }

    /// What looks like hair and is connected with what lies around the upper face.
    private mutating func classify() {
        let side = Self.side
        for index in found.indices {
            guard reach[index] > 0, person[index] > 0.1 else {
                found[index] = 0
                continue
            }
            let value = HairLook.look(labs[index])
            found[index] = smoothstep(0.4, 0.7, person[index]) * look.hair(value, isSure: isUpper[index])
            // Shadows on the face and the neck are dark, too.
            if isStrict[index] {
                found[index] *= smoothstep(0.4, 0.9, found[index])
                if !isUpper[index] { found[index] *= smoothstep(6, 14, look.fromSkin(value)) }
            }
        }
        stack.removeAll(keepingCapacity: true)
        let far = Int32(3 * Self.ring.far / Self.cell)
        for index in found.indices {
            isReached[index] =
                found[index] > 0.5 && isUpper[index] && !isFace[index] && fromFace[index] <= far
            if isReached[index] { stack.append(index) }
        }
        while let index = stack.popLast() {
            let (x, y) = (index % side, index / side)
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                guard (0..<side).contains(x + dx), (0..<side).contains(y + dy) else { continue }
                let next = index + dy * side + dx
                guard !isReached[next], found[next] > 0.35 else { continue }
                isReached[next] = true
                stack.append(next)
            }
        }
        for index in found.indices where !isReached[index] { found[index] = 0 }
        // Highlights between strands are hair, single cells are not.
        blur(reach: 3)
        for index in found.indices {
            found[index] =
                person[index] > 0.3
                ? max(
                    found[index] * smoothstep(0.1, 0.3, blurred[index]),
                    smoothstep(0.5, 0.8, blurred[index]) * smoothstep(0.3, 0.6, person[index])) : 0
        }
        blur(reach: 1)
        swap(&found, &blurred)
    }

    /// The means of squares of cells, of `found`, into `blurred`.
    /// - Parameter reach: in cells, to each side.
    private mutating func blur(reach: Int) {
        let side = Self.side
        let share = 1 / Float(2 * reach + 1)
        var column = [Float](repeating: 0, count: side)
        for y in 0..<side {
            for x in 0..<side {
                var sum: Float = 0
                for other in max(0, x - reach)...min(side - 1, x + reach) { sum += found[y * side + other] }
                blurred[y * side + x] = share * sum
            }
        }
        for x in 0..<side {
            for y in 0..<side { column[y] = blurred[y * side + x] }
            for y in 0..<side {
                var sum: Float = 0
                for row in max(0, y - reach)...min(side - 1, y + reach) { sum += column[row] }
                blurred[y * side + x] = share * sum
            }
        }
    }
}
