import Compositing
import FaceGeometry
import MaskComposition
import NeuralNetworks
import PersonSegmentation
import Pixels

/// Presses hair under headgear: what of a person stands out above a hat's brim or around a helmet becomes background, as it
/// is beside them. It belongs to one stream.
package final class HairPresser: FrameRetouch {
    private let networks: NetworkFolder
    /// Nil until headgear is worn first.
    private var segmenter: PersonSegmenter?
    private var grid = HeadgearGrid()
    private var fill = BackgroundFill(side: HeadgearGrid.side)
    private var scenes: [PropScene] = []
    /// Of each cell: how far it is a person, and the most of it around the cell, 0…1.
    private var person = [Float](repeating: 0, count: HeadgearGrid.side * HeadgearGrid.side)
    private var around = [Float](repeating: 0, count: HeadgearGrid.side * HeadgearGrid.side)
    /// How far each cell becomes background, 0…1.
    private var weights = [Float](repeating: 0, count: HeadgearGrid.side * HeadgearGrid.side)
    /// By track ID: when there was nothing to press, in seconds, and how freely hair is pressed on the left and on the right of the
    /// picture, 0…1.
    private var quiet: [Int: Double] = [:]
    private var freedom: [Int: SIMD2<Float>] = [:]
    /// Whose hair was pressed in the last picture.
    private var pressed: Set<Int> = []

    /// After which it is looked for again where there was nothing, in seconds.
    private static let pause = 0.25
    /// What the network says of a cell without hair, and of one that is surely hair.
    private static let hair: (none: Float, sure: Float) = (0.06, 0.35)
    /// How much of the surroundings may belong to somebody, and where hair stays.
    private static let crowd: (none: Float, full: Float) = (0.08, 0.25)
    /// In so many rows hair would be cut through, and it stays.
    private static let cut: (none: Float, full: Float) = (2, 6)
    /// How fast that changes, a picture.
    private static let rate: Float = 0.25
    /// Within this distance from one half, the decision of the picture before holds.
    private static let doubt: Float = 0.2
    /// So many cells of hair are worth it: at first, and as long as there was some in the picture before.
    private static let fewest: (first: Float, then: Float) = (6, 2)
    /// So many heads of a stream's picture, the nearest to the viewer last.
    private static let mostInStream = 2

    package init(_ networks: NetworkFolder) { self.networks = networks }

    package let loss = "hair stands out around hats"

    package func interrupt() {
        quiet = [:]
        freedom = [:]
        pressed = []
    }

    package func retouch(
        _ picture: inout PixelBuffer, before list: DrawList, on worn: [WornMask], at seconds: Double?
    ) throws {
        // Hair hangs over other masks.
        guard picture.format == .rgba8, worn.contains(where: { !$0.mask.occluders.contains(.hair) }) else { return }
        func isOver(_ trackID: Int) -> Bool {
            worn.contains { $0.instance.trackID == trackID && !$0.mask.occluders.contains(.hair) }
        }
        let faces = seconds == nil ? list.faces[...] : list.faces.suffix(Self.mostInStream)
        for face in faces where isOver(face.trackID) {
            if let seconds, let last = quiet[face.trackID], (last...last + Self.pause).contains(seconds) { continue }
            scenes.removeAll(keepingCapacity: true)
            for call in face.calls {
                if case .scene(let scene) = call.source, call.opacity > 0.99 { scenes.append(scene) }
            }
            guard !scenes.isEmpty, grid.lay(scenes) else { continue }
            let isPressed = try press(face.trackID, &picture, isStream: seconds != nil)
            quiet[face.trackID] = isPressed ? nil : seconds
            if isPressed, seconds != nil { pressed.insert(face.trackID) } else { pressed.remove(face.trackID) }
        }
        scenes.removeAll(keepingCapacity: true)
        if quiet.count + freedom.count > 64 { interrupt() }
    }

    /// - Returns: whether there was any hair.
    private func press(_ trackID: Int, _ picture: inout PixelBuffer, isStream: Bool) throws -> Bool {
        let network = try segmenter ?? PersonSegmenter(networks)
        segmenter = network
        read(try network.matte(of: grid.square, in: picture))
        let share = max(share(grid.beside), share(grid.lower))
        let crowd = max(0, min(1, (Self.crowd.full - share) / (Self.crowd.full - Self.crowd.none)))
        let cuts = (Self.cut.full - cuts()) / (Self.cut.full - Self.cut.none)
        let clearness = crowd * cuts.clamped(lowerBound: .zero, upperBound: .one)
        let freedom = Self.freedom(after: isStream ? self.freedom[trackID] : nil, clearness)
        self.freedom[trackID] = isStream ? freedom : nil
        var total: Float = 0
        for index in weights.indices {
            let share = max(0, min(1, (around[index] - Self.hair.none) / (Self.hair.sure - Self.hair.none)))
            let side = max(0, min(1, Float(index % HeadgearGrid.side - HeadgearGrid.side / 2) / 12 + 0.5))
            let here = freedom.x + side * (freedom.y - freedom.x)
            weights[index] = here * grid.pressing[index] * share
            if !grid.isProp[index], person[index] > 0.5 { total += weights[index] }
        }
        guard total >= (pressed.contains(trackID) ? Self.fewest.then : Self.fewest.first) else { return false }
        fill.read(picture, grid.square) { index in
            grid.isHead[index] ? 0 : max(0, 1 - around[index] / Self.hair.none)
        }
        if !fill.isEmpty { fill.paint(weights, on: &picture, grid.square) }
        return true
    }

    /// The hair of each side is whole or hidden: between the two it would be a grey veil. What is doubtful stays as it was.
    /// - Parameters:
    ///   - last: of the picture before, on the left and on the right of the picture, 0…1; nil in photographs and at first.
    ///   - clearness: how sure it is on each side that hair can be pressed, 0…1.
    /// - Returns: how freely it is pressed, 0…1; 0 or 1 if there is no picture before.
    package static func freedom(after last: SIMD2<Float>?, _ clearness: SIMD2<Float>) -> SIMD2<Float> {
        let threshold = 0.5 - doubt * ((last ?? SIMD2(repeating: 0.5)) * 2 - 1)
        let choice = SIMD2<Float>.zero.replacing(with: .one, where: clearness .> threshold)
        return last.map { $0 + rate * (choice - $0) } ?? choice
    }

    /// Long hair that goes on outward from what is pressed would stand up as a spike.
    /// - Returns: in how many rows it does, on the left and on the right of the picture.
    private func cuts() -> SIMD2<Float> {
        let side = HeadgearGrid.side
        var rows = SIMD2<Float>.zero
        for y in 0..<grid.lowest {
            var (pressed, kept, last) = (0, 0, 0)
            var isCut = SIMD2<Float>.zero
            for x in 0...side {
                let index = y * side + min(x, side - 1)
                if x < side, person[index] > 0.5, !grid.isProp[index], !grid.isHead[index] {
                    if grid.pressing[index] > 0.7 { (pressed, last) = (pressed + 1, x) }
                    if grid.pressing[index] < 0.1 { kept += 1 }
                } else {
                    if pressed > 0, kept > 1 { isCut[last < side / 2 ? 0 : 1] = 1 }
                    (pressed, kept) = (0, 0)
                }
            }
            rows += isCut
        }
        return rows
    }

    /// - Returns: how much of some cells is a person, 0…1.
    private func share(_ cells: [Bool]) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        for index in person.indices where cells[index] {
            sum += person[index]
            count += 1
        }
        return sum / max(1, count)
    }

    /// Hair ends in single strands, which the network does not see: what is around each cell counts, too.
    private func read(_ matte: PersonMatte) {
        let side = HeadgearGrid.side
        for y in 0..<side {
            for x in 0..<side {
                person[y * side + x] = matte.value(
                    at: Point(Float(x) + 0.5, Float(y) + 0.5) / Float(side))
            }
        }
        let reach = 2
        for y in 0..<side {
            for x in 0..<side {
                var most: Float = 0
                for row in max(0, y - reach)...min(side - 1, y + reach) {
                    for column in max(0, x - reach)...min(side - 1, x + reach) {
                        most = max(most, person[row * side + column])
                    }
                }
                around[y * side + x] = most
            }
        }
    }
}
