import Clips
import Files
import FrameProcessing
import PipeWire
import Pixels
import Synchronization
import Threads
import Vision

/// Writes masked frames to a recording, a target, a virtual camera and snapshots, each on a thread of its own.
///
/// The target and the virtual camera run from the first frame to the last; recordings start and stop at any time.
final class LiveOutputs {
    /// An output of one size, that of its first frame. Others are fitted into it.
    struct Running {
        let sink: SinkThread
        let width: Int
        let height: Int
        fileprivate let opening: Opening
        /// The target in ffmpeg's terms, for messages; nil: its thread has not made the file yet.
        var name: String? { opening.opened?.name }
        /// The time of the first frame, in seconds. The output's times are relative to it.
        let start: Double
        /// Whether the user has been told where it is.
        fileprivate var isSaid = false
    }

    /// The file or device that an output's thread has opened.
    fileprivate final class Opening: Sendable {
        private let state: Mutex<(name: String, codec: String)?>

        init(_ name: String? = nil) { state = Mutex(name.map { ($0, "") }) }

        /// The codec in words, empty where nobody is told; nil: nothing has been opened yet.
        var opened: (name: String, codec: String)? { state.withLock { $0 } }
        func note(_ name: String, codec: String) { state.withLock { $0 = (name, codec) } }
    }

    let settings: LiveOutputSettings
    /// Whether recordings that start from now on have the sound of a microphone.
    var recordsMicrophone: Bool
    /// Which one, by `Microphone.name`; nil: the default one.
    var microphone: String?
    /// Each is created when it is needed.
    var folders: LiveFolders
    /// The working folder, as an absolute path.
    private let start: FilePath
    /// The same, for texts: absolute paths. The disk is not asked.
    var wholeFolders: LiveFolders {
        folders.mapped { $0.isAbsolute ? $0 : $0 == "." ? start : start / $0 }
    }
    /// The target's file, which nobody else can write to meanwhile; nil: the target is none.
    private var file: ClipFile?
    let frameRate: Double
    private let keepsEvery: Bool
    let say: @Sendable (String) -> Void
    private var recording: Running?
    /// What recordings and the target show of frames; nil: all.
    var crop: VerticalCrop?
    /// Why the last recording that has ended is not whole, or not there.
    var recordingFailure: String?
    /// The target, once the first frame has started it.
    private var target: Running?
    /// The virtual camera that the user wants; nil: none.
    var virtualCamera: VirtualCameraChoice?
    /// The same, once a frame has started it.
    var camera: CameraOutput?
    var completing: [Completion] = []
    let snapshots = BackgroundWork()
    /// What the user may save of the last seconds; nil: there is no window to ask for it.
    var recent: Recent?
    /// The first error of an output that the settings ask for. `say` has received it.
    var failure: (any Error)?
    /// The outputs that have ended, each with the number of frames written to it.
    var writtenFrames: [(target: String, frames: Int)] = []

    /// Creates the folder for recordings and snapshots, and the target's file with its folder.
    /// - Parameters:
    ///   - frameRate: frames per second of the files and streams that are written.
    ///   - keepsEvery: whether the caller waits for a slow encoder. Otherwise frames are dropped.
    ///   - keepsRecent: whether the last seconds can be saved.
    ///   - say: receives messages for the window, on any thread.
    /// - Throws: `FileError` if the folder or the target's file cannot be created, or if the target exists and must not
    ///   be replaced; `ClipError` if the target's format is unknown or the virtual camera is no device; `PipeWireError` if
    ///   PipeWire is wanted, is not installed or does not run, and there is no window: otherwise, that is `failure`.
    init(
        _ settings: LiveOutputSettings, frameRate: Double, keepsEvery: Bool, keepsRecent: Bool,
        say: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        folders = LiveFolders(settings.folder ?? ".")
        start = FilePath(".").resolved ?? "."
        recordsMicrophone = settings.recordsMicrophone
        microphone = settings.microphone
        self.frameRate = frameRate
        self.keepsEvery = keepsEvery
        recent = keepsRecent ? Recent() : nil
        crop = settings.isVertical ? VerticalCrop() : nil
        self.say = say
        do {
            virtualCamera = try settings.virtualCamera?.checked()
        } catch let error as PipeWireError where keepsRecent {
            // The window says what is missing, and can set it up.
            failure = error
        }
        if let folder = settings.folder { try Folder.create(folder) }
        file = try settings.target.flatMap { try ClipTarget.file($0, replacing: settings.replaces) }
    }

