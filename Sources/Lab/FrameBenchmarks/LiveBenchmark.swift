import Clips
import Compositing
import Evaluation
import FaceTracking
import FrameProcessing
import Glibc
import Installation
import MaskRendering
import Pixels

/// Measures what a masked frame costs, from a decoded frame in memory to a masked frame in memory. Frames are decoded
/// in blocks beforehand; they come at most at the clip's own rate, and the detector runs on its own thread, as live.
package struct LiveBenchmark {
    package struct Settings: Sendable {
        let clip: String
        /// Frames are scaled and cropped to this size, in pixels.
        let size: (width: Int, height: Int)
        let frameLimit: Int
        /// A mask's name or folder.
        let mask: String
        let models: FaceModels
        let renderer: RendererChoice
        let occluders: OccluderPolicy

        package init(
            clip: String, size: (width: Int, height: Int), frameLimit: Int, mask: String, models: FaceModels,
            renderer: RendererChoice, occluders: OccluderPolicy = .mask
        ) {
            self.clip = clip
            self.size = size
            self.frameLimit = frameLimit
            self.mask = mask
            self.models = models
            self.renderer = renderer
            self.occluders = occluders
        }
    }

    package struct Result {
        package internal(set) var frames = 0
        /// Frames with a face, without the first ten, which load what is loaded once. Only these are measured.
        package internal(set) var framesWithFaces = 0
        package let width: Int
        package let height: Int
        /// The renderer that drew it.
        package let renderer: String
        /// Milliseconds, one value per measured frame; the last stage is the total. "computing" is this thread's
        /// processor time for occluders and drawing, so that what else the machine does matters little.
        package internal(set) var stages = [
            "follow", "smooth", "scene", "search", "occluders", "compose", "upload", "draw", "download", "computing",
            "total",
        ]
        .map { Samples($0) }
    }

    /// How many frames are in memory at a time.
    private static let blockSize = 50

    /// A frame's memory in a block.
    private final class Slot {
        var pixels: PixelBuffer?
        var seconds = 0.0
    }

    private let clip: ClipReader
    private let analyzer: LiveAnalyzer
    private var compositor: FaceCompositor
    private let renderer: MaskRenderer
    private var result: Result

    /// - Returns: nil if it was cancelled.
    package static func run(_ settings: Settings, data: DataFolder, isCancelled: () -> Bool) throws -> Result? {
        var benchmark = try LiveBenchmark(settings, data: data)
        return try benchmark.run(isCancelled: isCancelled)
    }

    private init(_ settings: Settings, data: DataFolder) throws {
        clip = try ClipReader(
            settings.clip, size: .filled(width: settings.size.width, height: settings.size.height),
            frames: settings.frameLimit)
        let reference = try data.referenceFace()
        let mesh = try data.mesh()
        compositor = FaceCompositor(
            mask: try data.mask(settings.mask, reference: reference), reference: reference, mesh: mesh)
        let models = settings.models
        compositor.occluders.search = .background(models.networks)
        compositor.occluders.policy = settings.occluders
        analyzer = LiveAnalyzer(
            try FaceTracker(model: try models.loadLandmarkModel(for: .frames), reference: reference) {
                try models.makeDetector(for: .frames)
            })
        renderer = try data.makeRenderer(settings.renderer, reference: reference, mesh: mesh)
        result = Result(width: clip.width, height: clip.height, renderer: renderer.rendererDescription)
    }

    private mutating func run(isCancelled: () -> Bool) throws -> Result? {
        let slots = (0..<Self.blockSize).map { _ in Slot() }
        let interval = Duration.seconds(1 / (clip.information.frameRate ?? 25))
        while true {
            let filled = try fill(slots)
            for slot in slots.prefix(filled) {
                if isCancelled() { return nil }
                let start = ContinuousClock.now
                try measure(slot)
                let rest = interval - (.now - start)
                if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
            }
            if filled < slots.count { return result }
        }
    }

    /// Decodes a block.
    /// - Returns: the count of frames.
    private func fill(_ slots: [Slot]) throws -> Int {
        for (index, slot) in slots.enumerated() {
            var pixels = if let reused = slot.pixels.take() { reused } else { try clip.makeFrame() }
            let seconds = try clip.read(into: &pixels)
            slot.pixels = consume pixels
            guard let seconds else { return index }
            slot.seconds = seconds
        }
        return slots.count
    }

    private mutating func measure(_ slot: Slot) throws {
        guard let pixels = slot.pixels.take() else { return }
        let start = ContinuousClock.now
        try analyzer.add(Frame(pixels, seconds: slot.seconds))
        guard var frame = analyzer.next(isEnding: false) else { return }
        let computed = Self.processorTime()
        try compositor.compose(&frame, with: renderer)
        let computing = (Self.processorTime() - computed) / .seconds(1)
        let total = (ContinuousClock.now - start) / .seconds(1)
        result.frames += 1
        if !frame.chosenFaces.isEmpty, result.frames > 10 {
            result.framesWithFaces += 1
            let (tracking, drawing) = (frame.timings.tracking, frame.timings.drawing)
            let drawList = frame.timings.drawList / .seconds(1)
            let occluders = frame.timings.occluders / .seconds(1)
            let values = [
                tracking.follow, tracking.smooth, tracking.scene, tracking.search, occluders, drawList, drawing.upload,
                drawing.draw, drawing.download, computing, total,
            ]
            for (index, value) in values.enumerated() { result.stages[index].add(1000 * value) }
        }
        slot.pixels = frame.reusedPixels()
    }

    /// Of this thread until now. `ThreadTime` counts whole ticks of the scheduler, which are as long as a stage.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
