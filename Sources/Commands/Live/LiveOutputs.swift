import Files
import Glibc
import Masking
import Media
import Pixels

/// All that masked frames go to besides the window: a recording, an output, a virtual camera, snapshots.
package final class LiveOutputs {
    package struct Settings: Sendable {
        /// A file, an address that ffmpeg can write to, or - for standard output; nil: none.
        package var target: String?
        /// A v4l2loopback device; nil: none.
        package var virtualCamera: String?
        /// Whether a recording starts with the first frame.
        package var recordsAtOnce = false
        package var recordsMicrophone = false
        /// For recordings and snapshots.
        package var folder = "."
        /// Whether everything written is mirrored.
        package var isMirrored = false
        /// Whether an existing target is replaced.
        package var replaces = false

        package init() {}
    }

    private struct Running {
        let sink: SinkThread
        let width: Int
        let height: Int
        let name: String
        let start: Double
    }

    private let settings: Settings
    private let frameRate: Double
    private let keepsEvery: Bool
    private let say: (String) -> Void
    private let log: @Sendable (String) -> Void
    private var recording: Running?
    /// The target and the virtual camera, from the first frame on.
    private var standing: [Running] = []
    private var snapshots: [SinkThread] = []
    /// Why something that was asked for in the settings could not be written.
    private(set) var failure: (any Error)?
    private(set) var writtenFrames: [(target: String, frames: Int)] = []

    /// Creates the folder for recordings and snapshots.
    /// - Parameters:
    ///   - frameRate: of what is written.
    ///   - keepsEvery: whether frames wait for a slow encoder. Otherwise they are dropped.
    ///   - say: takes messages for the window.
    ///   - log: takes messages from other threads.
    /// - Throws: `FileError` if the folder cannot be created, or the target exists and must not be replaced.
    package init(
        _ settings: Settings, frameRate: Double, keepsEvery: Bool, say: @escaping (String) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) throws(FileError) {
        self.settings = settings
        self.frameRate = frameRate
        self.keepsEvery = keepsEvery
        self.say = say
        self.log = log
        if let target = settings.target, target != "-", !target.contains("://"), !settings.replaces {
            try AtomicFile.checkIsFree(target)
        }
        try Folder.create(settings.folder)
    }

    package var isRecording: Bool { recording != nil }

    /// How long the recording is so far.
    package func recordedSeconds(at seconds: Double) -> Double? { recording.map { seconds - $0.start } }

    /// Takes a copy of a masked frame.
    package func take(_ pixels: borrowing PixelBuffer, at seconds: Double, isFirst: Bool) {
        if isFirst { startStanding(pixels, at: seconds) }
        guard recording != nil || !standing.isEmpty else { return }
        if settings.isMirrored {
            guard let mirrored = try? pixels.mirrored() else { return }
            give(mirrored, at: seconds)
        } else {
            give(pixels, at: seconds)
        }
    }

    private func give(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let running = recording, !offer(pixels, at: seconds, to: running) {
            recording = nil
            end(running, wasAskedFor: settings.recordsAtOnce, reason: "the picture's size has changed")
        }
        for index in standing.indices.reversed() where !offer(pixels, at: seconds, to: standing[index]) {
            end(standing.remove(at: index), wasAskedFor: true, reason: "the picture's size has changed")
        }
    }

    /// - Returns: whether the output goes on.
    private func offer(_ pixels: borrowing PixelBuffer, at seconds: Double, to running: Running) -> Bool {
        guard pixels.width == running.width, pixels.height == running.height else { return false }
        do {
            try running.sink.takeCopy(of: pixels, at: seconds - running.start)
            return true
        } catch {
            return false
        }
    }

    private func startStanding(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let device = settings.virtualCamera {
            var writing = ClipWriter.Settings(target: device)
            writing.format = "v4l2"
            // The format that browsers take.
            writing.rawPixelFormat = "yuv420p"
            // Not at a constant rate: each frame is shown as soon as it is there.
            writing.frameRate = frameRate
            standing.append(open(writing, pixels, at: seconds))
        }
        if let target = settings.target {
            var writing = ClipWriter.Settings(target: target)
            writing.format = ClipWriter.Settings.format(of: target)
            writing.constantRate = frameRate
            writing.recordsMicrophone = settings.recordsMicrophone
            standing.append(open(writing, pixels, at: seconds))
        }
        if settings.recordsAtOnce { startRecording(pixels, at: seconds) }
    }

    private func open(_ writing: ClipWriter.Settings, _ pixels: borrowing PixelBuffer, at seconds: Double) -> Running {
        let (width, height) = (pixels.width, pixels.height)
        let sink = SinkThread(keepsEvery: keepsEvery) { stopSignal in
            try ClipSink(width: width, height: height, settings: writing, stopSignal: stopSignal)
        }
        return Running(sink: sink, width: width, height: height, name: writing.target, start: seconds)
    }

    // MARK: Recording

    package func toggleRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if recording == nil { startRecording(pixels, at: seconds) } else { stopRecording() }
    }

    private func startRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        var writing = ClipWriter.Settings(target: TimedName.free(in: settings.folder, fileExtension: "mp4"))
        writing.constantRate = frameRate
        writing.recordsMicrophone = settings.recordsMicrophone
        recording = open(writing, pixels, at: seconds)
        let codec = ClipWriter.videoEncoder == "libx264" ? "H.264" : "MPEG-4 (this ffmpeg has no H.264)"
        say("Recording to \(writing.target) in \(codec)")
    }

    package func stopRecording() {
        guard let running = recording else { return }
        recording = nil
        end(running, wasAskedFor: settings.recordsAtOnce, reason: nil)
    }

    private func end(_ running: Running, wasAskedFor: Bool, reason: String?) {
        let outcome = running.sink.finish(within: 20)
        writtenFrames.append((running.name, outcome.writtenFrames))
        if let error = outcome.failure {
            if wasAskedFor { failure = failure ?? error }
            say("\(error)")
        } else if let reason {
            say("\(running.name): ended, because \(reason)")
        } else if running.name.hasSuffix(".mp4") {
            say("Saved \(running.name)")
        }
    }

    // MARK: Snapshots

    /// Writes a copy of a masked frame to a new PNG, on a thread of its own.
    package func saveSnapshot(_ pixels: borrowing PixelBuffer) {
        do {
            let copy = try settings.isMirrored ? pixels.mirrored() : pixels.copy()
            let path = TimedName.free(in: settings.folder, fileExtension: "png")
            let sink = SinkThread(keepsEvery: true) { [log] _ in PictureFileSink(path) { log("\($0)") } }
            _ = try sink.take(Frame(copy, seconds: nil))
            sink.close()
            snapshots.append(sink)
            say("Snapshot: \(path)")
        } catch {
            say("The snapshot failed: \(error)")
        }
    }

    /// Completes everything that is being written.
    package func finish() {
        stopRecording()
        for running in standing { end(running, wasAskedFor: true, reason: nil) }
        standing = []
        for sink in snapshots { _ = sink.finish(within: nil) }
        snapshots = []
    }
}

extension PixelBuffer {
    /// A mirror image of an `rgba8` picture.
    fileprivate borrowing func mirrored() throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            withRow(y) { source in
                result.withMutableRow(y) { row in
                    for x in row.indices { row[x] = source[source.count - 1 - x] }
                }
            }
        }
        return result
    }
}

extension ClipWriter.Settings {
    /// ffmpeg's format for a target whose name does not tell; nil: the name does.
    fileprivate static func format(of target: String) -> String? {
        if target == "-" { return "matroska" }
        guard let end = target.firstRange(of: "://") else { return nil }
        switch target[..<end.lowerBound] {
        case "rtmp", "rtmps": return "flv"
        case "rtsp": return "rtsp"
        case "udp", "tcp", "srt": return "mpegts"
        default: return nil
        }
    }
}
