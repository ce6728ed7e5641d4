import Dispatch
import FaceGeometry
import NeuralNetworks
import Pixels
import Synchronization
import Threads
import Vision

/// Looks for hands while pictures go on.
protocol HandWorker: AnyObject {
    /// Whether it looks for hands, or has a result that nobody has taken.
    var isBusy: Bool { get }
    /// Drops a result that nobody has taken.
    /// - Returns: whether another one is on its way.
    func dropResult() -> Bool
    /// It must not be busy.
    func start(_ request: HandThread.Request, in picture: borrowing PixelBuffer) throws
    /// Asked once for each picture. Nil: it has not finished, or its result has been taken.
    func takeResult() throws -> [Hand]?
}

/// One that has its results after a fixed number of pictures, so that measurements do not depend on the machine.
final class PacedHandWorker: HandWorker {
    private let finder: HandFinder
    private let pictures: Int
    private var outcome: (hands: [Hand], picturesLeft: Int)?

    /// - Throws: `VisionError` with the path of a file.
    init(_ networks: NetworkFolder, pictures: Int) throws(VisionError) {
        (finder, self.pictures) = (try HandFinder(networks), pictures)
    }

    var isBusy: Bool { outcome != nil }

    func dropResult() -> Bool {
        outcome = nil
        return false
    }

    func start(_ request: HandThread.Request, in picture: borrowing PixelBuffer) throws {
        let hands = try finder.find(
            from: request.hands, near: request.targets, in: picture, searching: request.sides)
        outcome = (hands, pictures)
    }

    func takeResult() -> [Hand]? {
        outcome?.picturesLeft -= 1
        guard let finished = outcome, finished.picturesLeft <= 0 else { return nil }
        outcome = nil
        return finished.hands
    }
}

/// Finds hands on a thread of its own, which also loads the networks.
final class HandThread: HandWorker, Sendable {
    /// What is looked for.
    struct Request: Sendable {
        /// Of the picture before.
        var hands: [Hand]
        var targets: [HandTarget]
        /// Of the squares in which new hands are looked for, too, in widths of the face.
        var sides: [Float]

        /// The parts of the picture that this needs.
        var parts: [OrientedBox] {
            let squares = targets.flatMap { target in sides.map { target.square(side: $0) } }
            return squares + hands.map(\.region)
        }
    }

    private struct State {
        var request: Request?
        var isBusy = false
        var isFinished = false
        var outcome: Result<[Hand], any Error>?
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let filled = DispatchSemaphore(value: 0)
        let frame: CopiedParts

        init() throws(OutOfMemory) { frame = try CopiedParts() }
    }

    private let shared: Shared
    private let thread: DedicatedThread.Handle

    /// - Throws: `OutOfMemory` or `NoThread`.
    init(_ networks: NetworkFolder) throws {
        let shared = try Shared()
        self.shared = shared
        thread = try DedicatedThread.start {
            // Pictures do not wait for it, so it should not keep them waiting either.
            DedicatedThread.lowerPriorityOfCaller()
            Self.serve(shared, networks)
        }
    }

    deinit {
        shared.state.withLock { $0.isFinished = true }
        shared.filled.signal()
        thread.join()
    }

    private static func serve(_ shared: Shared, _ networks: NetworkFolder) {
        // What fails here fails again with the first picture, and is reported then.
        var finder = try? HandFinder(networks)
        while true {
            shared.filled.wait()
            let request = shared.state.withLock { state in
                defer { state.request = nil }
                return state.isFinished ? nil : state.request
            }
            guard let request else { return }
            let outcome = Result {
                let ready = try finder ?? HandFinder(networks)
                finder = ready
                return try shared.frame.find(request, with: ready)
            }
            shared.state.withLock { state in
                state.outcome = outcome
                state.isBusy = false
            }
        }
    }

    var isBusy: Bool { shared.state.withLock { $0.isBusy || $0.outcome != nil } }

    func dropResult() -> Bool {
        shared.state.withLock { state in
            state.outcome = nil
            return state.isBusy
        }
    }

