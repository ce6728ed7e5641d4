import Backgrounds
import Clips
import Compositing
import Files
import FrameProcessing
import FrameSources
import ImageFiles
import NeuralNetworks
import Pixels
import Threads

/// A clip that is shown behind people, in a loop and at its own speed, without its sound. A thread of its own decodes it.
package final class ClipBackdrop: MovingBackdrop {
    private let path: FilePath
    private let information: ClipInformation
    private var stream: Stream?

    /// - Throws: `ClipError` when the clip cannot be read.
    package init(_ path: FilePath) throws(ClipError) {
        self.path = path
        information = try ClipInformation.read(path)
    }

    deinit { stream?.end() }

    package func update(_ backdrop: inout PixelBuffer, width: Int, height: Int) throws(OutOfMemory) {
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

extension FrameEffects {
    /// The chosen background, which may be a clip, or else that of the mask.
    /// - Throws: as `FrameEffects.init(_:networks:)`, or `ClipError`.
    init(live choice: BackgroundChoice?, networks: NetworkFolder) throws {
        guard case .picture(let path)? = choice, path.exists, !PictureReader.isPhotograph(path) else {
            try self.init(choice, networks: networks)
            return
        }
        try self.init(nil, networks: networks)
        chosen = try BackgroundReplacer(moving: ClipBackdrop(path), networks: networks)
    }
}
