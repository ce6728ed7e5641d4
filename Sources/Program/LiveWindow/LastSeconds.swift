import Clips
import Compositing
import Files
import FrameProcessing
import Glibc
import ImageFiles
import Pixels
import Synchronization
import Threads

/// What the outputs got in the last seconds, at a low rate, kept in memory: what is worth keeping has often just happened. At
/// most 150 frames are kept, each as a JPEG, and no more than fit into 96 MiB. While files are written, those that are
/// written stay as well, so that there may be twice as much.
package final class LastSeconds: Sendable {
    package static let seconds = 10.0
    /// Frames per second.
    package static let rate = 15.0
    /// Kept frames have no more pixels.
    package static let mostPixels = 1280 * 720
    /// Frames of a GIF fit into it, in pixels.
    package static let sizeOfGIF = (width: 480, height: 360)
    private static let mostBytes = 96 << 20

    private struct Kept: Sendable {
        let jpeg: [UInt8]
        let (width, height): (Int, Int)
        /// The frame's time.
        let seconds: Double
    }

    private struct State {
        var frames: [Kept] = []
        /// Frames of this time, and earlier ones, are not kept.
        var forgotten = -Double.infinity
        /// Nil: no files are being written.
        var progress: Progress?
        /// Whether only the MP4 file is still to be written.
        var isEnding = false
        /// Stops the writing of the GIF; nil: it has not begun.
        var stopGIF: (@Sendable () -> Void)?
    }

    /// How far the files are.
    package struct Progress: Equatable, Sendable {
        /// The MP4 file, and then a GIF is being written; nil: the MP4 file is.
        package var saved: FilePath?
        /// How much of the file that is being written is done, 0 to 1.
        package var share: Double
        /// Whether a GIF is being made, or will be.
        package var makesGIF: Bool

        package init(saved: FilePath? = nil, share: Double = 0, makesGIF: Bool = false) {
            (self.saved, self.share, self.makesGIF) = (saved, share, makesGIF)
        }

        /// For the window.
        package var text: String {
            let share = "\(Int(100 * max(0, min(share, 1)))) %"
            return saved.map { _ in "Making the GIF … \(share)" }
                ?? "Saving the last \(Int(LastSeconds.seconds)) s … \(share)"
        }
    }

    /// The session ends before the GIF is there.
    private struct Ending: Error, CustomStringConvertible { let description = "the session has ended" }

    private let state = Mutex(State())

    package init() {}

    /// Nobody is to save what was before, not even a frame that is still on its way.
    /// - Parameter seconds: the time of the last frame that is not kept.
    package func forget(until seconds: Double) {
        state.withLock { ($0.frames, $0.forgotten) = ([], seconds) }
    }

    /// Whether a frame of this time would be kept. A time that is earlier than the last one is another source's.
    package func wants(_ seconds: Double) -> Bool {
        // Frames of a source come a little early or late.
        state.withLock { $0.frames.last.map { abs(seconds - $0.seconds) >= 0.9 / Self.rate } ?? true }
    }

    /// Keeps a copy of a frame, `rgba8`, and forgets those that are too old.
    /// - Throws: `OutOfMemory`.
    package func add(_ pixels: borrowing PixelBuffer, at seconds: Double) throws {
        guard wants(seconds) else { return }
        let scale = (Double(Self.mostPixels) / Double(pixels.width * pixels.height)).squareRoot()
        guard scale < 1 else { return try keep(pixels, at: seconds) }
        // Videos have even numbers of columns and rows.
        func side(_ side: Int) -> Int { max(2, Int(scale * Double(side)) & ~1) }
        try keep(pixels.resized(width: side(pixels.width), height: side(pixels.height)), at: seconds)
    }

    private func keep(_ pixels: borrowing PixelBuffer, at seconds: Double) throws {
        let (width, height) = (pixels.width, pixels.height)
        guard let jpeg = MotionJPEG.encode(pixels) else { throw OutOfMemory(width: width, height: height) }
        let frame = Kept(jpeg: jpeg, width: width, height: height, seconds: seconds)
        state.withLock { state in
            guard seconds > state.forgotten else { return }
            if let last = state.frames.last,
                last.width != width || last.height != height || last.seconds > seconds
            {
                state.frames = []
            }
            state.frames.removeAll { $0.seconds <= seconds - Self.seconds }
            state.frames.append(frame)
            state.frames.removeFirst(max(0, state.frames.count - Int(Self.seconds * Self.rate)))
            var bytes = state.frames.reduce(0) { $0 + $1.jpeg.count }
            while bytes > Self.mostBytes { bytes -= state.frames.removeFirst().jpeg.count }
        }
    }

    /// Of kept frames, in pixels; nil: there are none.
    package var size: (width: Int, height: Int)? {
        state.withLock { state in state.frames.last.map { ($0.width, $0.height) } }
    }

    /// The number of kept frames.
    package var count: Int { state.withLock { $0.frames.count } }

    /// How far the files are that are being written; nil: none are.
    package var progress: Progress? { state.withLock { $0.progress } }

    /// Files will be written soon, which `progress` says from now on.
    /// - Parameter makesGIF: as in `write`.
    /// - Returns: whether none are being written already.
    package func beginWriting(makesGIF: Bool) -> Bool {
        state.withLock { state in
            guard state.progress == nil else { return false }
            state.progress = Progress(makesGIF: makesGIF)
            return true
        }
    }

    /// Writes what is kept to an MP4 file, without sound, and then perhaps to a GIF of the same name, which repeats and takes
    /// longer.
    /// - Parameters:
    ///   - folder: is made if it is missing.
    ///   - noting: gets the progress whenever it has changed; once the MP4 file is there, a share of 0 with its path.
    ///   - warn: is told why there is no GIF.
    /// - Returns: the paths; empty: nothing is kept.
    /// - Throws: `ClipError` or `FileError`; then neither file is left.
    package func write(
        to folder: FilePath, makesGIF: Bool = true, noting: (Progress) -> Void = { _ in },
        warn: (any Error) -> Void
    ) throws -> [FilePath] {
        defer { state.withLock { ($0.progress, $0.stopGIF) = (nil, nil) } }
        let kept = state.withLock { $0.frames }
        guard let first = kept.first else { return [] }
        let kinds = makesGIF ? ["mp4", "gif"] : ["mp4"]
        let files = try TimedName.newFiles(in: LiveOutputs.made(folder), fileExtensions: kinds)
        var written = 0
        func note(_ share: Double) {
            let progress = Progress(
                saved: written == 0 ? nil : files[0].path, share: share, makesGIF: makesGIF)
            state.withLock { $0.progress = progress }
            noting(progress)
        }
        do {
            for (index, file) in files.enumerated() {
                // H.264 is encoded as frames come; a GIF gets its colours, which frames share, once all of them have. The rest
                // is left for the encoder's last frames.
                let (fed, filtered) = index == 0 ? (0.9, 0) : (0.15, 0.8)
                var settings = ClipWriter.Settings(target: file.path)
                (settings.file, settings.loops, settings.constantRate) = (file, index == 1, Self.rate)
                settings.countsFilteredFrames = filtered > 0
                let size = index == 0 ? (first.width, first.height) : Self.fitted(first.width, first.height)
                let writer = try ClipWriter(width: size.0, height: size.1, settings: settings)
                if index == 1, !canBeginGIF(stoppedBy: writer.stopper()) { throw Ending() }
                var pixels = try PixelBuffer(width: first.width, height: first.height, format: .rgba8)
                for (count, frame) in kept.enumerated() {
                    // Own bytes are never damaged.
                    guard frame.jpeg.withUnsafeBytes({ MotionJPEG.decode($0, into: &pixels) }) else { continue }
                    let seconds = frame.seconds - first.seconds
                    if size == (first.width, first.height) {
                        try writer.write(pixels, at: seconds)
                    } else {
                        try writer.write(pixels.resized(width: size.0, height: size.1), at: seconds)
                    }
                    note(fed * Double(count + 1) / Double(kept.count))
                }
                try writer.finish { note(fed + filtered * min(1, Double($0) / Double(max(1, writer.frameCount)))) }
                written += 1
                if index == 0, makesGIF { note(0) }
            }
        } catch {
            for file in files[written...] { _ = file.path.withCString { unlink($0) } }
            if written == 0 { throw error }
            warn(state.withLock { $0.isEnding } ? Ending() : error)
        }
        return files[..<written].map(\.path)
    }

    /// The size of a GIF's frames.
    private static func fitted(_ width: Int, _ height: Int) -> (Int, Int) {
        let scale = min(1, Double(sizeOfGIF.width) / Double(width), Double(sizeOfGIF.height) / Double(height))
        return (max(1, Int(scale * Double(width))), max(1, Int(scale * Double(height))))
    }

    private func canBeginGIF(stoppedBy stop: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isEnding { state.stopGIF = stop }
            return !state.isEnding
        }
    }

    /// The session ends: the MP4 file is completed, and a GIF that is not there yet is left out, which takes longer.
    package func endSoon() {
        let stop = state.withLock { state in
            state.isEnding = true
            return state.stopGIF
        }
        stop?()
    }
}

