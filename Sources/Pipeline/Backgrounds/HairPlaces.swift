import FaceGeometry
import Glibc
import MaskComposition

/// The cells about a head: a square that stands upright with it and reaches down to the chest, and where in it a face and hair
/// may be.
struct HairPlaces {
    /// Cells of a side.
    static let side = 144
    static let count = side * side
    /// Lengths below are in heights of the face, from the hairline to the chin. That of the square:
    private static let width: Float = 3.2
    static let cell = width / Float(side)
    /// How far the middle of the square is below that of the face.
    private static let lowered: Float = 0.4
    /// Smaller faces have no hair that could be told from skin, in pixels.
    private static let smallestFace: Float = 20

    /// In pixels of the picture.
    private(set) var square = OrientedBox(center: .zero, side: 1, roll: 0)
    /// How far hair counts in each cell, 0…1.
    private(set) var reach = [Float](repeating: 0, count: count)
    /// Whether a cell is on the face; in the middle of it, and no eye; about an eye; above the eyes; where skin in shadow looks like hair; where
    /// clothes are in any case.
    private(set) var isFace = [Bool](repeating: false, count: count)
    private(set) var isSkin = [Bool](repeating: false, count: count)
    private(set) var isSocket = [Bool](repeating: false, count: count)
    private(set) var isUpper = [Bool](repeating: false, count: count)
    private(set) var isStrict = [Bool](repeating: false, count: count)
    private(set) var isChest = [Bool](repeating: false, count: count)
    /// From the face, and from what is no face, in thirds of a cell.
    private(set) var fromFace = [Int32](repeating: 0, count: count)
    private(set) var toRim = [Int32](repeating: 0, count: count)
    /// Heights in cells.
    private(set) var (brows, eyes, chin): (Float, Float, Float) = (0, 0, 0)
    /// How much thicker hair may be behind a head that is turned, in heights of the face.
    private(set) var turn: Float = 0
    /// Of the face, in cells.
    private(set) var center = Point.zero

    private var outline: [Point] = []
    private var isOff = [Bool](repeating: false, count: count)

    /// How far hair counts: from the face's outline above the eyes and beside the chin, from the middle of the head; over the face,
    /// from its outline inward. Up to the first length it does, from the second on it does not.
    private static let above: Limits = (0.36, 0.6)
    private static let beside: Limits = (0.42, 0.7)
    private static let around: Limits = (0.85, 1.2)
    private static let over: Limits = (0.05, 0.2)
    /// Up to this far from the middle of an eye, it may be dark; so far inside of the face's outline, it is skin.
    private static let (socket, deep): (Float, Float) = (0.13, 0.13)
    private typealias Limits = (whole: Float, none: Float)
    /// How far hair hangs below the chin where clothes could be taken for it, and where they could not; how much single strands
    /// differ in that, and over which length they end.
    private static let hanging: (least: Float, most: Float) = (0.15, 1.42)
    private static let strands: Float = 0.3
    private static let end: (least: Float, more: Float) = (0.15, 0.35)
    /// How much farther beside a head in profile.
    private static let turned: Float = 0.5
    /// Below the jaw, in halves of the face's width from its middle: outside of the first, hair counts, inside of the second not.
    private static let narrowest: Float = 0.24
    private static let neck: Limits = (0.6, 0.25)
    /// Where a neck ends, below the chin.
    private static let collar: Limits = (0.3, 0.55)
    /// Of the head's middle, from between the eyes, in canonical UV: up, and behind the face.
    private static let middle: (up: Float, depth: Float) = (0.12, -0.26)

    /// Moves the square to a head.
    /// - Returns: false if there is nothing to see.
    mutating func place(_ instance: FaceInstance) -> Bool {
        guard let face = Self.face(of: instance) else { return false }
        square = OrientedBox(
            center: face.center + Self.lowered * face.down, side: Self.width * face.side, roll: face.roll)
        return true
    }

