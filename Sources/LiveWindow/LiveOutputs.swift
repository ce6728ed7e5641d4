import Files
import Glibc
import Masking
import Media
import Pixels

/// Writes masked frames to a recording, a target, a virtual camera and snapshots, each on a thread of its own.
///
/// The target and the virtual camera run from the first frame to the last; recordings start and stop at any time.
final class LiveOutputs {
    /// An output that takes frames of one size.
    struct Running {
        let sink: SinkThread
        let width: Int
        let height: Int
        /// The target in ffmpeg's terms, for messages.
        let name: String
        /// The time of the first frame, in seconds. The output's times are relative to it.
        let start: Double
    }

    let settings: LiveOutputSettings
    /// Whether recordings that start from now on have the sound of a microphone.
    var recordsMicrophone: Bool
    /// Which one, by `Microphone.name`; nil: the default one.
    var microphone: String?
    /// For recordings and snapshots; it is created when it is needed.
    var folder: FilePath
    /// The target's file, which nobody else can write to meanwhile; nil: the target is none.
    private var file: ClipFile?
    let frameRate: Double
    private let keepsEvery: Bool
    let say: (String) -> Void
    private let log: @Sendable (String) -> Void
    private var recording: Running?
    /// The target, once the first frame has started it.
    private var target: Running?
    /// The device of the virtual camera that the user wants; nil: none.
    var virtualCamera: FilePath?
    /// The same, once a frame has started it.
    private(set) var camera: Running?
    var completing: [Completion] = []
    private var snapshots: [SinkThread] = []
    /// The first error of an output that the settings ask for. `say` has received it.
    var failure: (any Error)?
    /// The outputs that have ended, each with the number of frames written to it.
    var writtenFrames: [(target: String, frames: Int)] = []

    /// Creates the folder for recordings and snapshots, and the target's file with its folder.
    /// - Parameters:
    ///   - frameRate: frames per second of the files and streams that are written.
    ///   - keepsEvery: whether the caller waits for a slow encoder. Otherwise frames are dropped.
    ///   - say: receives messages for the window, on the caller's thread.
    ///   - log: receives errors of snapshots, on their threads.
    /// - Throws: `FileError` if the folder or the target's file cannot be created, or if the target exists and must not
    ///   be replaced; `ClipError` if the target's format is unknown or the virtual camera is no device.
    init(
        _ settings: LiveOutputSettings, frameRate: Double, keepsEvery: Bool, say: @escaping (String) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        folder = settings.folder ?? "."
        recordsMicrophone = settings.recordsMicrophone
        microphone = settings.microphone
        virtualCamera = settings.virtualCamera
        self.frameRate = frameRate
        self.keepsEvery = keepsEvery
        self.say = say
        self.log = log
        if let device = settings.virtualCamera { try VirtualCamera.check(device) }
        if let folder = settings.folder { try Folder.create(folder) }
        file = try settings.target.flatMap { try ClipTarget.file($0, replacing: settings.replaces) }
    }

    var isRecording: Bool { recording != nil }
    /// Whether the target is a file, not a device or an address.
    var writesFile: Bool { file != nil }
    /// Whether something takes frames of a certain size only. A virtual camera starts anew with another size.
    var isRunning: Bool { recording != nil || target != nil }

    /// The length of the running recording up to the time `seconds`; nil: nothing is being recorded.
    func recordedSeconds(at seconds: Double) -> Double? { recording.map { seconds - $0.start } }

    /// Gives a copy of a masked frame to each running output.
    /// - Parameters:
    ///   - seconds: the frame's time.
    ///   - isFirst: whether the target and a recording that the settings ask for start now.
    func take(_ pixels: borrowing PixelBuffer, at seconds: Double, isFirst: Bool) {
        if isFirst { startRequested(pixels, at: seconds) }
        startVirtualCamera(pixels, at: seconds)
        guard recording != nil || target != nil || camera != nil else { return }
        guard settings.isMirrored else { return give(pixels, at: seconds) }
        do {
            give(try pixels.mirrored(), at: seconds)
        } catch {
            failure = failure ?? error
            say("A frame could not be written: \(error)")
        }
    }

    /// Gives a frame to each running output. An output that cannot take it ends.
    private func give(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let running = recording, let reason = refusal(of: pixels, at: seconds, by: running) {
            recording = nil
            complete(running, as: .recording, reason: reason)
        }
        if let running = target, let reason = refusal(of: pixels, at: seconds, by: running) {
            target = nil
            complete(running, as: .target, reason: reason)
        }
        if let running = camera, let reason = refusal(of: pixels, at: seconds, by: running) {
            let hasOtherSize = pixels.width != running.width || pixels.height != running.height
            endVirtualCamera(isWanted: hasOtherSize, reason: hasOtherSize ? nil : reason)
        }
    }