/// Keeps frames on the thread that they are handed to.
final class LastSecondsSink: FrameSink {
    private let last: LastSeconds

    init(_ last: LastSeconds) { self.last = last }

    func take(_ frame: consuming Frame) throws -> PixelBuffer? {
        try last.add(frame.pixels, at: frame.seconds ?? 0)
        return frame.reusedPixels()
    }

    func finish() {}
}

extension LiveOutputs {
    /// The last seconds with the thread that makes frames small.
    struct Recent {
        let last = LastSeconds()
        /// Whether a GIF is made, too.
        var savesGIF = false
        /// Whether the frames show a mask that is only tried on: they are not kept.
        var isTrial = false
        fileprivate let sink: SinkThread

        init() { sink = SinkThread(keepsEvery: false) { [last] _ in LastSecondsSink(last) } }

        /// Ends the thread.
        func stop() { sink.cancel() }

        func take(_ pixels: borrowing PixelBuffer, at seconds: Double, isMirrored: Bool) {
            guard !isTrial, last.wants(seconds) else { return }
            do {
                if isMirrored {
                    try sink.takeCopy(of: try pixels.mirrored(), at: seconds)
                } else {
                    try sink.takeCopy(of: pixels, at: seconds)
                }
            } catch {
                // The last seconds cannot be saved; all else goes on.
            }
        }
    }

