import CRasterizer
import Glibc
import MaskComposition
import Pixels

/// Blurs what is drawn as the picture under it is blurred (`FaceDrawList.blur`): whatever draws, before it shows its work. It
/// belongs to one thread at a time.
package final class DrawnBlur {
    private struct Part {
        var rectangle: PixelRectangle
        var deviation: Float
    }

    private let job: BlurJob
    private let threads: DrawingThreads
    /// Apart from each other.
    private var parts: [Part] = []
    /// The parts before anything is drawn, one after another; parts that were blurred in one direction; and what each thread
    /// needs.
    private var (before, rows, scratch) = (Memory(), Memory(), Memory())
    private var spans: [Int32] = []
    private var weights: [UInt16] = []

    /// A blur with a smaller standard deviation is not seen, in pixels.
    private static let least: Float = 0.3
    /// Weights beyond this many standard deviations are 0.
    private static let reach: Float = 2.5

    /// Fewer are not worth a second thread.
    private static let fewestPixelsForThreads = 30_000

    package init(threads: DrawingThreads = DrawingThreads(), generation: ProcessorGeneration? = nil) {
        (self.threads, job) = (threads, BlurJob(generation ?? .newest))
    }

    /// To be called before a list is drawn: keeps the picture where it will be blurred. Without enough memory, nothing will be.
    package func prepare(for list: borrowing DrawList, in picture: borrowing PixelBuffer, encoding: ColorEncoding) {
        parts.removeAll(keepingCapacity: true)
        // Of transparent pixels, nobody knows the colour.
        guard encoding.isOpaque else { return }
        guard list.faces.contains(where: { $0.blur >= Self.least }) else { return }
        for face in list.faces { add(face, in: picture) }
        parts.removeAll { $0.deviation < Self.least }
        guard !parts.isEmpty else { return }
        let size = parts.reduce(0) { $0 + Self.byteCount($1.rectangle, picture.format) }
        guard before.grow(to: size) else {
            parts.removeAll(keepingCapacity: true)
            return
        }
        var target = before.address
        for part in parts {
            let area = part.rectangle
            let rowBytes = area.width * picture.format.bytesPerPixel
            picture.withUnsafeBytes { bytes in
                for y in area.y..<area.y + area.height {
                    let from = y * picture.bytesPerRow + area.x * picture.format.bytesPerPixel
                    if let target, let base = bytes.baseAddress { memcpy(target, base + from, rowBytes) }
                    target = target.map { $0 + rowBytes }
                }
            }
        }
    }

    /// To be called after it has been drawn, with the same picture.
    package func blur(_ picture: inout PixelBuffer) {
        guard !parts.isEmpty else { return }
        let (width, height, stride, format) = (picture.width, picture.height, picture.bytesPerRow, picture.format)
        var offset = 0
        for part in parts {
            let area = part.rectangle
            let size = Self.byteCount(area, format)
            defer { offset += size }
            setWeights(part.deviation)
            while spans.count < 2 * area.height { spans.append(0) }
            picture.withUnsafeMutableBytes { bytes in
                weights.withUnsafeBufferPointer { weights in
                    spans.withUnsafeMutableBufferPointer { spans in
                        var blur = crasterizer_blur()
                        blur.picture = crasterizer_picture(
                            pixels: bytes.baseAddress, bytes_per_row: stride, width: Int32(width),
                            height: Int32(height), has_16_bits: format == .rgba16)
                        (blur.left, blur.right) = (Int32(area.x), Int32(area.x + area.width))
                        (blur.top, blur.bottom) = (Int32(area.y), Int32(area.y + area.height))
                        blur.before = before.address.map { UnsafeRawPointer($0 + offset) }
                        (blur.reach, blur.weights) = (Int32(weights.count - 1), weights.baseAddress)
                        blur.spans = spans.baseAddress
                        run(&blur, size: size)
                    }
                }
            }
        }
        parts.removeAll(keepingCapacity: true)
    }

    /// - Parameter size: of the part, in bytes.
    private func run(_ blur: inout crasterizer_blur, size: Int) {
        let scratchSize = (crasterizer_blur_scratch_size(&blur) + 63) / 64 * 64
        guard rows.grow(to: size), scratch.grow(to: scratchSize * threads.count) else { return }
        blur.rows = rows.address
        (job.blur, job.scratch, job.scratchSize) = (blur, scratch.address, scratchSize)
        let (area, height) = (Int(blur.right - blur.left) * Int(blur.bottom - blur.top), blur.bottom - blur.top)
        for isSecond in [false, true] {
            job.isSecond = isSecond
            threads.run(
                job, pieces: (Int(height) + BlurJob.rowsOfPiece - 1) / BlurJob.rowsOfPiece,
                isWorthIt: area >= Self.fewestPixelsForThreads)
        }
    }

    private func add(_ face: FaceDrawList, in picture: borrowing PixelBuffer) {
        let margin = Self.pixels(face.blur)
        let inside = PixelRectangle(
            x: face.rectangle.x - margin, y: face.rectangle.y - margin, width: face.rectangle.width + 2 * margin,
            height: face.rectangle.height + 2 * margin
        ).intersection(picture.bounds)
        guard let area = Self.blocks(around: inside, in: picture) else { return }
        var part = Part(rectangle: area, deviation: face.blur)
        // Where parts meet, the sharpest face decides.
        while let index = parts.firstIndex(where: { !$0.rectangle.intersection(part.rectangle).isEmpty }) {
            let other = parts.remove(at: index)
            let both = part.rectangle.union(other.rectangle)
            part.rectangle = Self.blocks(around: both, in: picture) ?? both
            part.deviation = min(part.deviation, other.deviation)
        }
        parts.append(part)
    }

    /// Whole blocks of columns, which may reach beyond the picture's width but not beyond its rows in memory.
    /// - Returns: nil: there is no room for a block.
    private static func blocks(around area: PixelRectangle, in picture: borrowing PixelBuffer) -> PixelRectangle? {
        let columns = Int(CRASTERIZER_BLUR_COLUMNS)
        let all = picture.bytesPerRow / picture.format.bytesPerPixel
        let width = (area.width + columns - 1) / columns * columns
        let right = min(all, area.x + width)
        guard area.width > 0, width <= right else { return nil }
        return PixelRectangle(x: right - width, y: area.y, width: width, height: area.height)
    }

    private static func pixels(_ deviation: Float) -> Int {
        max(1, min(Int(CRASTERIZER_MOST_BLUR), Int((reach * deviation).rounded(.up))))
    }

    /// Of a Gaussian function.
    private func setWeights(_ deviation: Float) {
        let reach = Self.pixels(deviation)
        func value(_ distance: Int) -> Float {
            let share = Float(distance) / deviation
            return exp(-share * share / 2)
        }
        let sum = 1 + 2 * (1...reach).reduce(0) { $0 + value($1) }
        weights.removeAll(keepingCapacity: true)
        weights.append(256)
        // Of one side, the sum is rounded, which is never above 128: rounded weights could be more than 256 together.
        var (exact, rounded) = (Float(0), UInt16(0))
        for distance in 1...reach {
            exact += 256 * value(distance) / sum
            let weight = min(128, UInt16(exact.rounded())) - rounded
            rounded += weight
            weights.append(weight)
        }
        weights[0] -= 2 * rounded
    }

    private static func byteCount(_ area: PixelRectangle, _ format: PixelFormat) -> Int {
        area.width * area.height * format.bytesPerPixel
    }
}

