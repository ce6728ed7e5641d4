import Capture
import Compositing
import Display
import FaceTracking
import FrameProcessing
import FrameSources
import Installation
import MaskRendering
import Masks
import Pixels
import SourceSelection

/// The settings of `CaptureSession`.
package struct CaptureSettings {
    package var source = SourceOptions()
    package var models = FaceModels()
    /// The height of the smallest face that the detector looks for, as a fraction of the picture's height, 0 to 1.
    package var smallestFace = SmallestFace.share(0.1)
    package var conditions = CaptureCondition.standard
    /// How many pictures are taken; nil: until the session is ended.
    package var count: Int? = 1
    /// How long nothing must have been missing before a picture, in seconds.
    package var countdown = 2.0
    /// From one picture to the next countdown, in seconds.
    package var interval = 1.0
    /// Names or folders of masks: the first picture is taken with the first one, and so on in turns; empty: no mask.
    package var masks: [String] = []
    package var renderer = RendererChoice.auto
    /// Whether the session runs without a window.
    package var isHeadless = false
    /// Whether the window shows a mirror image; nil: only if the source is a camera. Pictures are never mirrored.
    package var isMirrored: Bool?
    /// The size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    package var scale: Float?

    package init() {}
}

/// Takes pictures of a face by itself, when they are as wanted, and says what is missing in a window or through a function:
/// for `bauta capture`, for masks from a camera, and for whoever needs good pictures of somebody. It must be created and used
/// on the process's main thread.
package final class CaptureSession {
    private let settings: CaptureSettings
    private let source: FrameSourceDescription
    private let makeAnalyzer: @Sendable () throws -> any FaceAnalyzer
    private let window: DisplayWindow?
    /// Nil: faces are shown as they are.
    private var booth: (masks: [Mask], compositor: FaceCompositor, renderer: MaskRenderer)?
    private let messages = WindowMessages()
    private var isRunning = true
    private var last: FaceCapture.Result?
    private var count = 0

    /// Loads the landmark model and opens the window.
    /// - Parameter log: takes sentences for the user, without line break, on any thread: what the camera does, and without a
    ///   window what is missing.
    /// - Throws: `ClipError` or `FileError` for the source; `VisionError` for the model; `GraphicsError` of kind `noOpenGL`
    ///   without a display; `DataFolderError`,
    ///   `FileError` or `MaskProblem` for masks.
    package init(
        _ settings: CaptureSettings, data: DataFolder, log: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        let reference = try data.referenceFace()
        source = try settings.source.description(reference: reference, report: log)
        let models = settings.models
        let model = try models.loadLandmarkModel(for: .frames)
        var tracking = FaceTracker.Settings()
        tracking.smallestFace = settings.smallestFace
        // Where no frame may be dropped, the same clip gives the same pictures.
        tracking.searchesInBackground = source.isLive
        makeAnalyzer = { [tracking] in
            LiveAnalyzer(
                try FaceTracker(model: model, reference: reference, settings: tracking) {
                    try models.makeDetector(for: .frames)
                })
        }
        window =
            settings.isHeadless
            ? nil
            : try DisplayWindow(
                title: "Bauta", width: 1280, height: 720, scale: settings.scale,
                shaders: try data.shaders("FramePresenter"))
        if !settings.masks.isEmpty {
            let masks = try settings.masks.map { try data.mask($0, reference: reference) }
            let mesh = try data.mesh()
            let renderer = try data.makeRenderer(settings.renderer, window: window, reference: reference, mesh: mesh)
            booth = (masks, FaceCompositor(mask: masks.first, reference: reference, mesh: mesh), renderer)
        }
        if settings.isHeadless { messages.echo = log }
    }

    /// Runs until all pictures are taken, the source ends, the user closes the window, or `isCancelled` returns true.
    /// - Parameters:
    ///   - isCancelled: called several times a second.
    ///   - keep: gets each picture, `rgba8`, with the time of its frame in seconds and what was found in it. If it returns
    ///     false, the picture does not count, and another one is taken.
    /// - Returns: how many pictures were taken, and what was missing at the end.
    /// - Throws: the first error of the source, the analysis or `keep`.
    package func run(
        isCancelled: () -> Bool, keep: (borrowing PixelBuffer, Double, FaceCapture.Result) throws -> Bool
    ) throws -> (count: Int, missing: [String]) {
        let pipeline = FramePipeline(source, makeAnalyzer: makeAnalyzer)
        defer { pipeline.stop() }
        var capture = FaceCapture(
            settings.conditions, countdown: settings.countdown, interval: settings.interval)
        while isRunning, !isCancelled() {
            for event in window?.events() ?? [] { handle(event) }
            guard var frame = pipeline.next(waiting: window == nil ? 0.2 : 0.008) else {
                if pipeline.isFinished { break }
                show(pipeline.status)
                continue
            }
            let result = try capture.look(at: frame)
            try mask(&frame)
            if result.step == .takes, try keep(frame.pixels, frame.seconds ?? 0, result) {
                count += 1
                messages.say(settings.count.map { "Picture \(count) of \($0)" } ?? "Picture \(count)")
            }
            note(result)
            window?.upload(frame.pixels)
            pipeline.reuse(frame.reusedPixels())
            show(pipeline.status)
            if let wanted = settings.count, count >= wanted { break }
        }
        if let failure = pipeline.status.failure { throw failure }
        guard case .waits(let missing)? = last?.step else { return (count, []) }
        return (count, missing)
    }

    /// Puts the mask of this turn on the faces.
    private func mask(_ frame: inout Frame) throws {
        guard let masks = booth?.masks, let renderer = booth?.renderer else { return }
        booth?.compositor.mask = masks[count % masks.count]
        try booth?.compositor.compose(&frame, with: renderer)
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed, .displayLost, .key(.escape), .key(.letter("q")): isRunning = false
        case .key(.letter("f")): window?.toggleFullScreen()
        default: break
        }
    }

    /// Says what is missing when that has changed; a window shows it all the time.
    private func note(_ result: FaceCapture.Result) {
        if window == nil, case .waits(let missing) = result.step, let first = missing.first {
            guard case .waits(let before)? = last?.step, before.first == first else {
                messages.say(first)
                last = result
                return
            }
        }
        last = result
    }

    private func show(_ status: FramePipeline.Status) {
        window?.show(isMirrored: settings.isMirrored ?? source.isMirrored) { panels in
            if let reason = status.waiting {
                panels.overlay("waiting", reason, x: 0.5, y: 0.5, isAlarm: true)
            }
            switch last?.step {
            case .counts(let remaining):
                panels.dial(
                    "countdown", "\(Int(remaining.rounded(.up)))", "Stay like this",
                    fraction: Float(1 - remaining / max(settings.countdown, 0.01)), isAlarm: false)
            case .waits(let missing):
                if let first = missing.first {
                    panels.dial(
                        "countdown", first, missing.dropFirst().joined(separator: ". "), fraction: 0, isAlarm: false)
                }
            case .takes, nil: break
            }
            if let message = messages.current {
                panels.overlay("message", message.text, x: 0.5, y: 0.97, opacity: message.opacity)
            }
            if let wanted = settings.count, wanted > 1 {
                panels.overlay("count", "\(count) of \(wanted)", x: 0.98, y: 0.03)
            }
        }
    }
}