    /// Writes the last seconds to new files, on a separate thread, and says where they are.
    func saveLastSeconds() {
        guard let recent, recent.last.count > 0 else { return say("There is nothing to save yet") }
        guard recent.last.beginWriting(makesGIF: recent.savesGIF) else {
            return say("The last seconds are still being saved")
        }
        folders.last = folders.recordings
        let pixels = recent.last.size.map { " (\($0.width) × \($0.height))" } ?? ""
        snapshots.add { [folder = folders.recordings, say, last = recent.last, makesGIF = recent.savesGIF] in
            Result {
                var failure: (any Error)?
                let paths = try last.write(to: folder, makesGIF: makesGIF) { progress in
                    guard makesGIF, let saved = progress.saved, progress.share == 0 else { return }
                    say("Saved \(saved)\(pixels). The same as a GIF follows.")
                } warn: {
                    failure = $0
                }
                return (paths, failure)
            }
        } finish: { [say] result in
            switch result {
            case .success(let (paths, failure)):
                let saved = paths.enumerated().map { "\($1)" + ($0 == 0 ? pixels : "") }.joined(separator: " and ")
                if let failure {
                    say("Saved \(saved), but no GIF: \(failure)")
                } else {
                    say(paths.isEmpty ? "There is nothing to save yet" : "Saved \(saved)")
                }
            case .failure(let error): say("The last seconds cannot be saved: \(error)")
            }
        }
    }

    /// Whether a GIF is being made, or will be: it is left out at the end.
    var isMakingGIF: Bool { recent?.last.progress?.makesGIF ?? false }

    /// Shows the folder of recordings and snapshots in the desktop's file manager, on a thread of its own: nothing else waits
    /// for that program.
    func openFolder() {
        do {
            try DedicatedThread.start { [folder = folders.last, say] in
                do { try FileManagerWindow.open(Self.made(folder)) } catch { say("\(error)") }
            }
        } catch {
            say("\(error)")
        }
    }
}