    var isRecording: Bool { recording != nil }
    /// Whether the target is a file, not a device or an address.
    var writesFile: Bool { file != nil }
    /// Whether something takes frames of a certain size only. A virtual camera starts anew with another size.
    var isRunning: Bool { recording != nil || target != nil }

    /// Whether files are being written, which the session's end waits for.
    var isBusy: Bool { snapshots.isBusy || recording != nil || file != nil || !completing.isEmpty }

    /// Whether others see the picture, or will.
    var areWanted: Bool { isRunning || virtualCamera != nil || settings.writesFromStart }

    /// The length of the running recording up to the time `seconds`; nil: nothing is being recorded.
    func recordedSeconds(at seconds: Double) -> Double? { recording.map { seconds - $0.start } }

    /// Gives a copy of a masked frame to each running output.
    /// - Parameters:
    ///   - seconds: the frame's time.
    ///   - isFirst: whether the target and a recording that the settings ask for start now.
    ///   - isForRecording: whether only the recording gets it.
    func take(_ pixels: borrowing PixelBuffer, at seconds: Double, isFirst: Bool, isForRecording: Bool = false) {
        if isFirst { startRequested(pixels, at: seconds) }
        if !isForRecording { startVirtualCamera(pixels, at: seconds) }
        if !isForRecording { camera?.countFrame() }
        if !isForRecording { keepRecent(pixels, at: seconds) }
        guard recording != nil || target != nil || (!isForRecording && camera?.takesFrames ?? false) else { return }
        guard settings.isMirrored else { return give(pixels, at: seconds, isForRecording: isForRecording) }
        do {
            give(try pixels.mirrored(), at: seconds, isForRecording: isForRecording)
        } catch {
            failure = failure ?? error
            say("A frame could not be written: \(error)")
        }
    }

    /// What has no alpha shows transparent frames on this colour.
    static let plain = SIMD4<UInt8>(0, 0, 0, 255)

    private func keepRecent(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        guard let recent, recent.last.wants(seconds) else { return }
        guard settings.hasAlpha else { return recent.take(pixels, at: seconds, isMirrored: settings.isMirrored) }
        // Without memory, the last seconds cannot be saved; all else goes on.
        guard var flat = try? pixels.copy() else { return }
        flat.flatten(on: Self.plain)
        recent.take(flat, at: seconds, isMirrored: settings.isMirrored)
    }

    /// Gives a frame to each running output. An output that cannot take it ends.
    private func give(_ pixels: borrowing PixelBuffer, at seconds: Double, isForRecording: Bool) {
        if let crop, recording != nil || target != nil {
            do {
                let columns = crop.columns(of: (pixels.width, pixels.height), isMirrored: settings.isMirrored)
                record(try pixels.columns(columns), at: seconds, isForRecording: isForRecording)
            } catch {
                failure = failure ?? error
                say("A frame could not be written: \(error)")
            }
        } else {
            record(pixels, at: seconds, isForRecording: isForRecording)
        }
        if isForRecording || camera == nil { return }
        guard settings.hasAlpha else { return giveToCamera(pixels, at: seconds) }
        do {
            var flat = try pixels.copy()
            flat.flatten(on: Self.plain)
            giveToCamera(flat, at: seconds)
        } catch {
            failure = failure ?? error
            say("A frame could not be shown: \(error)")
        }
    }