    /// A square around the face, as high as it; nil if there is nothing to see.
    static func face(of instance: FaceInstance) -> OrientedBox? {
        let topology = Landmarks.topology
        let landmarks = instance.face.landmarks
        let (chin, top) = (landmarks[topology.chin], instance.face.headPoints[.hairlineCenter])
        let across = landmarks[topology.leftEar] - landmarks[topology.rightEar]
        let height = max((chin - top).length, 1.3 * across.length)
        let center = (chin + top) / 2
        guard height >= smallestFace, height < 2e4, abs(center.x) < 1e5, abs(center.y) < 1e5 else { return nil }
        let roll = OrientedBox.roll(tilt: atan2(across.y, across.x), uprightRoll: 0)
        return roll.isFinite ? OrientedBox(center: center, side: height, roll: roll) : nil
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

    /// Finds the face in the cells, and how far hair counts in each.
    /// - Parameters:
    ///   - others: the faces beside it.
    ///   - hanging: 0…1: how far hair may hang below the chin.
    mutating func lay(_ instance: FaceInstance, beside others: [OrientedBox], hanging: Float) {
        let topology = Landmarks.topology
        instance.face.vertices(into: &outline)
        let eyes = (outline[topology.rightEyeOuterCorner] + outline[topology.leftEyeOuterCorner]) / 2
        let head = place(eyes + instance.face.camera.direction(Point(0, -Self.middle.up), depth: Self.middle.depth))
        let eyeLevel = place(eyes).y
        self.eyes = eyeLevel
        for index in outline.indices { outline[index] = place(outline[index]) }
        brows = topology.brows.reduce(Float(0)) { $0 + outline[$1].y } / Float(topology.brows.count)
        chin = outline[topology.chin].y
        center = (outline[topology.chin] + place(instance.face.headPoints[.hairlineCenter])) / 2
        findFace(above: eyeLevel)
        let (right, left) = (outline[topology.jaw[0]].x, outline[topology.jaw[topology.jaw.count - 1]].x)
        let (middle, half) = ((right + left) / 2, max(abs(left - right) / 2, Self.narrowest / Self.cell))
        let jaw = (outline[topology.jaw[4]].y + outline[topology.jaw[topology.jaw.count - 5]].y) / 2
        // Behind a turned head there is more of it, and its neck is not below its middle.
        let aside = abs(sin(instance.face.pose.yaw))
        turn = Self.turned * aside
        let sidelong = smoothstep(0.35, 0.75, aside)
        let nose = outline[topology.noseTip].x
        let sockets = (
            right: (outline[topology.rightEyeOuterCorner] + outline[topology.rightEyeInnerCorner]) / 2,
            left: (outline[topology.leftEyeOuterCorner] + outline[topology.leftEyeInnerCorner]) / 2
        )
        let (rightSide, leftSide) = (max(1, nose - right), max(1, left - nose))
        let length = Self.hanging.least + hanging * (Self.hanging.most - Self.hanging.least)
        let end = Self.end.least + hanging * Self.end.more
        let heads = others.map { (place: self.place($0.center), size: $0.side) }
        let face = square.side / Self.width
        for index in reach.indices {
            let place = Point(Float(index % Self.side), Float(index / Self.side))
            let outside = Self.cell / 3 * Float(fromFace[index])
            let depth = Self.cell * (place.y - chin)
            let low = smoothstep(eyeLevel, chin, place.y)
            // Below the face, only what is found limits how far it spreads.
            let open = 2 * smoothstep(-0.15, 0.1, depth)
            let whole = turn + open + (1 - low) * Self.above.whole + low * Self.beside.whole
            let none = turn + open + (1 - low) * Self.above.none + low * Self.beside.none
            var share = 1 - smoothstep(whole, none, outside)
            share *= 1 - (1 - low) * smoothstep(Self.around.whole, Self.around.none, Self.cell * (place - head).length)
            let last = length + (0.3 + 0.7 * hanging) * Self.strands * Self.strand(index % Self.side)
            share *= 1 - smoothstep(last - end, last, depth)
            let size = max(0.7, 2 * (place.x < nose ? rightSide : leftSide) / (rightSide + leftSide))
            // Hair hangs in from the side over the face below the brows, less on the side that is turned away, and beside the neck.
            if isFace[index], place.y > brows {
                let over = (whole: size * size * Self.over.whole, none: size * size.squareRoot() * Self.over.none)
                share *= 1 - smoothstep(over.whole, over.none, Self.cell / 3 * Float(toRim[index]))
            }
            isSkin[index] = isFace[index] && place.y > brows && Self.cell / 3 * Float(toRim[index]) > Self.deep
            let isEye = min((place - sockets.right).length, (place - sockets.left).length) < Self.socket / Self.cell
            isSocket[index] = isFace[index] && isEye
            if isEye { isSkin[index] = false }
            let isNeck = place.y > jaw && depth < Self.collar.none
            if isNeck {
                let beside = smoothstep(Self.neck.none, Self.neck.whole, abs(place.x - middle) / half)
                let below = max(sidelong, smoothstep(Self.collar.whole, Self.collar.none, depth))
                share *= beside + below * (1 - beside)
            }
            // What is nearer to another head is not this one's.
            for other in heads {
                let ratio = (place - other.place).length / other.size / max(1e-3, (place - center).length / face)
                share *= smoothstep(0.85, 1.1, ratio)
            }
            isStrict[index] = isFace[index] || isNeck && abs(place.x - middle) < half
            isChest[index] = aside < 0.35 && depth > 0.4 && depth < 0.95 && abs(place.x - middle) < 0.35 * half
            reach[index] = share
        }
    }

    private mutating func findFace(above eyeLevel: Float) {
        let topology = Landmarks.topology
        // Clockwise from the right ear: along the jaw, and back over the forehead.
        let rim = topology.jaw + HeadPoint.allCases.reversed().map(\.vertex)
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let index = y * Self.side + x
                isFace[index] = Self.contains(Point(Float(x), Float(y)), rim, outline)
                isOff[index] = !isFace[index]
                isUpper[index] = Float(y) < eyeLevel
            }
        }
        CellDistances.measure(isFace, side: Self.side, into: &fromFace)
        CellDistances.measure(isOff, side: Self.side, into: &toRim)
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

    /// How much longer the strands of a column are than others, −1…1: the same at each search.
    static func strand(_ column: Int) -> Float {
        func noise(_ place: Int, _ size: Int) -> Float {
            func value(_ cell: Int) -> Float {
                Float((UInt32(truncatingIfNeeded: cell &+ size) &* 2_654_435_761) >> 16 & 0xFF) / 127.5 - 1
            }
            let share = Float(place % size) / Float(size)
            return value(place / size) + share * (value(place / size + 1) - value(place / size))
        }
        return 0.4 * noise(column, 5) + 0.6 * noise(column, 2)
    }
}