/// One of the two passes of a blur; its pieces are rows. `@unchecked`: it changes only between runs of `DrawingThreads`, and
/// each thread has scratch memory of its own.
private final class BlurJob: PictureWork, @unchecked Sendable {
    var blur = crasterizer_blur()
    var isSecond = false
    /// Of all threads, and of each, in bytes.
    var scratch: UnsafeMutableRawPointer?
    var scratchSize = 0
    private let generation: ProcessorGeneration

    static let rowsOfPiece = 16

    init(_ generation: ProcessorGeneration) { self.generation = generation }

    func work(_ piece: Int, thread: Int) {
        let (first, height) = (Int32(piece * Self.rowsOfPiece), blur.bottom - blur.top)
        withUnsafePointer(to: blur) { blur in
            crasterizer_blur_drawn(
                generation.value, blur, isSecond, first, min(height, first + Int32(Self.rowsOfPiece)),
                scratch.map { $0 + thread * scratchSize })
        }
    }
}

/// Memory without a type, kept from one picture to the next.
private final class Memory {
    private(set) var address: UnsafeMutableRawPointer?
    private var size = 0

    deinit { free(address) }

    /// What it holds is lost where it grows.
    /// - Returns: false: the system has not enough.
    func grow(to wanted: Int) -> Bool {
        guard wanted > size else { return true }
        free(address)
        // Faces come nearer by and by: with some room, few pictures need more.
        let room = (wanted + wanted / 4 + 63) / 64 * 64
        address = aligned_alloc(64, room)
        size = address == nil ? 0 : room
        return address != nil
    }
}