    private func giveToCamera(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        switch camera {
        case .pipeWire(let output): output.camera.offer(pixels)
        case .device(let running):
            guard let reason = refusal(of: pixels, at: seconds, by: running) else { break }
            endVirtualCamera(isWanted: false, reason: reason)
        case nil: break
        }
    }

    /// The size of recordings of frames of a size, in pixels.
    func recordedSize(of frame: (width: Int, height: Int)) -> (width: Int, height: Int) {
        (crop?.columns(of: frame, isMirrored: false).count ?? frame.width, frame.height)
    }

    /// The width of the part of a frame that is recorded.
    private func recordedWidth(_ pixels: borrowing PixelBuffer) -> Int {
        recordedSize(of: (pixels.width, pixels.height)).width
    }

    /// Gives what is recorded of a frame to the recording and to the target.
    private func record(_ pixels: borrowing PixelBuffer, at seconds: Double, isForRecording: Bool) {
        if let running = recording, let reason = refusal(of: pixels, at: seconds, by: running) {
            recording = nil
            complete(running, as: .recording, reason: reason)
        }
        if isForRecording { return }
        if let running = target, let reason = refusal(of: pixels, at: seconds, by: running) {
            target = nil
            complete(running, as: .target, reason: reason)
        }
    }

    /// Gives a frame to an output.
    /// - Returns: why the output cannot take it and must end; nil if it has taken it.
    private func refusal(of pixels: borrowing PixelBuffer, at seconds: Double, by running: Running) -> String? {
        let seconds = seconds - running.start
        do {
            if pixels.width == running.width, pixels.height == running.height {
                try running.sink.takeCopy(of: pixels, at: seconds)
            } else {
                // The next photograph of a folder, or another source.
                let border = settings.hasAlpha ? SIMD4<UInt8>() : Self.plain
                let fitted = try pixels.fitted(width: running.width, height: running.height, border: border)
                try running.sink.takeCopy(of: fitted, at: seconds)
            }
            return nil
        } catch {
            // What made the sink itself fail is reported when it is completed.
            if error is OutOfMemory { failure = failure ?? error }
            return "\(error)"
        }
    }

    /// Starts the outputs that the settings ask for.
    private func startRequested(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let target = settings.target {
            var writing = ClipWriter.Settings(target: target)
            writing.file = file
            writing.hasAlpha = settings.hasAlpha
            writing.constantRate = frameRate
            writing.recordsMicrophone = settings.recordsMicrophone
            writing.microphone = microphone
            writing.microphoneDelay = settings.delay
            self.target = open(writing, pixels, width: recordedWidth(pixels), at: seconds)
        }
        if settings.recordsAtOnce { startRecording(pixels, at: seconds) }
    }

    /// Starts the virtual camera, if one is wanted and none of this size runs.
    private func startVirtualCamera(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let camera, !camera.fits(pixels) { endVirtualCamera(isWanted: true, reason: nil) }
        guard let virtualCamera, camera == nil else { return }
        guard case .device(let device) = virtualCamera else { return startPipeWire(pixels) }
        var writing = ClipWriter.Settings(target: device)
        // The device takes one writer at a time.
        guard !completing.contains(where: { $0.running.name == writing.name }) else { return }
        writing.format = "v4l2"
        // Browsers accept only this format.
        writing.rawPixelFormat = "yuv420p"
        // Without a constant rate ffmpeg passes each frame on as soon as it arrives.
        writing.frameRate = frameRate
        camera = .device(open(writing, pixels, width: pixels.width, at: seconds))
    }

    /// - Parameters:
    ///   - isWanted: whether it starts again with the next frame.
    ///   - reason: why the session ends it; nil: the user, the session's end, or frames of another size.
    func endVirtualCamera(isWanted: Bool, reason: String?) {
        if !isWanted { virtualCamera = nil }
        let ended = camera.take()
        switch ended {
        case .device(let running): complete(running, as: .virtualCamera, reason: reason)
        case .pipeWire(let output): writtenFrames.append(("pipewire", output.frames))
        case nil: break
        }
    }

