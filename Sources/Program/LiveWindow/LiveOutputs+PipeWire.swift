import PipeWire
import Pixels

/// The virtual camera through PipeWire. It needs no thread here: it has its own.
extension LiveOutputs {
    /// A virtual camera that runs.
    enum CameraOutput {
        case device(Running)
        case pipeWire(PipeWireOutput)

        /// Whether frames that it would get are of any use.
        var takesFrames: Bool {
            switch self {
            case .device: true
            case .pipeWire(let output): output.camera.status.isWatched
            }
        }

        /// Whether frames of this size can be given to it.
        func fits(_ pixels: borrowing PixelBuffer) -> Bool {
            switch self {
            case .device(let running): running.width == pixels.width && running.height == pixels.height
            case .pipeWire(let output): output.width == pixels.width && output.height == pixels.height
            }
        }

        mutating func countFrame() {
            guard case .pipeWire(var output) = self else { return }
            output.frames += 1
            self = .pipeWire(output)
        }
    }

    struct PipeWireOutput {
        let camera: PipeWireCamera
        let width: Int
        let height: Int
        /// The frames that programs could have got.
        var frames = 0
        /// What the user has been told of.
        var trouble: PipeWireError?
    }

    /// Whether a program has begun to show the virtual camera, and has got no picture yet.
    var awaitsPicture: Bool {
        guard case .pipeWire(let output) = camera else { return false }
        return output.camera.status.awaitsPicture
    }

    /// Gives a frame that has been there before to who waits for a picture.
    func showAwaited(_ pixels: borrowing PixelBuffer) {
        guard case .pipeWire(let output) = camera, output.width == pixels.width, output.height == pixels.height else {
            return
        }
        do {
            var shown = try settings.isMirrored ? pixels.mirrored() : pixels.copy()
            if settings.hasAlpha { shown.flatten(on: Self.plain) }
            output.camera.offer(shown)
        } catch {
            failure = failure ?? error
        }
    }

    func startPipeWire(_ pixels: borrowing PixelBuffer) {
        do throws(PipeWireError) {
            let (width, height) = (pixels.width, pixels.height)
            let camera = try PipeWireCamera(width: width, height: height, frameRate: frameRate)
            self.camera = .pipeWire(PipeWireOutput(camera: camera, width: width, height: height))
        } catch {
            if settings.virtualCamera != nil { failure = failure ?? error }
            virtualCamera = nil
            say("\(error)")
        }
    }

    /// Says when the camera has gone, and when it is there again.
    func reportPipeWire() {
        guard case .pipeWire(var output) = camera else { return }
        let trouble = output.camera.status.trouble
        guard trouble != output.trouble else { return }
        output.trouble = trouble
        camera = .pipeWire(output)
        say(trouble?.description ?? "The virtual camera is there again")
    }
}