    /// The thread must not be busy.
    func start(_ request: Request, in picture: borrowing PixelBuffer) throws(OutOfMemory) {
        try shared.frame.take(picture, parts: request.parts)
        shared.state.withLock { state in
            state.request = request
            state.isBusy = true
        }
        shared.filled.signal()
    }

    /// - Throws: `VisionError` with the path of a damaged network.
    func takeResult() throws -> [Hand]? {
        try shared.state.withLock { state in
            defer { state.outcome = nil }
            return state.outcome
        }?.get()
    }
}

/// A copy of parts of a picture at their place, with 8 bits; the rest is black. Its memory is used again. It belongs to the
/// thread that is busy with it, and otherwise to the one that starts that.
final class CopiedParts: @unchecked Sendable {
    private var pixels: PixelBuffer
    /// What has been copied.
    private var filled = PixelRectangle(x: 0, y: 0, width: 0, height: 0)

    init() throws(OutOfMemory) { pixels = try PixelBuffer(width: 1, height: 1, format: .rgba8) }

    /// - Parameter picture: `rgba8` or `rgba16`.
    func take(_ picture: borrowing PixelBuffer, parts: [OrientedBox]) throws(OutOfMemory) {
        var (low, high) = (Point(repeating: .infinity), Point(repeating: -.infinity))
        for part in parts {
            // Turned by 45°, a square reaches farthest.
            let reach = part.side * Float(0.5).squareRoot()
            low = pointwiseMin(low, part.center - reach)
            high = pointwiseMax(high, part.center + reach)
        }
        // What is no number becomes the whole picture's edge.
        func limited(_ value: Float, _ most: Int) -> Int { Int(max(0, min(Float(most), value))) }
        let (left, right) = (limited(low.x, picture.width), limited(high.x.rounded(.up), picture.width))
        let (top, bottom) = (limited(low.y, picture.height), limited(high.y.rounded(.up), picture.height))
        let part = PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
        if pixels.bounds != picture.bounds {
            pixels = try PixelBuffer(width: picture.width, height: picture.height, format: .rgba8)
        } else {
            clear(except: part)
        }
        filled = part
        if part.isEmpty { return }
        let (stride, targetStride, isDeep) = (picture.bytesPerRow, pixels.bytesPerRow, picture.format == .rgba16)
        picture.withUnsafeBytes { source in
            pixels.withUnsafeMutableBytes { target in
                for y in top..<bottom {
                    if isDeep {
                        for index in 4 * left..<4 * right {
                            let value = source.load(fromByteOffset: y * stride + 2 * index, as: UInt16.self)
                            target[y * targetStride + index] = UInt8((UInt32(value) * 255 + 32767) / 65535)
                        }
                        continue
                    }
                    let row = UnsafeRawBufferPointer(rebasing: source[y * stride + 4 * left..<y * stride + 4 * right])
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * targetStride + 4 * left)...]).copyMemory(
                        from: row)
                }
            }
        }
    }

    /// Makes black what has been copied, except for what is copied over in a moment.
    private func clear(except part: PixelRectangle) {
        let (left, right) = (filled.x, filled.x + filled.width)
        let black = SIMD4<UInt8>(0, 0, 0, 255)
        for y in filled.y..<filled.y + filled.height {
            guard !part.isEmpty, y >= part.y, y < part.y + part.height else {
                pixels.fill(left..<right, ofRow: y, with: black)
                continue
            }
            if left < part.x { pixels.fill(left..<min(right, part.x), ofRow: y, with: black) }
            let end = part.x + part.width
            if right > end { pixels.fill(max(left, end)..<right, ofRow: y, with: black) }
        }
    }

    func withPixels(_ body: (borrowing PixelBuffer) throws -> Void) rethrows { try body(pixels) }

    func find(_ request: HandThread.Request, with finder: HandFinder) throws(VisionError) -> [Hand] {
        try finder.find(from: request.hands, near: request.targets, in: pixels, searching: request.sides)
    }
}