    /// Gives a frame to an output.
    /// - Returns: why the output cannot take it and must end; nil if it has taken it.
    private func refusal(of pixels: borrowing PixelBuffer, at seconds: Double, by running: Running) -> String? {
        guard pixels.width == running.width, pixels.height == running.height else {
            return "the size of the frames changed"
        }
        do {
            try running.sink.takeCopy(of: pixels, at: seconds - running.start)
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
            writing.constantRate = frameRate
            writing.recordsMicrophone = settings.recordsMicrophone
            writing.microphone = microphone
            self.target = open(writing, pixels, at: seconds)
        }
        if settings.recordsAtOnce { startRecording(pixels, at: seconds) }
    }

    /// Starts the virtual camera, if one is wanted and none runs.
    private func startVirtualCamera(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        guard let device = virtualCamera, camera == nil else { return }
        var writing = ClipWriter.Settings(target: device)
        // The device takes one writer at a time.
        guard !completing.contains(where: { $0.running.name == writing.name }) else { return }
        writing.format = "v4l2"
        // Browsers accept only this format.
        writing.rawPixelFormat = "yuv420p"
        // Without a constant rate ffmpeg passes each frame on as soon as it arrives.
        writing.frameRate = frameRate
        camera = open(writing, pixels, at: seconds)
    }

    /// - Parameters:
    ///   - isWanted: whether it starts again with the next frame.
    ///   - reason: why the session ends it; nil: the user, the session's end, or frames of another size.
    func endVirtualCamera(isWanted: Bool, reason: String?) {
        if !isWanted { virtualCamera = nil }
        guard let running = camera else { return }
        camera = nil
        complete(running, as: .virtualCamera, reason: reason)
    }

    private func open(_ writing: ClipWriter.Settings, _ pixels: borrowing PixelBuffer, at seconds: Double) -> Running {
        let (width, height) = (pixels.width, pixels.height)
        let sink = SinkThread(keepsEvery: keepsEvery) { stopSignal in
            try ClipSink(width: width, height: height, settings: writing, stopSignal: stopSignal)
        }
        return Running(sink: sink, width: width, height: height, name: writing.name, start: seconds)
    }

    // MARK: Recording

    /// The path of the running recording; nil: nothing is being recorded.
    var recordingName: String? { recording?.name }

    /// Starts a recording with this frame, unless one is running.
    func startRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        guard recording == nil else { return }
        let file: ClipFile
        do {
            file = try TimedName.newFile(in: wholeFolder(), fileExtension: "mp4")
        } catch {
            if settings.recordsAtOnce { failure = failure ?? error }
            return say("\(error)")
        }
        var writing = ClipWriter.Settings(target: file.path)
        writing.file = file
        writing.constantRate = frameRate
        writing.recordsMicrophone = recordsMicrophone
        writing.microphone = microphone
        recording = open(writing, pixels, at: seconds)
        let codec = ClipWriter.videoEncoder == "libx264" ? "H.264" : "MPEG-4 (this ffmpeg has no H.264)"
        say("Recording to \(writing.name) in \(codec)")
    }

    /// The folder for recordings and snapshots, which is there then. Its path is absolute: messages and other programs say
    /// it to people who do not know where this one was started.
    private func wholeFolder() throws(FileError) -> FilePath {
        try Folder.create(folder)
        return folder.resolved ?? folder
    }

    /// Begins to complete the recording. Without a recording it does nothing.
    func stopRecording() {
        guard let running = recording else { return }
        recording = nil
        complete(running, as: .recording, reason: nil)
    }

    // MARK: Snapshots

    /// Writes a copy of a masked frame to a new PNG file, on a separate thread.
    /// - Returns: the file's path; nil if the frame cannot be copied.
    @discardableResult
    func saveSnapshot(_ pixels: borrowing PixelBuffer) -> FilePath? {
        do {
            let copy = try settings.isMirrored ? pixels.mirrored() : pixels.copy()
            let path = TimedName.free(in: try wholeFolder(), fileExtension: "png")
            let sink = SinkThread(keepsEvery: true) { [log] _ in PictureFileSink(path) { log("\($0)") } }
            _ = try sink.take(Frame(copy, seconds: nil))
            sink.close()
            snapshots.append(sink)
            say("Snapshot: \(path)")
            return path
        } catch {
            say("The snapshot failed: \(error)")
            return nil
        }
    }

    /// Completes all outputs and waits for them.
    func finish() {
        stopRecording()
        if let running = target { complete(running, as: .target, reason: nil) }
        target = nil
        endVirtualCamera(isWanted: false, reason: nil)
        reportCompleted(waiting: true)
        file = nil
        for sink in snapshots { _ = sink.finish(within: nil) }
        snapshots = []
    }
}