    private func open(
        _ writing: ClipWriter.Settings, _ pixels: borrowing PixelBuffer, width: Int, at seconds: Double
    ) -> Running {
        open(pixels, width: width, at: seconds, Opening(writing.name), isFile: writing.file != nil) { _ in writing }
    }

    /// - Parameters:
    ///   - isFile: whether nobody sees what is written at once.
    ///   - prepare: says what is written, on the output's thread.
    private func open(
        _ pixels: borrowing PixelBuffer, width: Int, at seconds: Double, _ opening: Opening, isFile: Bool,
        _ prepare: @escaping @Sendable (Opening) throws -> ClipWriter.Settings
    ) -> Running {
        let height = pixels.height
        let sink = SinkThread(keepsEvery: keepsEvery, keepsEarly: isFile) { stopSignal in
            try ClipSink(width: width, height: height, settings: prepare(opening), stopSignal: stopSignal)
        }
        return Running(sink: sink, width: width, height: height, opening: opening, start: seconds)
    }

    /// Writes nothing of what was shown until the time `seconds` and is not written yet, and forgets the last seconds:
    /// from now on, everything is covered.
    func forgetShown(until seconds: Double) {
        recent?.last.forget(until: seconds)
        for running in [recording, target] { running?.sink.forgetWaiting() }
        if case .device(let running) = camera { running.sink.forgetWaiting() }
    }

    // MARK: Recording

    /// The path of the running recording; nil: nothing is being recorded, or the file has not been made yet.
    var recordingName: String? { recording?.name }

    /// Starts a recording with the frame of this time, unless one is running. Its file is made on its thread, and `report`
    /// says where it is.
    func startRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        guard recording == nil else { return }
        recordingFailure = nil
        folders.last = folders.recordings
        recording = open(pixels, width: recordedWidth(pixels), at: seconds, Opening(), isFile: true) {
            [folder = folders.recordings, frameRate, recordsMicrophone, microphone, settings] opening in
            let file = try TimedName.newFile(
                in: Self.made(folder), fileExtension: settings.hasAlpha ? "mov" : "mp4")
            var writing = ClipWriter.Settings(target: file.path)
            writing.file = file
            writing.constantRate = frameRate
            writing.recordsMicrophone = recordsMicrophone
            writing.microphone = microphone
            writing.microphoneDelay = settings.delay
            writing.hasAlpha = settings.hasAlpha
            let codec =
                settings.hasAlpha
                ? "ProRes 4444" : ClipWriter.videoEncoder == "libx264" ? "H.264" : "MPEG-4 (this ffmpeg has no H.264)"
            opening.note(writing.name, codec: codec)
            return writing
        }
    }

    /// The folder for recordings and snapshots, which is there then. Its path is absolute: messages and other programs say
    /// it to people who do not know where this one was started.
    static func made(_ folder: FilePath) throws(FileError) -> FilePath {
        try Folder.create(folder)
        return folder.resolved ?? folder
    }

    /// Says what the threads of outputs have opened, written and completed. To be called for each frame.
    func report() {
        snapshots.handBack()
        if let running = recording, let opened = running.opening.opened, !running.isSaid {
            recording?.isSaid = true
            say("Recording \(running.width) × \(running.height) pixels to \(opened.name) in \(opened.codec)")
        }
        // In a pause, no frame would find out.
        if let running = recording, let error = running.sink.outcome.failure {
            recording = nil
            complete(running, as: .recording, reason: "\(error)")
        }
        reportCompleted()
        reportPipeWire()
    }

    /// Begins to complete the recording. Without a recording it does nothing.
    func stopRecording() {
        guard let running = recording else { return }
        recording = nil
        complete(running, as: .recording, reason: nil)
    }

    /// Completes all outputs and waits for them.
    func finish() {
        stopRecording()
        if let running = target { complete(running, as: .target, reason: nil) }
        target = nil
        endVirtualCamera(isWanted: false, reason: nil)
        reportCompleted(waiting: true)
        file = nil
        snapshots.finish()
        recent?.stop()
    }
}
