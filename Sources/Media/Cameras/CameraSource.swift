import FrameSources
import Glibc
import ImageFiles
import Pixels
import Threads

/// Frames of a camera. While it is busy, missing, forbidden or unplugged, the source waits for it.
package final class CameraSource: FrameSource {
    /// Which camera, and what it is asked for.
    package struct Request: Sendable {
        /// As `Camera.find` takes it: its device number, its path or a part of its name; nil: the first that works.
        package var camera: String?
        package var width: Int
        package var height: Int
        package var rate: Double
        package var controls: [(name: String, value: Int)]

        package init(
            camera: String? = nil, width: Int = 1280, height: Int = 720, rate: Double = 30,
            controls: [(name: String, value: Int)] = []
        ) {
            self.camera = camera
            self.width = width
            self.height = height
            self.rate = rate
            self.controls = controls
        }
    }

    private let request: Request
    private let stop: StopSignal
    /// Takes a sentence about what was asked for and what the camera does.
    private let report: @Sendable (String) -> Void
    private var stream: (any CameraStream)?
    private var path = ""
    /// The camera's clock at the first frame, in seconds.
    private var start: Double?
    private var offset = 0.0
    private var lastSeconds = -1.0
    private var lastFrame = ContinuousClock.now
    private var lastCapture = ContinuousClock.now
    private var damaged = 0
    private var nextTry = ContinuousClock.now
    /// Why the camera was lost, until it is open again.
    private var loss: String?

    /// Seconds without a frame after which the camera is reopened.
    private static let patience = 3.0
    private static let secondsBetweenTries = 0.3

    init(_ request: Request, stop: StopSignal, report: @escaping @Sendable (String) -> Void) {
        self.request = request
        self.stop = stop
        self.report = report
    }

    /// - Parameter report: called each time that a camera is opened, on the source's thread.
    package static func description(
        _ request: Request, report: @escaping @Sendable (String) -> Void
    ) -> FrameSourceDescription {
        FrameSourceDescription(
            name: request.camera.map { "camera \($0)" } ?? "the camera", isMirrored: true, isLive: true,
            canPause: false, frameRate: request.rate
        ) { stop in CameraSource(request, stop: stop, report: report) }
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        guard !stop.isStopped else { return .ended }
        guard let stream else {
            let rest = (nextTry - .now) / .seconds(1)
            if rest > 0, !stop.sleep(seconds: rest) { return .ended }
            nextTry = .now + .seconds(Self.secondsBetweenTries)
            do {
                try open()
            } catch {
                // That it is missing follows from the loss, and says less about it.
                return .waiting(error.isMissing ? loss ?? error.description : error.description)
            }
            return .nothing
        }
        let picture: CameraPicture
        do {
            picture = try stream.next(reusing: spare)
        } catch let failure as Camera.Failure {
            return lose(failure.description)
        }
        switch consume picture {
        case .none:
            guard (.now - lastFrame) / .seconds(1) > Self.patience else { return .nothing }
            return lose("\(path): the camera delivers no pictures; trying again")
        case .damaged:
            lastFrame = .now
            damaged += 1
            return damaged > 30
                ? .waiting("\(path): the camera sends only damaged pictures") : .nothing
        case .whole(let pixels, let cameraSeconds):
            damaged = 0
            return .frame(frame(pixels, at: cameraSeconds))
        }
    }

    /// A frame with the source's time.
    /// - Parameter cameraSeconds: its time by the camera's clock.
    private func frame(_ pixels: consuming PixelBuffer, at cameraSeconds: Double) -> SourceFrame {
        let captured = ContinuousClock.now
        if start == nil {
            start = cameraSeconds
            // After a pause, times go on from the last one, plus the pause.
            if lastSeconds >= 0 { offset = lastSeconds + (captured - lastCapture) / .seconds(1) }
        }
        (lastFrame, lastCapture) = (captured, captured)
        // Drivers' clocks may jump; times of frames only grow.
        lastSeconds = max(offset + cameraSeconds - (start ?? cameraSeconds), lastSeconds + 0.001)
        return SourceFrame(pixels, seconds: lastSeconds, captured: captured)
    }

    private func lose(_ reason: String) -> SourceEvent {
        stream = nil
        start = nil
        loss = reason
        nextTry = .now + .seconds(Self.secondsBetweenTries)
        return .waiting(reason)
    }

    private func open() throws(Camera.Failure) {
        let camera = try find()
        guard let wanted = camera.bestMode(width: request.width, height: request.height, rate: request.rate) else {
            throw Camera.Failure(unreadableFormatsOf: camera)
        }
        var asked = wanted
        asked.rate = wanted.rate == 0 ? request.rate : min(wanted.rate, max(request.rate, 1))
        let mode: Camera.Mode
        var notes: [String] = []
        if let source = camera.source {
            stream = try PipeWireStream(source, path: camera.path, mode: asked)
            // Another program may have chosen another mode, which only the first frame tells.
            mode = asked
            notes = request.controls.map { "it has no control '\($0.name)'" }
        } else {
            let device = try DeviceStream(camera, mode: asked)
            notes = request.controls.compactMap { device.set($0.name, to: $0.value, among: camera.controls) }
            stream = device
            mode = device.mode
        }
        loss = nil
        path = camera.path
        start = nil
        lastFrame = .now
        report(
            "\(camera.name) (\(camera.path)): asked for \(request.width)×\(request.height) at \(Int(request.rate)) frames/s, "
                + "got \(mode.description)" + notes.map { "; " + $0 }.joined())
    }

    private func find() throws(Camera.Failure) -> Camera {
        // With a path or a number, the error of that device is reported.
        if let wanted = request.camera {
            if wanted.utf8.first == UInt8(ascii: "/") { return try Camera(path: wanted) }
            if Int(wanted) != nil { return try Camera(path: "/dev/video" + wanted) }
        }
        let devices = Camera.devices()
        if let camera = Camera.find(request.camera, among: devices) { return camera }
        if let camera = Camera.find(request.camera, among: Camera.ofPipeWire(without: devices)) { return camera }
        // The error of a device that exists explains more than that there is none.
        if let failure = Camera.failures().first { throw failure }
        throw Camera.Failure(path: request.camera ?? "", code: 0, doing: Camera.Failure.looking)
    }
}
