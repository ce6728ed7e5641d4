import Compositing
import FaceGeometry
import MaskComposition
import Masks
import NeuralNetworks
import PersonSegmentation
import Pixels

/// Gives hair another colour before masks are drawn, for their layers of hair. It belongs to one stream.
package final class HairDyer: FrameRetouch {
    private let networks: NetworkFolder
    /// Nil until there is hair to dye.
    private var segmenter: PersonSegmenter?
    /// By track ID.
    private var heads: [Int: Head] = [:]

    /// What is kept of a head from picture to picture.
    private final class Head {
        var grid = HairGrid()
        var tone = HairTone()
        /// When hair was looked for last, in seconds; nil: never.
        var seen: Double?
    }

    /// Hair is looked for after this time again, and what was found before it is forgotten after the second, in seconds.
    private static let (pause, memory) = (0.06, 0.5)
    /// How fast what was found is replaced.
    private static let rate: Float = 0.4
    /// So many heads of a stream's picture, the nearest to the viewer last.
    private static let mostInStream = 3

    package init(_ networks: NetworkFolder) { self.networks = networks }

    package let loss = "hair keeps its colour"
    package let precedesEffect = true

    package func interrupt() { heads = [:] }

    package func retouch(
        _ picture: inout PixelBuffer, before list: DrawList, on worn: [WornMask], at seconds: Double?
    ) throws {
        guard worn.contains(where: { $0.mask.dyesHair }), picture.format != .grey8 else { return }
        let largest = worn.max { $0.instance.face.box.area < $1.instance.face.box.area }?.instance.trackID
        for one in seconds == nil ? worn[...] : worn.suffix(Self.mostInStream) where one.mask.dyesHair {
            let trackID = one.instance.trackID
            let others = worn.filter { $0.instance.trackID != trackID }.compactMap {
                HairPlaces.face(of: $0.instance)
            }
            for layer in one.mask.layers {
                guard case .hair(let color) = layer.content else { continue }
                let strength = layer.visibility(on: one.instance, isLargest: trackID == largest)
                guard strength > 0 else { continue }
                let head = heads[trackID] ?? Head()
                heads[trackID] = head
                guard try find(head, one.instance, beside: others, in: picture, at: seconds),
                    let lightness = head.grid.lightness
                else { continue }
                head.tone.make(color, lightness)
                dye(&picture, head, strength)
            }
        }
        if seconds == nil {
            heads = [:]
        } else if heads.count > 16 {
            heads = heads.filter { head in worn.contains { $0.instance.trackID == head.key } }
        }
    }

    /// - Returns: whether there may be hair.
    private func find(
        _ head: Head, _ instance: FaceInstance, beside others: [OrientedBox], in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) throws -> Bool {
        guard head.grid.place(instance) else { return false }
        var rate: Float = 1
        if let seconds, let seen = head.seen {
            let age = seconds - seen
            if age >= 0, age < Self.pause { return true }
            if age >= 0, age < Self.memory { rate = Self.rate }
        }
        head.seen = seconds
        let network = try segmenter ?? PersonSegmenter(networks)
        segmenter = network
        let matte = try network.matte(of: head.grid.places.square, in: picture)
        if picture.format == .rgba8 {
            head.grid.find(instance, beside: others, in: picture, matte, rate: rate)
        } else {
            head.grid.find(instance, beside: others, in: try picture.withEightBits(), matte, rate: rate)
        }
        return true
    }

    // MARK: Pixels

    private func dye(_ picture: inout PixelBuffer, _ head: Head, _ strength: Float) {
        let (grid, places) = (head.grid, head.grid.places)
        let square = places.square
        let reach = square.side / 2 * (abs(square.across.x) + abs(square.across.y)) / square.side
        func limited(_ value: Float, _ most: Int) -> Int { Int(max(0, min(Float(most), value))) }
        let (low, high) = (square.center - reach, square.center + reach)
        let columns = limited(low.x, picture.width)..<limited(high.x.rounded(.up), picture.width)
        let rows = limited(low.y, picture.height)..<limited(high.y.rounded(.up), picture.height)
        let (stride, isDeep) = (picture.bytesPerRow, picture.format == .rgba16)
        picture.withUnsafeMutableBytes { bytes in
            for y in rows {
                for x in columns {
                    let place = places.place(Point(Float(x) + 0.5, Float(y) + 0.5))
                    let share = strength * HairPlaces.value(places.reach, at: place)
                    guard share > 0.004 else { continue }
                    let hair = HairPlaces.value(grid.hair, at: place)
                    guard hair > 0.004 else { continue }
                    let certain = share * HairPlaces.value(grid.certainty, at: place)
                    if isDeep {
                        let offset = y * stride + 8 * x
                        let old = bytes.load(fromByteOffset: offset, as: SIMD4<UInt16>.self)
                        var color = SIMD4<Float>(old) / 257
                        recolor(&color, head, place, hair: hair, share: certain)
                        let new = (257 * color + 0.5).clamped(lowerBound: .zero, upperBound: .init(repeating: 65535))
                        bytes.storeBytes(of: SIMD4<UInt16>(new), toByteOffset: offset, as: SIMD4<UInt16>.self)
                    } else {
                        let offset = y * stride + 4 * x
                        let old = bytes.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                        var color = SIMD4<Float>(old)
                        recolor(&color, head, place, hair: hair, share: certain)
                        let new = (color + 0.5).clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
                        bytes.storeBytes(of: SIMD4<UInt8>(new), toByteOffset: offset, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    /// At the edge of hair a pixel is a mixture of it and what is beside it: how far it is hair is seen by its colour, where the
    /// two differ, and only that part is dyed.
    /// - Parameters:
    ///   - color: 0…255; alpha stays.
    ///   - place: in cells.
    ///   - hair: what the cells say, 0…1.
    ///   - share: of the dye, 0…1.
    private func recolor(
        _ color: inout SIMD4<Float>, _ head: Head, _ place: Point, hair: Float, share: Float
    ) {
        let pixel = SIMD3(color.x, color.y, color.z)
        var (alpha, own, tinge) = (hair, pixel, SIMD3<Float>.zero)
        if hair < 0.98, !head.grid.inside.isEmpty, !head.grid.beside.isEmpty {
            let (inside, beside) = (head.grid.inside.color(at: place), head.grid.beside.color(at: place))
            let strand = SIMD3(inside.x, inside.y, inside.z)
            let other = SIMD3(beside.x, beside.y, beside.z)
            let difference = strand - other
            let square = (difference * difference).sum()
            if square > 1 {
                let seen = max(0, min(1, ((pixel - other) * difference).sum() / square))
                let trust = smoothstep(10, 44, square.squareRoot()) * min(1, 6 * hair * (1 - hair))
                alpha += trust * (seen - alpha)
            }
            own = strand + alpha * (pixel - strand)
            tinge = Self.tinge(pixel, hair: hair, strand, other)
        }
        // What thin strands leave of their hue.
        let change = share * (alpha * (head.tone.dyed(own) - own) - (1 - alpha) * tinge)
        color += SIMD4(change, 0)
    }

    /// How much of a pixel's colour beside hair, without its luma, is that of the hair.
    /// - Parameters:
    ///   - hair: 0…1.
    ///   - strand: the hair's colour, and `other`: what is beside it.
    private static func tinge(
        _ pixel: SIMD3<Float>, hair: Float, _ strand: SIMD3<Float>, _ other: SIMD3<Float>
    ) -> SIMD3<Float> {
        func chroma(_ color: SIMD3<Float>) -> SIMD3<Float> { color - (SIMD3(0.2126, 0.7152, 0.0722) * color).sum() }
        let difference = chroma(strand) - chroma(other)
        let square = (difference * difference).sum()
        guard square > 1 else { return .zero }
        let seen = max(0, min(1, ((chroma(pixel) - chroma(other)) * difference).sum() / square))
        return smoothstep(6, 24, square.squareRoot()) * min(1, 12 * hair) * seen * difference
    }
}
