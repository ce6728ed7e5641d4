import Clips
import Files
import FrameProcessing
import FrameSources
import Pixels
import Threads

/// A clip that is shown behind people, in a loop and at its own speed, without its sound. A thread of its own decodes it.
final class ClipBackdrop {
    private let path: FilePath
    private let information: ClipInformation
    private var stream: Stream?

    /// - Throws: `ClipError` when the clip cannot be read.
    init(_ path: FilePath) throws(ClipError) {
        self.path = path
        information = try ClipInformation.read(path)
    }

    deinit { stream?.end() }

    /// Puts the newest frame of the clip in place of the last one, if there is a new one.
    /// - Parameter backdrop: has the wanted size then, black until the first frame comes.
    func update(_ backdrop: inout PixelBuffer, width: Int, height: Int) throws(OutOfMemory) {
        if stream == nil || backdrop.width != width || backdrop.height != height {
            stream?.end()
            backdrop = try PixelBuffer(width: width, height: height, format: .rgba8)
            backdrop.fill(SIMD4(0, 0, 0, 255))
            stream = Stream(
                ClipSource.description(
                    path, information: information, size: .filled(width: width, height: height), loops: true,
                    isPaced: true, isLive: true))
        }
        guard let frame = stream?.frames.take(waiting: 0) else { return }
        var pixels = frame.reusedPixels()
        guard pixels.width == width, pixels.height == height else { return }
        swap(&pixels, &backdrop)
        stream?.spares.give(pixels)
    }

    /// The thread that decodes, for frames of one size.
    private final class Stream: Sendable {
        let frames = Mailbox<SourceFrame>()
        let spares = SparePixels()
        private let stop = StopSignal()

        init(_ source: FrameSourceDescription) {
            // Without a thread, the backdrop stays black.
            _ = try? DedicatedThread.start { [frames, spares, stop] in
                do {
                    let source = try source.open(stop)
                    while !stop.isStopped {
                        switch try source.next(reusing: spares.take()) {
                        case .frame(let frame):
                            if let late = frames.replace(frame) { spares.give(late.reusedPixels()) }
                        case .nothing: break
                        case .waiting: break
                        case .ended: return
                        }
                    }
                } catch {
                    // A clip that breaks off stays at its last frame.
                }
            }
        }

        /// Does not wait for the thread.
        func end() {
            stop.stop()
            frames.close()
        }
    }
}
