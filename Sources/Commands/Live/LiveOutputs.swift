import CommandLine
import Files
import Glibc
import ImageFiles
import Masking
import Media
import Pixels
import Threads

/// Everything that masked frames go to beside the window: a recording, an output, a virtual camera, snapshots.
final class LiveOutputs {
    private struct Running {
        let sink: ClipSink
        let name: String
        let start: Double
    }

    private let options: LiveOptions
    private let frameRate: Double
    private let keepsEvery: Bool
    private var recording: Running?
    /// Those that were asked for on the command line, from the first frame on.
    private var standing: [Running] = []
    private var snapshots: [DedicatedThread.Handle] = []
    private let log: (String) -> Void
    /// What could not be written, of what was asked for on the command line.
    private(set) var failure: ClipError?
    private(set) var writtenFrames: [(target: String, frames: Int)] = []

    /// - Parameter log: takes sentences for the user.
    init(_ options: LiveOptions, frameRate: Double, keepsEvery: Bool, log: @escaping (String) -> Void) throws {
        self.options = options
        self.frameRate = frameRate
        self.keepsEvery = keepsEvery
        self.log = log
        if let output = options.output, output != "-", !output.contains("://"), !options.replaces {
            try AtomicFile.checkIsFree(output)
        }
        try Folder.create(options.folder)
    }

    var isRecording: Bool { recording != nil }

    /// Seconds that the recording has taken so far.
    func recordedSeconds(at seconds: Double) -> Double? { recording.map { seconds - $0.start } }

    /// Takes a masked frame.
    func take(_ pixels: borrowing PixelBuffer, at seconds: Double, isFirst: Bool) {
        if isFirst { startStanding(pixels, at: seconds) }
        guard recording != nil || !standing.isEmpty else { return }
        if options.mirrorsOutput {
            guard let turned = try? Self.mirrored(pixels) else { return }
            give(turned, at: seconds)
        } else {
            give(pixels, at: seconds)
        }
    }

    private func give(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let running = recording, !running.sink.offer(pixels, at: seconds - running.start) {
            recording = nil
            end(running, wasAskedFor: options.recordsAtOnce, reason: "the picture's size has changed")
        }
        for index in standing.indices.reversed() {
            let running = standing[index]
            guard !running.sink.offer(pixels, at: seconds - running.start) else { continue }
            standing.remove(at: index)
            end(running, wasAskedFor: true, reason: "the picture's size has changed")
        }
    }

    private func startStanding(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if let device = options.virtualCamera {
            var settings = ClipWriter.Settings(target: device)
            settings.format = "v4l2"
            // What browsers take.
            settings.rawPixelFormat = "yuv420p"
            // Without a rate of its own: whoever watches gets each frame as soon as it is there.
            settings.frameRate = frameRate
            standing.append(open(settings, pixels, at: seconds))
        }
        if let output = options.output {
            var settings = ClipWriter.Settings(target: output)
            settings.format = ClipWriter.Settings.format(of: output)
            settings.constantRate = frameRate
            settings.recordsMicrophone = options.recordsMicrophone
            standing.append(open(settings, pixels, at: seconds))
        }
        if options.recordsAtOnce { startRecording(pixels, at: seconds) }
    }

    private func open(_ settings: ClipWriter.Settings, _ pixels: borrowing PixelBuffer, at seconds: Double) -> Running {
        let sink = ClipSink(width: pixels.width, height: pixels.height, settings: settings, keepsEvery: keepsEvery)
        return Running(sink: sink, name: settings.target, start: seconds)
    }

    // MARK: Recording

    func toggleRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        if recording == nil { startRecording(pixels, at: seconds) } else { stopRecording() }
    }

    private func startRecording(_ pixels: borrowing PixelBuffer, at seconds: Double) {
        var settings = ClipWriter.Settings(target: freeName("mp4"))
        settings.constantRate = frameRate
        settings.recordsMicrophone = options.recordsMicrophone
        recording = open(settings, pixels, at: seconds)
        let codec = ClipWriter.videoEncoder == "libx264" ? "H.264" : "MPEG-4 (this ffmpeg has no H.264)"
        log("Recording to \(settings.target) in \(codec)")
    }

    func stopRecording() {
        guard let running = recording else { return }
        recording = nil
        end(running, wasAskedFor: options.recordsAtOnce, reason: nil)
    }

    private func end(_ running: Running, wasAskedFor: Bool, reason: String?) {
        let outcome = running.sink.finish()
        writtenFrames.append((running.name, outcome.writtenFrames))
        if let error = outcome.failure {
            if wasAskedFor { failure = failure ?? error }
            log("\(error)")
        } else if let reason {
            log("\(running.name): ended, because \(reason)")
        } else if running.name.hasSuffix(".mp4") {
            log("Saved \(running.name)")
        }
    }

    // MARK: Snapshots

    /// Written on a thread of its own: the picture must not stand still for it.
    func saveSnapshot(_ pixels: borrowing PixelBuffer) {
        do {
            let copy = try options.mirrorsOutput ? Self.mirrored(pixels) : pixels.copy()
            let path = freeName("png")
            let picture = SharedPicture(copy)
            snapshots.append(
                DedicatedThread.start {
                    do {
                        try picture.write(path)
                    } catch {
                        Console.error("bauta: \(error)\n")
                    }
                })
            log("Snapshot: \(path)")
        } catch {
            log("The snapshot failed: \(error)")
        }
    }

    /// Handed to another thread whole.
    private final class SharedPicture: Sendable {
        private let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }

        func write(_ path: String) throws {
            try PictureWriter.write(
                Picture(pixels: try pixels.copy()), to: path, options: .init(format: .png), replacing: false)
        }
    }

    /// Ends everything that is being written.
    func finish() {
        stopRecording()
        for running in standing { end(running, wasAskedFor: true, reason: nil) }
        standing = []
        for thread in snapshots { thread.join() }
        snapshots = []
    }

    /// A name with the time in it that nothing has yet.
    private func freeName(_ ending: String) -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let stamp =
            "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
        let base = (options.folder.hasSuffix("/") ? options.folder : options.folder + "/") + "bauta " + stamp
        var path = "\(base).\(ending)"
        var count = 2
        while access(path, F_OK) == 0 {
            path = "\(base) \(count).\(ending)"
            count += 1
        }
        return path
    }

    private static func mirrored(_ pixels: borrowing PixelBuffer) throws(OutOfMemory) -> PixelBuffer {
        var result = try PixelBuffer(width: pixels.width, height: pixels.height, format: .rgba8)
        for y in 0..<pixels.height {
            pixels.withRow(y) { source in
                result.withMutableRow(y) { row in
                    for x in row.indices { row[x] = source[source.count - 1 - x] }
                }
            }
        }
        return result
    }
}

extension ClipWriter.Settings {
    /// What an output is written as where its name does not say it.
    static func format(of target: String) -> String? {
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
