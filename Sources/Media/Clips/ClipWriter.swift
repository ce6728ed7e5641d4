import Files
import Pixels
import Threads

/// Writes frames with their times through an `ffmpeg` child process, in any format that ffmpeg supports. Waits while
/// ffmpeg is busy. Belongs to one thread.
package final class ClipWriter {
    private let owner = OwningThread()
    /// Where and how frames are written.
    package struct Settings: Sendable {
        /// What is copied of `source` besides its video: sound, subtitles, metadata and chapters; the same without sound; or
        /// sound alone, encoded anew, so that nothing of its metadata is left.
        package enum TakenOver: Sendable { case everything, allButSound, sound }

        /// A new file, the device of a virtual camera (with the format "v4l2"), a network address, or "-" for standard
        /// output.
        package var target: FilePath
        /// The target's file if it has been created already; nil: it is created, and must not exist.
        package var file: ClipFile?
        /// ffmpeg's name of the format; nil: chosen by the target.
        package var format: String?
        /// Frames per second; frames are repeated and dropped to keep this rate. Nil: each frame keeps its time.
        package var constantRate: Double?
        /// The expected rate of the frames, per second; nil: unknown.
        package var frameRate: Double?
        /// Another clip, of which `takenOver` is copied.
        package var source: FilePath?
        package var takenOver = TakenOver.everything
        /// Whether a microphone is recorded.
        package var recordsMicrophone = false
        /// Which one, by `Microphone.name`; nil: the default one.
        package var microphone: String?
        /// How much later than their sound frames are written, in seconds: the sound is delayed by it.
        package var microphoneDelay = 0.0
        package var color = ClipInformation.ColorTags()
        /// Whether an MP4 file is fragmented, so that it can be played even if writing is interrupted.
        package var isFragmented = true
        /// The x264 preset, for H.264.
        package var preset = "veryfast"
        /// The constant rate factor of H.264, 0…51: lower is better.
        package var quality = 20
        /// Whether alpha is written, straight: as ProRes 4444 in the format "mov", as VP9 in "webm"; others have none.
        package var hasAlpha = false
        /// Whether an APNG or GIF restarts at its end.
        package var loops = false
        /// Whether `finish` tells how many frames have come through ffmpeg's filters: those of a GIF take long, and begin when
        /// all frames have come.
        package var countsFilteredFrames = false
        /// For devices: write uncompressed pixels in this ffmpeg pixel format.
        package var rawPixelFormat: String?

        /// The target's name in errors.
        package var name: String

        package init(target: some FilePathConvertible) {
            self.target = target.filePath
            name = self.target.description
        }
    }

    /// The longest time in seconds that is filled by repeating a frame, unless so much time has passed. Times come from
    /// clips, and a wrong one would make a recording of days.
    private static let longestGap = 60.0

    /// Frames with other times are dropped, in seconds: 30 years.
    private static let largestTime = 1e9

    private let settings: Settings
    private let target: ClipTarget
    private let child: ChildProcess
    private let width: Int
    private let height: Int
    private var lastMicroseconds: UInt64?
    /// At a constant rate: the last frame written, and its index.
    private var lastFrame: PixelBuffer?
    private var lastPlace = -1
    /// At a constant rate: the last frame's time as given, when it was given, and what has been left out of gaps so far.
    private var lastGiven: (seconds: Double, instant: ContinuousClock.Instant)?
    private var leftOut = 0.0
    package private(set) var frameCount = 0
    private var filtered = (lines: FilterLines(), count: 0)

    package init(width: Int, height: Int, settings: Settings) throws(ClipError) {
        self.settings = settings
        self.width = width
        self.height = height
        target = try ClipTarget(settings)
        child = try Self.start(settings, target, pixels: width * height)
        let header = MatroskaStream.header(
            width: width, height: height, frameRate: settings.constantRate ?? settings.frameRate)
        guard header.withUnsafeBytes({ child.write($0) }) else { throw failure() }
    }

    /// Stops writing, from any thread; what has been written remains.
    package func stopper() -> @Sendable () -> Void {
        let stopper = child.stopper
        return { stopper.stop() }
    }

    /// - Parameters:
    ///   - frame: `rgba8`, of the writer's size.
    ///   - seconds: since the start. A frame that is not later than the last one is dropped, at a constant rate also
    ///     one whose index is taken; missing frames repeat the one before, for up to a minute or the time that has
    ///     passed since then.
    package func write(_ frame: borrowing PixelBuffer, at seconds: Double) throws(ClipError) {
        owner.check()
        precondition(frame.width == width && frame.height == height && frame.format == .rgba8)
        guard seconds.magnitude <= Self.largestTime else { return }
        guard let rate = settings.constantRate else { return try writeFrame(frame, at: seconds) }
        let place = Int((max(0, min(withoutLongGaps(seconds), 1e6)) * rate).rounded())
        guard place > lastPlace else { return }
        if let repeated = lastFrame.take() {
            while lastPlace + 1 < place {
                lastPlace += 1
                try writeFrame(repeated, at: Double(lastPlace) / rate)
            }
            lastFrame = consume repeated
        }
        lastPlace = place
        try writeFrame(frame, at: Double(place) / rate)
        do {
            if lastFrame == nil { lastFrame = try PixelBuffer(width: width, height: height, format: .rgba8) }
            lastFrame?.overwrite(with: frame)
        } catch {
            throw ClipError(.unwritable, path: settings.name, "\(error)")
        }
    }

    private func withoutLongGaps(_ seconds: Double) -> Double {
        let now = ContinuousClock.now
        if let lastGiven {
            let longest = max(Self.longestGap, (now - lastGiven.instant) / .seconds(1) + 1)
            leftOut += max(0, seconds - lastGiven.seconds - longest)
        }
        lastGiven = (seconds, now)
        return seconds - leftOut
    }

    private func writeFrame(_ frame: borrowing PixelBuffer, at seconds: Double) throws(ClipError) {
        let microseconds = UInt64((max(0, min(seconds, 1e9)) * 1e6).rounded())
        if let lastMicroseconds, microseconds <= lastMicroseconds { return }
        lastMicroseconds = microseconds
        frameCount += 1
        let header = MatroskaStream.frameHeader(pixelBytes: 4 * width * height, microseconds: microseconds)
        guard header.withUnsafeBytes({ child.write($0) }) else { throw failure() }
        guard frame.withRows({ child.write($0) }) else { throw failure() }
        if settings.countsFilteredFrames { child.drainWithoutWaiting(0, countFiltered) }
    }

    /// - Returns: true: more may come.
    private func countFiltered(_ bytes: UnsafeRawBufferPointer) -> Bool {
        _ = filtered.lines.append(bytes)
        while filtered.lines.next("pts_time") != nil { filtered.count += 1 }
        return true
    }

    /// Ends the file.
    /// - Parameter noting: where `countsFilteredFrames` is set, gets the number of frames that have been filtered, whenever it
    ///   grows.
    /// - Throws: `ClipError` with ffmpeg's own words when it could not be written whole, or if it is not there any more.
    package func finish(noting: (Int) -> Void = { _ in }) throws(ClipError) {
        child.closeInput()
        while settings.countsFilteredFrames, child.drain(0, countFiltered) { noting(filtered.count) }
        let isWritten = child.finish()
        target.unlock()
        guard isWritten, !hasLostItsEnd else { throw failure() }
        guard target.isGone else { return }
        throw ClipError(
            .unwritable, path: settings.name,
            "is gone: it or its folder was removed or renamed while it was being written")
    }

    /// Whether there was no room for the last bytes: then ffmpeg 5.1 says so, and ends with status 0.
    private var hasLostItsEnd: Bool {
        let words = child.standardErrorTail
        return ["Error writing trailer", "Error closing file", "av_interleaved_write_frame"].contains {
            words.contains($0)
        }
    }

    private func failure() -> ClipError {
        _ = child.finish()
        let words = target.words(of: child)
        return ClipError(path: settings.name, limitIn: words, of: target.limits)
            ?? ClipError(
                .unwritable, path: settings.name,
                "ffmpeg cannot write it: \(words.isEmpty ? "it gave no reason" : words)")
    }
}
